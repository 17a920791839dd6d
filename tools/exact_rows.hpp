// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"
#include "segmented_rows.hpp"

#include <onepass/exact_sum.hpp>
#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/scatter.hpp>
#include <onepass/segmented.hpp>

#include <cmath>

// Rows for sums of floats that are rounded once, whose bits are the same on every machine.
namespace tools {

/// Numbers over 130 binades, too many for three doubles, as the file's bytes say.
template <class T>
std::vector<T> rough_numbers(session& s)
{
  std::vector<T> numbers;
  for (u32 const word : s.items<u32>()) {
    int const power = word % 1009 == 0 ? 30 : int(word % 100) - 80;
    numbers.push_back(std::ldexp(T(i32(word)), power));
  }
  return numbers;
}

/// The sums of the numbers of each group, rounded once; `before` precedes each.
template <class T>
std::vector<T> sums_of_groups(std::vector<T> const& numbers, std::vector<u32> const& groups, std::size_t count,
                              T before = 0)
{
  std::vector<onepass::long_sum<>> sums(count, onepass::long_sum<>::zero());
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[groups[i]].add(numbers[i]);
  std::vector<T> rounded;
  for (auto& sum : sums) {
    sum.add(before);
    rounded.push_back(sum.template round_to<T>());
  }
  return rounded;
}

template <class T>
void exact_rows(session& s)
{
  auto const numbers  = rough_numbers<T>(s);
  std::size_t const n = numbers.size();
  row const names{"", "exact", type_name<T>};
  auto const total = sums_of_groups(numbers, std::vector<u32>(n, 0), 1);
  rows_of(s, names, "reduce", inputs(numbers), parts(part(total, total)),
          [](auto const& place, auto const& in, auto const& out, auto const&) {
            onepass::reduce(onepass::exactly(place), in, Kokkos::subview(out, 0));
          });
  auto squares = onepass::long_sum<true>::zero();
  for (T const x : numbers) squares.add(onepass::float_product{x, x});
  std::vector<T> const square{squares.template round_to<T>()};
  rows_of(s, names, "dot", inputs(numbers), parts(part(square, square)),
          [](auto const& place, auto const& in, auto const& out, auto const&) {
            onepass::dot(onepass::exactly(place), in, in, Kokkos::subview(out, 0));
          });

  auto const offsets = uneven_offsets(n, s.file());
  std::vector<u32> keys;
  std::vector<u32> heads;
  for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
    keys.insert(keys.end(), offsets[g + 1] - offsets[g], u32(g));
    if (offsets[g] < offsets[g + 1]) heads.push_back(u32(g));
  }
  auto const sums = sums_of_groups(numbers, keys, offsets.size() - 1);
  std::vector<T> sums_of_runs;
  for (u32 const head : heads) sums_of_runs.push_back(sums[head]);
  rows_of(s, names, "segmented_reduce", inputs(numbers, offsets), parts(part(sums, sums)),
          [](auto const& place, auto const& in, auto const& bounds, auto const& out, auto const&) {
            onepass::segmented_reduce(onepass::exactly(place), in, bounds, out);
          });
  rows_of(s, names, "reduce_by_key", inputs(keys, numbers),
          parts(heads.size(), part(heads, keys), part(sums_of_runs, keys)),
          [](auto const& place, auto const& key, auto const& in, auto const& out, auto const& sum,
             auto const& counted) { onepass::reduce_by_key(onepass::exactly(place), key, in, out, sum, counted); });

  std::size_t const bins = 100;
  std::vector<u32> indices;
  for (std::size_t i = 0; i < n; ++i) indices.push_back(u32(std::size_t(s.file()[i % s.file().size()]) % bins));
  auto const added = sums_of_groups(numbers, indices, bins);
  std::vector<T> gathered;
  for (u32 const index : indices) gathered.push_back(added[index]);
  rows_of(
      s, names, "scatter_add", inputs(numbers, indices), parts(part(added, added)),
      [](auto const& place, auto const& in, auto const& where, auto const& out, auto const&) {
        Kokkos::deep_copy(place.space, out, T(0));
        onepass::scatter_add(place, in, where, out);
      },
      all_backends);
  rows_of(
      s, names, "gather", inputs(added, indices), parts(part(gathered, gathered)),
      [](auto const& place, auto const& in, auto const& where, auto const& out, auto const&) {
        onepass::gather(place, in, where, out);
      },
      all_backends);
}

}  // namespace tools
