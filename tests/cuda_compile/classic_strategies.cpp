// SPDX-License-Identifier: Apache-2.0
// The kernels of the classic scans, with every network in each, in their longest tiles.
#include <onepass/classic/strategies.hpp>

namespace {

using item    = std::uint32_t;
using machine = onepass::classic::machine<Kokkos::Cuda, 36, onepass::contiguous<item const>, onepass::contiguous<item>,
                                          onepass::monoid<onepass::plus, item>>;

}  // namespace

void classic_scans(Kokkos::Cuda const& exec, machine const& all)
{
  all.queue<machine::reduce>(exec, "reduce", 1);
  all.queue<machine::scan>(exec, "scan", 1);
  all.queue<machine::spread>(exec, "spread", 1);
  all.queue<machine::chained>(exec, "chained", 1);
  all.queue<machine::ahead>(exec, "ahead", 1);
}
