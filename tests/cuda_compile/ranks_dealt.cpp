// SPDX-License-Identifier: Apache-2.0
// Scans of dealt items, with an identity and without, and the one pass over the boards of several devices.
#include <onepass/ranks/dealt.hpp>

#include "../support/affine.hpp"

using items = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using wide  = Kokkos::View<double*, Kokkos::CudaSpace>;
using maps  = Kokkos::View<test::affine*, Kokkos::CudaSpace>;

void dealt_over_ranks(onepass::ranks::transport& all, Kokkos::Cuda const& exec, items in, items out, wide floats,
                      maps apart)
{
  onepass::extent const run = onepass::ranks::dealt_run(exec, in, out);
  static_assert(
      onepass::dealt_tile<onepass::ranks::detail::dealt_program<false, items, items, onepass::plus>, Kokkos::Cuda>()
      > 0);
  onepass::ranks::exclusive_scan_dealt(all, exec, in, out, run);
  onepass::ranks::inclusive_scan_dealt(all, exec, floats, floats, run, onepass::plus{}, 1.0);
  onepass::ranks::inclusive_scan_dealt(all, exec, apart, apart, run, test::compose{});
  onepass::ranks::exclusive_scan_dealt(all, onepass::canonically(exec), in, out, run);
}
