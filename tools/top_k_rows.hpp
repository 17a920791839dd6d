// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/top_k.hpp>

#include <numeric>

// Rows for selections by rank, of all items, and of the rows of a matrix that they make.
namespace tools {

/// The k first of rows of so many items each.
template <class T>
void top_k_of_rows(session& s, u64 columns, u64 k)
{
  auto items = s.items<T>();
  items.resize(items.size() / columns * columns);
  auto const rows = items.size() / columns;
  std::vector<T> keys;
  std::vector<u32> order, at(columns);
  for (u64 r = 0; r < rows; ++r) {
    auto const* row = items.data() + r * columns;
    std::iota(at.begin(), at.end(), u32(0));
    std::partial_sort(at.begin(), at.begin() + std::ptrdiff_t(k), at.end(),
                      [=](u32 a, u32 b) { return row[a] != row[b] ? row[a] < row[b] : a < b; });
    order.insert(order.end(), at.begin(), at.begin() + std::ptrdiff_t(k));
    for (u64 i = 0; i < k; ++i) keys.push_back(row[at[i]]);
  }
  row names{"", std::to_string(k) + " of rows of " + std::to_string(columns), type_name<T>};
  names.items = items.size();
  rows_of(
      s, names, "top_k", inputs(items), parts(part(keys, keys), part(order, order)),
      [=](auto const& place, auto const& in, auto const& first, auto const& indices, auto const&) {
        auto const matrix = [&](auto const& all, u64 width) {
          using item = typename std::remove_cvref_t<decltype(all)>::value_type;
          return Kokkos::View<item**, Kokkos::LayoutRight, typename std::remove_cvref_t<decltype(all)>::memory_space,
                              Kokkos::MemoryUnmanaged>(all.data(), std::size_t(rows), std::size_t(width));
        };
        onepass::top_k(place, matrix(in, columns), onepass::extent(k), matrix(first, k), matrix(indices, k));
      },
      all_backends);
}

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
  top_k_of_rows<T>(s, 100, 7);
  top_k_of_rows<T>(s, 3000, 40);
  top_k_of_rows<T>(s, 1000, 200);
}

}  // namespace tools
