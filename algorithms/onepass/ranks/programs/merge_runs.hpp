// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/merge.hpp>
#include <onepass/ranks/programs/cuts.hpp>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// Memory for keys, and for the values beside them if there are any.
template <class Key, class Value>
struct keys_and_values {
  Key* keys;
  Value* values;

  keys_and_values from(extent i) const
  {
    if constexpr (is_nothing<Value>) return {keys + i, nullptr};
    else return {keys + i, values + i};
  }
};

/// Items in order, wherever they lie.
template <class Key, class Value>
struct sorted_run {
  keys_and_values<Key, Value> at;
  extent size;
};

/// How often runs are merged two by two until they are one.
inline int rounds_of(route const& way)
{
  std::uint64_t runs = 0;
  for (std::size_t r = 0; r + 1 < way.from.size(); ++r) runs += way.from[r] < way.from[r + 1];
  return runs > 1 ? int(std::bit_width(runs - 1)) : 0;
}

/// Merges runs, those before first: into `to`, from there into `other`, and so on, once a round.
template <class Key, class Value, place_like Where, class Less>
void merge_runs(Where const& where, std::vector<sorted_run<Key, Value>> runs, Less const& less,
                keys_and_values<Key, Value> to, keys_and_values<Key, Value> other)
{
  using memory     = typename space_of<Where>::memory_space;
  auto const items = [](auto* at, extent n) {
    return unmanaged_items<std::remove_pointer_t<decltype(at)>, memory>(at, std::size_t(n));
  };
  for (; runs.size() > 1; std::swap(to, other)) {
    std::vector<sorted_run<Key, Value>> merged;
    if (runs.size() % 2 == 1) runs.push_back({runs.back().at, 0});
    extent done = 0;
    for (std::size_t r = 0; r < runs.size(); r += 2) {
      auto const &a = runs[r], &b = runs[r + 1];
      auto const out = to.from(done);
      extent const n = a.size + b.size;
      if constexpr (is_nothing<Value>)
        onepass::merge(where, items(a.at.keys, a.size), items(b.at.keys, b.size), items(out.keys, n), less);
      else
        onepass::merge_by_key(where, items(a.at.keys, a.size), items(a.at.values, a.size), items(b.at.keys, b.size),
                              items(b.at.values, b.size), items(out.keys, n), items(out.values, n), less);
      merged.push_back({out, n});
      done += n;
    }
    runs = merged;
  }
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
