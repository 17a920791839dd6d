// SPDX-License-Identifier: Apache-2.0
// Kokkos::BinSort: a bin a cell, and a call for each array, which sorts in place, so it is copied before. Not stable.
// Offsets and permutation are its own Views; they are copied to the race's so that they can be checked, and that is
// timed with it.
#include "problem.hpp"

#include <Kokkos_Sort.hpp>

namespace perf {

namespace {

using keys_of_bins = Kokkos::View<u32 const*, space>;

struct bin_of_cell {
  int bins;

  int max_bins() const { return bins; }
  template <class Keys>
  KOKKOS_FUNCTION int bin(Keys const& keys, std::int64_t const& i) const
  {
    return int(keys(i));
  }
  template <class Keys, class A, class B>
  KOKKOS_FUNCTION bool operator()(Keys const&, A const&, B const&) const
  {
    return false;
  }
};

entry const kokkos_bins{"kokkos.bin_sort", [](race const& r) -> call {
                          return once_copied(r, [=] {
                            using sorter = Kokkos::BinSort<keys_of_bins, bin_of_cell, space, u32>;
                            auto const n = std::size_t(r.items);
                            keys_of_bins const keys(cells_in(r));
                            sorter sort(space(), keys, 0, u32(n), bin_of_cell{int(cells_of(r))}, false);
                            sort.create_permute_vector(space());
                            auto const begins = offsets_out(r);
                            auto const bins   = sort.get_bin_offsets();
                            Kokkos::deep_copy(space(), Kokkos::subview(begins, std::pair(std::size_t(0), bins.size())),
                                              bins);
                            Kokkos::deep_copy(space(), Kokkos::subview(begins, bins.size()), u32(n));
                            Kokkos::deep_copy(space(), permutation_out(r), sort.get_permute_vector());
                            if (!moves_arrays(r)) return;
                            for (int a = 0; a < arrays; ++a) {
                              auto const moved = array_out(r, a);
                              if (!moves_in_place(r)) Kokkos::deep_copy(space(), moved, array_in(r, a));
                              sort.sort(space(), moved, 0, u32(n));
                            }
                          });
                        }};

}  // namespace

}  // namespace perf
