// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/top_k.hpp>

#include <numeric>

// Rows for selections by rank, of all items, and of the rows of a matrix that they make.
namespace tools {

/// The places of the k first of n items, in order.
template <class T>
std::vector<u32> first_places(T const* items, std::size_t n, std::size_t k, bool descending = false)
{
  std::vector<u32> order(n);
  std::iota(order.begin(), order.end(), u32(0));
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(k), order.end(), [=](u32 a, u32 b) {
    if (items[a] != items[b]) return (items[a] < items[b]) != descending;
    return a < b;
  });
  order.resize(k);
  return order;
}

/// The k first of rows of so many items each.
template <class T>
void top_k_of_rows(session& s, u64 columns, u64 k)
{
  auto items = s.items<T>();
  items.resize(items.size() / columns * columns);
  auto const rows = items.size() / columns;
  std::vector<T> keys;
  std::vector<u32> order;
  for (u64 r = 0; r < rows; ++r)
    for (auto const c : first_places(items.data() + r * columns, columns, k)) {
      order.push_back(c);
      keys.push_back(items[r * columns + c]);
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
        auto const k     = onepass::extent(items.size() / share);
        auto const order = first_places(items.data(), items.size(), std::size_t(k), descending);
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
