// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rivals.hpp"

#include <onepass/summed_area_table.hpp>

namespace perf::hunt {

/// u8 into u32, f32 into f64, all others into themselves.
template <class T>
using table_sum = std::conditional_t<std::is_floating_point_v<T>, double, std::conditional_t<sizeof(T) == 8, u64, u32>>;

/// The items as an image.
template <class Items>
auto image_of(Items const& items, std::int64_t rows, std::int64_t columns)
{
  using value = typename Items::value_type;
  return Kokkos::View<value**, Kokkos::LayoutRight, space, Kokkos::MemoryUnmanaged>(items.data(), std::size_t(rows),
                                                                                    std::size_t(columns));
}

/// Sums each row, then adds the row above.
template <class T>
void table_by_loop(T const* in, table_sum<T>* out, std::int64_t rows, std::int64_t columns)
{
  for (std::int64_t y = 0; y < rows; ++y) {
    table_sum<T> sum = 0;
    auto const* from = in + y * columns;
    auto* to         = out + y * columns;
    for (std::int64_t x = 0; x < columns; ++x) to[x] = sum += static_cast<table_sum<T>>(from[x]);
    if (y > 0)
      for (std::int64_t x = 0; x < columns; ++x) to[x] += to[x - columns];
  }
}

/// One thread per row, then one per column.
template <class T>
struct add_up_row {
  device_items<T> in;
  device_items<table_sum<T>> out;
  std::int64_t columns;
  KOKKOS_FUNCTION void operator()(std::int64_t y) const
  {
    table_sum<T> sum = 0;
    for (auto i = y * columns; i < (y + 1) * columns; ++i) out(i) = sum += static_cast<table_sum<T>>(in(i));
  }
};
template <class S>
struct add_up_column {
  device_items<S> table;
  std::int64_t rows, columns;
  KOKKOS_FUNCTION void operator()(std::int64_t x) const
  {
    for (auto i = x + columns; i < rows * columns; i += columns) table(i) += table(i - columns);
  }
};

template <class T>
void make_summed_area_table(trial& t, std::int64_t rows, std::int64_t columns, std::int64_t in_begin,
                            std::int64_t out_begin)
{
  using sum        = table_sum<T>;
  auto const n     = rows * columns;
  auto const items = items_made<T>(n, [](std::int64_t i) { return summand<T>(mixed(std::uint64_t(i))); });
  std::vector<sum> wanted(items.size());
  table_by_loop(items.data(), wanted.data(), rows, columns);
  auto const in    = t.input(items, in_begin);
  auto const out   = t.output(wanted, n, out_begin);
  auto const image = image_of(in, rows, columns);
  auto const table = image_of(out, rows, columns);

  enter_onepass(t, [=](auto const& place) { onepass::summed_area_table(place, image, table); });
  add_up_row<T> const sum_row{in, out, columns};
  add_up_column<sum> const sum_column{out, rows, columns};
  t.enter("kokkos.rows_and_columns", [=] {
    Kokkos::parallel_for("rows", range(0, rows), sum_row);
    Kokkos::parallel_for("columns", range(0, columns), sum_column);
  });
#ifndef KOKKOS_ENABLE_CUDA
  t.enter("loop", [=] { table_by_loop(in.data(), out.data(), rows, columns); });
#endif
}

template <class T>
drawn draw_summed_area_table(dice const& d)
{
  auto const n       = d.items();
  auto const columns = std::min(n, d.up_to_power("columns", 16));
  auto const rows    = n / columns;
  auto const in = d.begin("in"), out = d.begin("out");
  return {rows * columns, text(rows, " x ", columns, " in+", in, " out+", out),
          std::size_t(n) * (sizeof(T) + 3 * sizeof(table_sum<T>)),
          [=](trial& t) { make_summed_area_table<T>(t, rows, columns, in, out); }};
}

}  // namespace perf::hunt
