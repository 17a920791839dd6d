// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "keys.hpp"
#include "matrix.hpp"
#include "rivals.hpp"

#include <onepass/top_k.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_segmented_sort.cuh>
#endif

namespace perf::hunt {

/// Counts keys of rows that are not those of the wanted ranks.
template <class T>
struct unexpected_of_rows {
  T const *got, *wanted;
  std::int64_t k, columns;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    count += !(got[i / k * columns + i % k] == wanted[i]);
  }
};

/// Of each row a copy whose k smallest keys come first, by the host's threads.
template <class View, class T>
void sort_rows_partially(View const& v, T* out, std::int64_t k)
{
  using threads      = Kokkos::DefaultHostExecutionSpace;
  using policy       = Kokkos::RangePolicy<threads, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  auto const columns = std::int64_t(v.extent(1));
  Kokkos::parallel_for("sort", policy(0, std::int64_t(v.extent(0))), [=](std::int64_t r) {
    T* const to = out + r * columns;
    for (std::int64_t c = 0; c < columns; ++c) to[c] = v(r, c);
    std::partial_sort(to, to + k, to + columns);
  });
  threads().fence("hunt: rows are sorted");
}

/// The k smallest keys of each row. CUB, which selects none, sorts the rows that follow each other.
template <class T>
void make_top_k_rows(trial& t, std::int64_t k, keys const& all, matrix_shape const& shape)
{
  auto items        = all.items<T>(shape.items());
  auto const memory = t.input(shape.laid_out(items));
  auto const rows = shape.rows, columns = shape.columns;
  std::vector<T> smallest;
  for (std::int64_t r = 0; r < rows; ++r) {
    auto const first = items.begin() + r * columns;
    std::partial_sort(first, first + k, first + columns);
    smallest.insert(smallest.end(), first, first + k);
  }
  auto const wanted = t.input(smallest);
  auto const out    = t.unchecked_output<T>(shape.items());
  t.check([=] { return count_of(rows * k, unexpected_of_rows<T>{out.data(), wanted.data(), k, columns}) == 0; });

  Kokkos::View<T**, Kokkos::LayoutRight, space, Kokkos::MemoryUnmanaged> const sorted(out.data(), std::size_t(rows),
                                                                                      std::size_t(columns));
  auto const first = Kokkos::subview(sorted, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(0, k));
  shape.with_view(memory, [&](auto const& v) {
    enter_onepass(t, [=](auto const& place) { onepass::top_k(place, v, k, first); });
#ifdef KOKKOS_ENABLE_CUDA
    if (!shape.left && shape.rim == 0) {
      std::vector<u32> bounds;
      for (std::int64_t r = 0; r <= rows; ++r) bounds.push_back(u32(r * columns));
      auto const offsets = t.input(bounds);
      enter_cub(t, [=, n = rows * columns](void* storage, std::size_t& bytes, cudaStream_t stream) {
        cub::DeviceSegmentedSort::SortKeys(storage, bytes, v.data(), out.data(), n, rows, offsets.data(),
                                           offsets.data() + 1, stream);
      });
    }
#else
    t.enter("std.partial_sort by kokkos", [=] { sort_rows_partially(v, out.data(), k); });
#endif
  });
}

template <class T>
drawn draw_top_k_rows(dice const& d)
{
  auto const n = d.items();
  matrix_shape const shape(d, n);
  auto const k = std::min(shape.columns, d.up_to_power("k", d.chance("many", 20) ? 12 : 6));
  keys const all(d);
  return {shape.items(), text(k, " of rows of ", shape.text(), " ", all.shape()),
          4 * std::size_t(shape.room()) * (sizeof(T) + 4), [=](trial& t) { make_top_k_rows<T>(t, k, all, shape); }};
}

}  // namespace perf::hunt
