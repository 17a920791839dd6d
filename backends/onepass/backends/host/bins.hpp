// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/bins.hpp>
#include <onepass/place.hpp>

#include <algorithm>

namespace onepass::backends::host {

/// Every thread counts its stretch in tables of its own, four where they are small, so that equal neighbours do not wait
/// for one another; then the threads share the bins and add up.
template <class Exec, bin_program Program, class Tuning>
void run(place<Exec, host_backend, Tuning> const& where, Program const& given, item_count count, workspace<Exec>& scratch)
{
  static_assert(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible, "onepass: the host backend runs on host spaces");
  const extent n = count(), bins = given.bins();
  const extent threads = std::min<extent>(where.space.concurrency(), n / (std::is_same_v<Tuning, tiny_tuning> ? 4 : 32768) + 1);
  const extent copies  = bins <= 4096 ? 4 : 1;
  auto* const  tables  = reinterpret_cast<std::uint64_t*>(scratch.plain(std::size_t(threads * copies * bins) * sizeof(std::uint64_t)));
  const auto   part    = [=](extent of, extent t) { return of / threads * t + of % threads * t / threads; };
  const auto   on_all  = [&](char const* what, auto const& work) {
    Kokkos::parallel_for(where.label + what, Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(where.space, 0, int(threads)), work);
  };
  on_all(" (count)", [=](int t) {
    const Program program = given;
    const auto    in      = program.input();
    auto* const   table   = tables + t * copies * bins;
    std::fill_n(table, copies * bins, std::uint64_t(0));
    const auto add = [&](extent i) {
      if (const extent b = program.bin(in(i)); b >= 0 && b < bins) ++table[i % copies * bins + b];
    };
    for (extent i = part(n, t); i < part(n, t + 1); ++i) add(i);
  });
  on_all(" (add up)", [=](int t) {
    const auto counts = given.counts();
    for (extent b = part(bins, t); b < part(bins, t + 1); ++b) {
      std::uint64_t sum = 0;
      for (extent c = 0; c < threads * copies; ++c) sum += tables[c * bins + b];
      counts(b) = static_cast<count_of_bin<Program>>(sum);
    }
  });
}

}  // namespace onepass::backends::host
