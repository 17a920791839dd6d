// SPDX-License-Identifier: Apache-2.0
// std::partial_sort, and std::nth_element with a sort of what is before: pairs of item and position, on the calling
// thread.
#include "problem.hpp"

#include <algorithm>

namespace perf {

namespace {

template <class T>
struct placed {
  T item;
  u32 at;
  friend bool operator<(placed const& a, placed const& b)
  {
    return a.item < b.item || (a.item == b.item && a.at < b.at);
  }
};

template <class T, class First>
call with_pairs(race const& r, First const& first)
{
  auto const in   = input_of<T>(r);
  auto const keys = output_of<T>(r);
  auto const at   = output_of<u32>(r, 1);
  auto const k    = wanted(r);
  return [=, pairs = std::vector<placed<T>>(std::size_t(r.items))]() mutable {
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {in(i), u32(i)};
    first(pairs, k);
    for (std::int64_t i = 0; i < k; ++i) {
      keys(i) = pairs[std::size_t(i)].item;
      at(i)   = pairs[std::size_t(i)].at;
    }
  };
}

entry const partial{"std.partial_sort", [](race const& r) {
                      return with_type(item_types{}, r.type, [&](auto zero) {
                        return with_pairs<decltype(zero)>(r, [](auto& pairs, std::int64_t k) {
                          std::partial_sort(pairs.begin(), pairs.begin() + k, pairs.end());
                        });
                      });
                    }};
entry const nth{"std.nth_element", [](race const& r) {
                  return with_type(item_types{}, r.type, [&](auto zero) {
                    return with_pairs<decltype(zero)>(r, [](auto& pairs, std::int64_t k) {
                      if (k < std::int64_t(pairs.size()))
                        std::nth_element(pairs.begin(), pairs.begin() + k, pairs.end());
                      std::sort(pairs.begin(), pairs.begin() + k);
                    });
                  });
                }};

}  // namespace

}  // namespace perf
