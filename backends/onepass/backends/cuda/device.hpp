// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

#include <atomic>
#include <stdexcept>
#include <string>

namespace onepass::backends::cuda {

inline void check(cudaError_t status, std::string const& what)
{
  if (status != cudaSuccess) throw std::runtime_error("onepass: " + what + ": " + cudaGetErrorString(status));
}

/// Queues a kernel on the instance's device and stream, and announces it to Kokkos Tools as Kokkos' own kernels are.
template <class... Parameters, class... Arguments>
void launch(Kokkos::Cuda const& exec, std::string const& label, void (*kernel)(Parameters...), int blocks, int threads,
            std::size_t shared, Arguments const&... arguments)
{
  const int device = exec.cuda_device();
  check(cudaSetDevice(device), label + ": selecting the device");
  if (shared > 48 * 1024)
    check(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)),
          label + ": asking for " + std::to_string(shared) + " bytes of shared memory");

  std::uint64_t  announced = 0;
  const bool     tools     = Kokkos::Profiling::profileLibraryLoaded();
  if (tools) Kokkos::Profiling::beginParallelFor(label, Kokkos::Profiling::Experimental::device_id(exec), &announced);
  kernel<<<unsigned(blocks), unsigned(threads), shared, exec.cuda_stream()>>>(arguments...);
  const auto status = cudaGetLastError();
  if (tools) Kokkos::Profiling::endParallelFor(announced);
  check(status, label + ": launch");
}

}  // namespace onepass::backends::cuda
