// SPDX-License-Identifier: Apache-2.0
// How a sort by plain Kokkos is shared out, of more items than memory here has.
#include <onepass/backends/kokkos/orders.hpp>
#include <onepass/programs/radix_sort.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using onepass::contiguous, onepass::extent, onepass::nothing;
using exec_space = Kokkos::DefaultHostExecutionSpace;
using program    = onepass::sort_program<contiguous<std::uint8_t const>, contiguous<std::uint8_t>, nothing, nothing,
                                      onepass::unchanged>;
using plan       = onepass::backends::kokkos::pass_plan<exec_space, program, onepass::measured_tuning>;

TEST(pass_plan, teams_count_their_parts_in_32_bits)
{
  exec_space const space;
  program const sort{{}, {}, {}, {}, {}, false, false, 0, 8};
  for (extent const each : {extent(1) << 20, extent(1) << 31, extent(1) << 32, extent(5) << 32}) {
    extent const n = each * space.concurrency();
    plan const made(space, sort, n);
    EXPECT_LT(made.stretch, extent(1) << 32) << n;
    EXPECT_GE(made.stretch * made.teams, n) << n;
  }
}

}  // namespace
