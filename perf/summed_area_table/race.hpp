// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/race.hpp"

#include <cmath>

// Races of summed-area tables. Images have `items` pixels in 2^k rows, at most as many as columns. A pixel is the
// product of a number for its row and one for its column, so the table is the product of the sums of these. Primitives:
// table; and the stages of the classic pipeline, rows (each row summed alone) and transpose (of the table's type).
namespace perf {

struct image_of_race {
  std::int64_t rows, columns;

  explicit image_of_race(std::int64_t items)
      : rows(std::int64_t(1) << int(std::floor(std::log2(std::sqrt(double(items))))))
      , columns(items / rows)
  {}

  std::int64_t pixels() const { return rows * columns; }

  /// The number for a row or a column: 0 to 15.
  KOKKOS_FUNCTION static std::uint32_t factor(std::int64_t i)
  {
    return std::uint32_t((std::uint64_t(i) * 0x9e3779b97f4a7c15u) >> 60);
  }
};

/// The type in which a table of T is summed.
template <class T>
using sum_type = std::conditional_t<std::is_floating_point_v<T>, double, std::uint32_t>;

template <class T>
using image_view = Kokkos::View<T const**, Kokkos::LayoutRight, space, Kokkos::MemoryUnmanaged>;
template <class T>
using table_view = Kokkos::View<sum_type<T>**, Kokkos::LayoutRight, space, Kokkos::MemoryUnmanaged>;

template <class T>
image_view<T> image(race const& r)
{
  image_of_race const of(r.items);
  return image_view<T>(static_cast<T const*>(r.in[0]), std::size_t(of.rows), std::size_t(of.columns));
}
/// The input of transpose.
template <class T>
image_view<sum_type<T>> tall(race const& r)
{
  image_of_race const of(r.items);
  return image_view<sum_type<T>>(static_cast<sum_type<T> const*>(r.in[1]), std::size_t(of.rows),
                                 std::size_t(of.columns));
}
template <class T>
table_view<T> table(race const& r, bool on_its_side = false)
{
  image_of_race const of(r.items);
  return table_view<T>(static_cast<sum_type<T>*>(r.out[0]), std::size_t(on_its_side ? of.columns : of.rows),
                       std::size_t(on_its_side ? of.rows : of.columns));
}

}  // namespace perf
