// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/merge_runs.hpp>

#include <optional>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// What a rank has sorted before it is shared out: in memory that all ranks read, where there is such memory, else in
/// its own.
template <class Key, class Value, class Exec>
class sorted_items {
public:
  using both = keys_and_values<Key, Value>;
  using run  = sorted_run<Key, Value>;

  /// Of n items here; by all ranks.
  sorted_items(transport& all, extent n)
      : rank_(all.rank())
      , shared_(all.share(values_at(n) + bytes_of<Value>(n), residence_of<Exec>))
  {}

  /// Finds room for this rank's n items.
  template <place_like Where>
  both room(Where const& where, extent n)
  {
    if (are_read_by_all()) return own_ = of(rank_, n);
    own_.keys = keys_.emplace(where, n).data();
    if constexpr (!is_nothing<Value>) own_.values = values_.emplace(where, n).data();
    return own_;
  }
  both const& own() const { return own_; }
  bool are_read_by_all() const { return !shared_.of_rank.empty(); }
  /// In how many turns runs are copied from other ranks while they are merged; 1: they are read from there.
  extent turns(std::vector<run> const& runs) const
  {
    std::size_t copied = 0;
    for (auto const& each : runs)
      if (each.of_another) copied += bytes_of<Key>(each.size) + bytes_of<Value>(each.size);
    return runs.size() != 2 || shared_.turn == 0 ? 1 : std::clamp<extent>(extent(copied / shared_.turn), 1, most_turns);
  }

  /// The runs that this rank is to have, of each rank that has some of it, in their order, where they lie. Rank r has
  /// ranks[r].have items; those of this rank that go to rank r begin with item begins[r].
  std::vector<run> to_read(transport& all, std::vector<sizes> const& ranks, std::vector<extent> const& begins) const
  {
    using part = std::pair<extent, extent>;
    std::vector<part> parts;
    for (std::size_t r = 0; r < ranks.size(); ++r) parts.emplace_back(begins[r], begins[r + 1]);
    auto const heard = swapped(all, parts);
    std::vector<run> runs;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      if (auto const [first, last] = heard[r]; first < last)
        runs.push_back({of(int(r), ranks[r].have).from(first), last - first, int(r) != rank_});
    return runs;
  }

private:
  static constexpr extent most_turns = 16;

  template <class T>
  static std::size_t bytes_of(extent n)
  {
    if constexpr (is_nothing<T>) return 0;
    else return std::size_t(n) * sizeof(T);
  }
  /// Values lie behind keys, at a multiple of 256 bytes.
  static std::size_t values_at(extent n) { return (bytes_of<Key>(n) + 255) / 256 * 256; }

  /// The n items of a rank.
  both of(int rank, extent n) const
  {
    std::byte* const at = shared_.of_rank[std::size_t(rank)];
    if constexpr (is_nothing<Value>) return {reinterpret_cast<Key*>(at), nullptr};
    else return {reinterpret_cast<Key*>(at), reinterpret_cast<Value*>(at + values_at(n))};
  }

  int rank_;
  shared_memory shared_;
  std::optional<lent_room<Key, Exec>> keys_;
  std::optional<lent_room<Value, Exec>> values_;
  both own_{};
};

}  // namespace onepass::ONEPASS_ABI::ranks::detail
