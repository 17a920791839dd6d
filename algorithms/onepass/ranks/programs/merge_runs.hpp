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
};

/// Where those runs begin that are not empty, and the end; without runs, the end alone.
inline std::vector<extent> true_runs(std::vector<extent> begins)
{
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  return begins;
}

/// How often runs are merged two by two until they are one.
inline int rounds_of(std::vector<extent> const& runs)
{
  return runs.size() > 2 ? int(std::bit_width(runs.size() - 2)) : 0;
}

/// Merges sorted runs that lie one behind another, those before first: from `from` to `to` and back, once a round.
template <class Key, class Value, place_like Where, class Less>
void merge_runs(Where const& where, std::vector<extent> runs, Less const& less, keys_and_values<Key, Value> from,
                keys_and_values<Key, Value> to)
{
  using memory     = typename space_of<Where>::memory_space;
  auto const items = [](auto* all, extent begin, extent end) {
    return unmanaged_items<std::remove_pointer_t<decltype(all)>, memory>(all + begin, std::size_t(end - begin));
  };
  for (; runs.size() > 2; std::swap(from, to)) {
    std::vector<extent> merged{0};
    for (std::size_t r = 0; r + 1 < runs.size(); r += 2) {
      extent const begin = runs[r], middle = runs[r + 1], end = runs[std::min(r + 2, runs.size() - 1)];
      auto const a = items(from.keys, begin, middle), b = items(from.keys, middle, end);
      auto const out = items(to.keys, begin, end);
      if constexpr (is_nothing<Value>) onepass::merge(where, a, b, out, less);
      else
        onepass::merge_by_key(where, a, items(from.values, begin, middle), b, items(from.values, middle, end), out,
                              items(to.values, begin, end), less);
      merged.push_back(end);
    }
    runs = merged;
  }
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
