// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/merge_runs.hpp>

#include <optional>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// How keys, and values beside them, lie in one piece of memory.
template <class Key, class Value>
struct items_in_memory {
  static constexpr std::size_t bytes_of_value = is_nothing<Value> ? 0 : sizeof(Value);
  static constexpr std::size_t bytes_each     = sizeof(Key) + bytes_of_value;

  static std::size_t bytes(extent n) { return values_at(n) + std::size_t(n) * bytes_of_value; }
  static keys_and_values<Key, Value> at(std::byte* memory, extent n)
  {
    if constexpr (is_nothing<Value>) return {reinterpret_cast<Key*>(memory), nullptr};
    else return {reinterpret_cast<Key*>(memory), reinterpret_cast<Value*>(memory + values_at(n))};
  }

private:
  /// Values lie behind n keys, at a multiple of 256 bytes.
  static std::size_t values_at(extent n) { return (std::size_t(n) * sizeof(Key) + 255) / 256 * 256; }
};

/// Sorts n items where they are.
template <class Key, class Value, place_like Where>
void sort_in_place(Where const& where, keys_and_values<Key, Value> const& at, extent n, sort_order const& order)
{
  auto const keys = view_at<space_of<Where>>(at.keys, n);
  if constexpr (is_nothing<Value>) onepass::radix_sort(where, keys, keys, order);
  else {
    auto const values = view_at<space_of<Where>>(at.values, n);
    onepass::radix_sort_by_key(where, keys, values, keys, values, order);
  }
}

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
      , shared_(all.share(memory::bytes(n), residence_of<Exec>))
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
  /// Whether n items are so many that their first pass is worth an exchange (bucket_sort), which counts in 32 bits.
  bool are_many(extent n) const
  {
    return shared_.turn > 0 && std::size_t(n) * memory::bytes_each >= turns_of_many * shared_.turn
           && n < extent(1) << 32;
  }
  /// In how many turns runs are copied from other ranks while they are merged; 1: they are read from there.
  extent turns(std::vector<run> const& runs) const
  {
    std::size_t copied = 0;
    for (auto const& each : runs)
      if (each.of_another) copied += std::size_t(each.size) * memory::bytes_each;
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
  using memory                       = items_in_memory<Key, Value>;
  static constexpr extent most_turns = 16, turns_of_many = 3;

  /// The n items of a rank.
  both of(int rank, extent n) const { return memory::at(shared_.of_rank[std::size_t(rank)], n); }

  int rank_;
  shared_memory shared_;
  std::optional<lent_room<Key, Exec>> keys_;
  std::optional<lent_room<Value, Exec>> values_;
  both own_{};
};

}  // namespace onepass::ONEPASS_ABI::ranks::detail
