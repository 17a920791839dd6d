// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/sorted_items.hpp>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// A sort whose exchange comes last: each rank has sorted its items, the ranks find out which part of each goes where,
/// and a rank merges those that are its own.
template <class Key, class Value, place_like Where>
class merged_sort {
public:
  using exec   = space_of<Where>;
  using both   = keys_and_values<Key, Value>;
  using sorted = sorted_items<Key, Value, exec>;

  /// Of items that are sorted by `order`; rank r is to have those of ranks wanted[r] up to wanted[r + 1] among all. By
  /// all ranks.
  merged_sort(transport& all, Where const& where, sorted const& items, std::vector<sizes> const& ranks,
              std::vector<extent> const& wanted, sort_order const& order)
      : all_(all)
      , where_(where)
      , sorted_(items)
      , order_(order)
      , code_(order_of<Key>(order))
      , received_(wanted[std::size_t(all.rank()) + 1] - wanted[std::size_t(all.rank())])
      , sends_(!items.are_read_by_all())
  {
    auto const own    = contiguous<Key const>{items.own().keys, ranks[std::size_t(all.rank())].have};
    auto const begins = find_cuts<Key>(all, where, own, code_, wanted);
    // Each rank has a sorted run for this one. Where it can be read, nothing travels by itself.
    if (sends_) way_ = announced(all, begins);
    else runs_ = items.to_read(all, ranks, begins);
  }

  /// out = this rank's items in order. What it takes between two rounds stays until this is destroyed.
  void gather(both const& out)
  {
    // Merges of few runs are cheaper than a sort; they end in the output, and read the own run where it was sorted.
    int const rounds   = rounds_of(sends_ ? runs_of(way_) : runs_.size());
    bool const merges  = 0 < rounds && rounds <= most_rounds;
    extent const turns = sorted_.turns(runs_);
    both spare{nullptr, nullptr};
    auto const find_spare = [&] {
      if (!merges || !(sends_ || rounds > 1 || turns > 1)) return true;
      spare.keys = spare_keys_.emplace(where_, received_).data();
      if constexpr (!is_nothing<Value>) spare.values = spare_values_.emplace(where_, received_).data();
      return true;
    };
    if (sends_) told(all_, find_spare);  // others wait for what this rank sends
    else find_spare();
    bool const turn    = rounds % 2 == 1;
    both const &target = turn ? out : spare, &other = turn ? spare : out;
    if (sends_) receive(merges ? other : out, merges);
    if (merges) {
      auto const merge = [&](auto const& less) {
        if (turns > 1) merge_in_turns(all_, where_, runs_, turns, less, out, spare);
        else merge_runs(where_, runs_, less, target, other);
      };
      return code_.is_whole() ? merge(by_codes{}) : merge(code_);
    }
    if (!sends_) append_runs(where_, runs_, out);
    if (rounds > 0) sort_in_place(where_, out, received_, order_);
  }

private:
  /// More rounds of merges than these take longer than a sort of everything.
  static constexpr int most_rounds = 4;

  /// Lets items travel to `to`; the own ones stay where they are sorted, if that is wanted.
  void receive(both const& to, bool keeps)
  {
    auto const [first, own] = keeps ? kept_back(way_, all_.rank()) : std::pair<extent, extent>{};
    send_along<Key>(all_, where_, way_, sorted_.own().keys, to.keys);
    if constexpr (!is_nothing<Value>) send_along<Value>(all_, where_, way_, sorted_.own().values, to.values);
    for (std::size_t r = 0; r + 1 < way_.from.size(); ++r) {
      if (int(r) == all_.rank() && own > 0) runs_.push_back({sorted_.own().from(first), own});
      extent const size = way_.from[r + 1] - way_.from[r];
      if (size > 0) runs_.push_back({to.from(way_.from[r]), size});
    }
  }

  transport& all_;
  Where const& where_;
  sorted const& sorted_;
  sort_order order_;
  by_some_bits<Key> code_;
  extent received_;
  bool sends_;
  route way_;
  std::vector<sorted_run<Key, Value>> runs_;  // this rank's share of each rank
  std::optional<lent_room<Key, exec>> spare_keys_;
  std::optional<lent_room<Value, exec>> spare_values_;
};

}  // namespace onepass::ONEPASS_ABI::ranks::detail
