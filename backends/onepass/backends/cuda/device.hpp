// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

#include <atomic>
#include <stdexcept>
#include <string>

namespace onepass::ONEPASS_ABI::backends::cuda {

inline void check(cudaError_t status, std::string const& what)
{
  if (status != cudaSuccess) throw std::runtime_error("onepass: " + what + ": " + cudaGetErrorString(status));
}

/// Every kernel that launch() queues begins with this. On sm_90 and later a kernel may start before the previous one on
/// the stream has ended: here it waits for that end, and lets the next kernel start, unless there are more blocks than
/// multiprocessors: then blocks of the next kernel would crowd onto the multiprocessors whose blocks end first.
__device__ __forceinline__ void begin_kernel()
{
#if __CUDA_ARCH__ >= 900
  unsigned multiprocessors;
  asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
  if (gridDim.x <= multiprocessors) asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Queues a kernel on the instance's device and stream, and announces it to Kokkos Tools. The kernel calls
/// begin_kernel() before it touches memory, so that launches overlap (docs/decisions/0017-overlapped-launches.md).
template <class... Parameters, class... Arguments>
void launch(Kokkos::Cuda const& exec, std::string const& label, void (*kernel)(Parameters...), int blocks, int threads,
            std::size_t shared, Arguments const&... arguments)
{
  int const device = exec.cuda_device();
  check(cudaSetDevice(device), label + ": selecting the device");
  if (shared > 48 * 1024)
    check(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               int(shared)),
          label + ": asking for " + std::to_string(shared) + " bytes of shared memory");

  std::uint64_t announced = 0;
  bool const tools        = Kokkos::Profiling::profileLibraryLoaded();
  if (tools) Kokkos::Profiling::beginParallelFor(label, Kokkos::Profiling::Experimental::device_id(exec), &announced);
  cudaLaunchConfig_t config{};
  config.gridDim          = unsigned(blocks);
  config.blockDim         = unsigned(threads);
  config.dynamicSmemBytes = shared;
  config.stream           = exec.cuda_stream();
  cudaLaunchAttribute early{};
  early.id                                         = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  config.attrs                                     = &early;
  config.numAttrs = CUDART_VERSION >= 12030 && exec.cuda_device_prop().major >= 9 ? 1 : 0;  // graphs hold it since 12.3
  auto const status = cudaLaunchKernelEx(&config, kernel, arguments...);
  if (tools) Kokkos::Profiling::endParallelFor(announced);
  check(status, label + ": launch");
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
