// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/sums.hpp>

#include <Kokkos_Core.hpp>

namespace onepass::ONEPASS_ABI::backends {

/// Queues what adds items in the order of parts: add(stretches) for about so many teams, and what readies and ends the
/// parts that their borders cut.
template <class Place, parted_sum_program Program, class Add>
void add_stretches(Place const& where, Program const& program, extent teams, int threads, Add const& add)
{
  extent const step = extent(sum_unit<Program>::items) * threads;
  part_stretches<Program> const all{program, div_up(div_up(program.size(), teams), step) * step};
  auto const each_cut = [&](auto const& bins) {
    using policy = Kokkos::RangePolicy<std::remove_cvref_t<decltype(where.space)>, Kokkos::IndexType<extent>>;
    if (extent const n = bins.number(); n > 0)
      Kokkos::parallel_for(where.label + " (cut parts)", policy(where.space, 0, n), bins);
  };
  each_cut(each_cut_bin<Program, false>{all});
  add(all);
  each_cut(each_cut_bin<Program, true>{all});
}

}  // namespace onepass::ONEPASS_ABI::backends
