// SPDX-License-Identifier: Apache-2.0
// Launches of kernels that take much shared memory (backends/cuda/device.hpp).
#include "kernel_log.hpp"
#include "row.hpp"

#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/run.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

using namespace test;

namespace {

/// Has so many static bytes. Adds up what it wrote to the first and last bytes of both kinds.
template <int Static>
__global__ void touch_ends(int* sum, int bytes)
{
  __shared__ char own[Static];
  extern __shared__ char memory[];
  onepass::backends::cuda::begin_kernel();
  own[0] = 1, own[Static - 1] = 2, memory[0] = 3, memory[bytes - 1] = 4;
  *sum = own[0] + own[Static - 1] + memory[0] + memory[bytes - 1];
}

template <int Static>
int launched_with(int bytes)
{
  exec_space const exec;
  Kokkos::View<int, exec_space::memory_space> const sum("sum");
  onepass::backends::cuda::launch(exec, "touch_ends", touch_ends<Static>, 1, 1, std::size_t(bytes), sum.data(), bytes);
  int made = 0;
  Kokkos::deep_copy(made, sum);
  return made;
}

TEST(launches, ask_for_what_is_more_than_48_KiB_with_static_memory)
{
  for (int const bytes : {20 * 1024, 32 * 1024, 40 * 1024, 48 * 1024}) EXPECT_EQ(launched_with<16500>(bytes), 10);
  for (int const bytes : {17 * 1024, 200 * 1024, 48 * 1024}) EXPECT_EQ(launched_with<32000>(bytes), 10);
}

TEST(launches, of_several_threads_do_not_take_memory_from_each_other)
{
  EXPECT_EQ(launched_with<100>(200 * 1024), 10);
  std::thread([] { EXPECT_EQ(launched_with<100>(60 * 1024), 10); }).join();
  EXPECT_EQ(launched_with<100>(200 * 1024), 10);
}

TEST(launches, that_fail_leave_no_error_behind)
{
  EXPECT_THROW(launched_with<100>(1 << 20), std::runtime_error);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(launched_with<100>(100), 10);
}

/// What Kokkos tells of its default device is told of each device by itself.
TEST(launches, know_their_devices)
{
  exec_space const exec;
  auto const& known = onepass::backends::cuda::card_of(exec);
  auto const& told  = exec.cuda_device_prop();
  EXPECT_EQ(known.major, told.major);
  EXPECT_EQ(known.multiprocessors, told.multiProcessorCount);
  EXPECT_EQ(known.most_shared, told.sharedMemPerBlockOptin);
}

/// A workspace that is handed to another instance grows there: its words are cleared where the call's kernels follow.
TEST(launches, that_clear_a_workspace_are_on_the_instance_of_the_call)
{
  auto const instances = Kokkos::Experimental::partition_space(exec_space{}, 1, 1);
  onepass::workspace<exec_space> scratch(instances[0], 1000);
  Kokkos::fence();
  kernel_log const log;
  onepass::with_workspace(onepass::on(instances[1]).with(scratch), "call",
                          [](auto const&, auto& memory) { memory.reserve(100000); });
  EXPECT_FALSE(log.kernels.empty());
  for (auto const& kernel : log.kernels) EXPECT_EQ(kernel.device, kernel_log::device_of(instances[1])) << kernel.label;
}

}  // namespace
