// SPDX-License-Identifier: Apache-2.0
// What calls over ranks run on a device: local calls, whose kernels have files of their own, and some small ones.
#include <onepass/ranks/dealt.hpp>
#include <onepass/ranks/histogram.hpp>
#include <onepass/ranks/peers.hpp>
#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/repartition.hpp>
#include <onepass/ranks/runs.hpp>
#include <onepass/ranks/scan.hpp>
#include <onepass/ranks/segmented.hpp>
#include <onepass/ranks/select.hpp>
#include <onepass/ranks/sort.hpp>
#include <onepass/ranks/sort_by_cell.hpp>
#include <onepass/ranks/top_k.hpp>

using items = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using sums  = Kokkos::View<float*, Kokkos::CudaSpace>;
using carry = Kokkos::View<std::uint32_t, Kokkos::CudaSpace>;

namespace ranks = onepass::ranks;

void over_ranks(ranks::transport& all, Kokkos::Cuda const& exec, items in, items out, sums floats, carry before)
{
  ranks::exclusive_scan(all, exec, in, out);
  ranks::inclusive_scan(all, onepass::canonically(exec), floats, floats);
  ranks::exclusive_scan_apart(all, exec, in, out, before);
  onepass::reduce(exec, ranks::carried(out, before), before);
  static_assert(onepass::dealt_tile<ranks::detail::dealt_program<false, items, items, onepass::plus>, Kokkos::Cuda>()
                > 0);
  ranks::exclusive_scan_dealt(all, exec, in, out, ranks::dealt_run(exec, in, out));
  ranks::inclusive_scan_dealt(all, exec, floats, floats, 1024, onepass::maximum{}, 1.f);
  auto const scan = ranks::inclusive_scan(ranks::nonblocking(all), exec, in, out);
  ranks::histogram(ranks::nonblocking(all), exec, in, out, onepass::unchanged{}).wait();
  ranks::histogram(all, exec, in, out, onepass::unchanged{});
  ranks::run_length_encode(all, exec, in, out, out);
  ranks::segmented_reduce(all, exec, in, in, out);
  ranks::repartition(all, exec, in, out);
  ranks::radix_sort(all, exec, in, out);
  ranks::sort_by_cell(all, exec, in, out).move(in, out);
}
