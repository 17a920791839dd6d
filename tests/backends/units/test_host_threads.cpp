// SPDX-License-Identifier: Apache-2.0
// Threads of a call on a space that may run its kernels later.
#include <onepass/portability.hpp>

template <>
inline constexpr bool onepass::runs_at_once<Kokkos::DefaultHostExecutionSpace> = false;

#include <onepass/backends/host/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string_view>

namespace {

std::atomic<int> fences = 0;

TEST(host_threads, are_waited_for_where_kernels_run_later)
{
  std::atomic<int> done = 0;
  Kokkos::Tools::Experimental::set_begin_fence_callback([](char const* label, std::uint32_t, std::uint64_t*) {
    fences += std::string_view(label) == "onepass: threads have what is the call's";
  });
  onepass::backends::host::on_threads("threads", Kokkos::DefaultHostExecutionSpace(), 2, [&](int) { ++done; });
  Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
  EXPECT_EQ(done, 2);
  EXPECT_EQ(fences, 1);
}

}  // namespace
