// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/top_k.hpp>

#include <numeric>

// Rows for selections by rank.
namespace tools {

template <class T>
void top_k_rows(session& s)
{
  for (auto const& [name, items] :
       {std::pair{"bytes", s.items<T>()}, std::pair{"few-valued", few_valued(s.items<T>())}})
    for (bool const descending : {false, true})
      for (u64 const share : {1, 3, 100, 10000}) {
        auto const k = onepass::extent(items.size() / share);
        std::vector<u32> order(items.size());
        std::iota(order.begin(), order.end(), u32(0));
        std::partial_sort(order.begin(), order.begin() + k, order.end(), [&, from = items.data()](u32 a, u32 b) {
          if (from[a] != from[b]) return (from[a] < from[b]) != descending;
          return a < b;
        });
        order.resize(std::size_t(k));
        std::vector<T> keys;
        for (auto const i : order) keys.push_back(items[i]);
        row names{"",
                  std::string(name) + (descending ? ", descending, 1 / " : ", ascending, 1 / ") + std::to_string(share),
                  type_name<T>};
        names.items = items.size();
        rows_of(
            s, names, "top_k", inputs(items), parts(part(keys, keys), part(order, order)),
            [=](auto const& place, auto const& in, auto const& first, auto const& indices, auto const&) {
              onepass::top_k(place, in, k, first, indices, {.descending = descending});
            },
            all_backends);
      }
}

}  // namespace tools
