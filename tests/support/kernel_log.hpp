// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/crowd.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace test {

/// Records Kokkos' events (kernels, allocations, frees, copies, fences) while it exists, by the Kokkos Tools interface.
/// Only one may exist at a time.
class kernel_log {
public:
  struct kernel {
    std::string label;
    std::uint32_t device;  ///< Kokkos' id of an instance: device_of(exec)
  };

  kernel_log()
  {
    namespace tools = Kokkos::Tools::Experimental;
    open_           = this;
    tools::set_begin_parallel_for_callback(begin_kernel);
    tools::set_begin_parallel_scan_callback(begin_kernel);
    tools::set_begin_parallel_reduce_callback(begin_kernel);
    tools::set_begin_fence_callback(begin_fence);
    tools::set_allocate_data_callback(allocate);
    tools::set_deallocate_data_callback(deallocate);
    tools::set_begin_deep_copy_callback(begin_copy);
  }
  ~kernel_log()
  {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(nullptr);
    tools::set_begin_parallel_scan_callback(nullptr);
    tools::set_begin_parallel_reduce_callback(nullptr);
    tools::set_begin_fence_callback(nullptr);
    tools::set_allocate_data_callback(nullptr);
    tools::set_deallocate_data_callback(nullptr);
    tools::set_begin_deep_copy_callback(nullptr);
    open_ = nullptr;
  }
  kernel_log(kernel_log const&)            = delete;
  kernel_log& operator=(kernel_log const&) = delete;

  template <class Exec>
  static std::uint32_t device_of(Exec const& exec)
  {
    return Kokkos::Tools::Experimental::device_id(exec);
  }

  std::vector<kernel> kernels;
  std::vector<std::string> fences, allocations, frees, copies;

private:
  static void begin_kernel(char const* label, std::uint32_t device, std::uint64_t* id)
  {
    *id = 0;
    open_->kernels.push_back({label, device});
  }
  static void begin_fence(char const* label, std::uint32_t, std::uint64_t* id)
  {
    *id                    = 0;
    std::string const what = label;  // Kokkos itself fences before it reports a kernel
    if (what.find("Kokkos Profile Tool Fence") == std::string::npos) open_->fences.push_back(what);
  }
  static void allocate(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes)
  {
    if (bytes > 0) open_->allocations.push_back(label);  // before every team kernel, Kokkos allocates 0 bytes
  }
  static void deallocate(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes)
  {
    if (bytes > 0) open_->frees.push_back(label);
  }
  static void begin_copy(Kokkos_Profiling_SpaceHandle, char const* label, void const*, Kokkos_Profiling_SpaceHandle,
                         char const*, void const*, std::uint64_t)
  {
    open_->copies.push_back(label);
  }

  static inline kernel_log* open_ = nullptr;
};

/// Checks that there were no allocations, copies and fences, and that all kernels were on the instance. Kokkos' own
/// host spaces fence at will: if they run the kernels themselves, `fences_count` is false.
template <class Exec>
void expect_discipline(kernel_log const& log, Exec const& exec, bool fences_count = true)
{
  if (fences_count) { EXPECT_EQ(log.fences, std::vector<std::string>{}); }
  EXPECT_EQ(log.allocations, std::vector<std::string>{});
  EXPECT_EQ(log.copies, std::vector<std::string>{});
  for (auto const& kernel : log.kernels) EXPECT_EQ(kernel.device, kernel_log::device_of(exec)) << kernel.label;
}

/// Calls twice, and checks the same of the second time: the workspace has grown in the first. Every kernel's label has
/// the given one in it.
template <class Exec, class Call>
void expect_discipline_of(Call const& call, Exec const& exec, std::string const& label = "", bool fences_count = true)
{
  onepass::backends::host::crowd::rest const rest;
  call();
  Kokkos::fence();
  kernel_log const log;
  call();
  expect_discipline(log, exec, fences_count);
  for (auto const& kernel : log.kernels) EXPECT_NE(kernel.label.find(label), std::string::npos) << kernel.label;
}

}  // namespace test
