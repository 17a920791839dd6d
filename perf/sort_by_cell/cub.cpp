// SPDX-License-Identifier: Apache-2.0
// CUB's stable sort of cells with positions, a kernel that finds where cells begin, and one that gathers all arrays, in
// place after a copy; temporary storage allocated before.
#include "harness/cub_call.hpp"
#include "problem.hpp"

#include <cub/device/device_radix_sort.cuh>

#include <bit>

namespace perf {

namespace {

struct number {
  u32* at;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { at[i] = u32(i); }
};
/// Item i of the sorted cells writes the offsets of its cell and of the empty ones before.
struct begin_cells {
  u32 const* sorted;
  u32* offsets;
  std::int64_t items, cells;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    std::int64_t const here = i < items ? sorted[i] : cells, before = i ? std::int64_t(sorted[i - 1]) : -1;
    for (std::int64_t c = before + 1; c <= here; ++c) offsets[c] = u32(i);
  }
};
struct gather {
  u32 const* permutation;
  f64 const* from;
  f64* to;
  std::int64_t items;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    f64 moved[arrays];
    for (int a = 0; a < arrays; ++a) moved[a] = from[a * items + permutation[i]];
    for (int a = 0; a < arrays; ++a) to[a * items + i] = moved[a];
  }
};

entry const cub_sort{
    "cub", [](race const& r) -> call {
      Kokkos::View<u32*, space> const sorted("cub", std::size_t(r.items)), from("cub", std::size_t(r.items));
      auto const range = [](std::int64_t n) {
        return Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n);
      };
      Kokkos::parallel_for("number", range(r.items), number{from.data()});
      auto const cells = cells_in(r);
      auto const order = permutation_out(r);
      int const bits   = int(std::bit_width(std::uint64_t(cells_of(r) - 1)));
      auto const sort  = cub_call([=, n = r.items](void* storage, std::size_t& bytes, cudaStream_t stream) {
        cub::DeviceRadixSort::SortPairs(storage, bytes, cells.data(), sorted.data(), from.data(), order.data(), n, 0,
                                         bits, stream);
      });
      Kokkos::View<f64*, space> const spare("cub", moves_in_place(r) ? std::size_t(arrays * r.items) : 0);
      return once_copied(r, [=] {
        sort();
        Kokkos::parallel_for("begin", range(r.items + 1),
                             begin_cells{sorted.data(), offsets_out(r).data(), r.items, cells_of(r)});
        if (!moves_arrays(r)) return;
        f64* const to   = array_out(r, 0).data();
        f64 const* from = array_in(r, 0).data();
        if (moves_in_place(r)) {
          Kokkos::deep_copy(space(), spare, output_view<f64>(to, spare.size()));
          from = spare.data();
        }
        Kokkos::parallel_for("gather", range(r.items), gather{order.data(), from, to, r.items});
      });
    }};

}  // namespace

}  // namespace perf
