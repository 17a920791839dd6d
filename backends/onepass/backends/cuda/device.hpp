// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>
#include <onepass/require.hpp>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace onepass::ONEPASS_ABI::backends::cuda {

inline void check(cudaError_t status, std::string const& what)
{
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // or Kokkos' next call would find it
  throw std::runtime_error("onepass: " + what + ": " + cudaGetErrorString(status));
}

/// What an instance's device has. Kokkos tells it of its default device alone.
struct card {
  int major = 0, multiprocessors = 0;
  std::size_t most_shared = 0;  ///< bytes that a block can ask for
};
inline card const& card_of(Kokkos::Cuda const& exec)
{
  thread_local std::map<int, card> known;
  auto const found = known.find(exec.cuda_device());
  if (found != known.end()) return found->second;
  auto const ask = [&](cudaDeviceAttr what) {
    int number = 0;
    check(cudaDeviceGetAttribute(&number, what, exec.cuda_device()), "asking the device");
    return number;
  };
  card const made{ask(cudaDevAttrComputeCapabilityMajor), ask(cudaDevAttrMultiProcessorCount),
                  std::size_t(ask(cudaDevAttrMaxSharedMemoryPerBlockOptin))};
  return known.emplace(exec.cuda_device(), made).first->second;
}

/// A kernel that is asked for which architecture this code is compiled.
template <class = void>
__global__ void onepass_architecture()
{}

/// Whether kernels are compiled for sm_90 or later where they run on this device, which may be younger than their code.
inline bool has_sm_90_code(Kokkos::Cuda const& exec)
{
  if (card_of(exec).major < 9) return false;
  thread_local std::map<int, bool> known;
  if (auto const at = known.find(exec.cuda_device()); at != known.end()) return at->second;
  cudaFuncAttributes own{};
  check(cudaSetDevice(exec.cuda_device()), "selecting the device");
  check(cudaFuncGetAttributes(&own, onepass_architecture<>), "looking at a kernel");
  return known[exec.cuda_device()] = own.ptxVersion >= 90;
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

/// Bytes of shared memory that a block on this device can ask for beside a kilobyte.
inline std::size_t most_shared_of(Kokkos::Cuda const& exec) { return card_of(exec).most_shared - 1024; }

/// Refuses tiles of items of so many bytes that take more shared memory than a block on this device can ask for.
inline void require_shared(Kokkos::Cuda const& exec, std::string const& label, std::size_t taken, std::size_t item,
                           char const* fix)
{
  auto const most = card_of(exec).most_shared;
  require(taken <= most, label, ": a tile of items of ", item, " bytes takes ", taken,
          " bytes of shared memory, and a block on this device has ", most, "; ", fix);
}

/// Bytes that a kernel need not ask for: 48 KiB less what is static, which is 32 KiB at most.
inline constexpr std::size_t much_shared_memory = 16 * 1024;

/// Lets launches of a kernel have as much dynamic shared memory as the device has beside the kernel's static memory:
/// always as much, since other threads may be about to launch the same kernel with another size.
inline void allow_shared_memory(void const* kernel, Kokkos::Cuda const& exec, std::string const& label)
{
  int const device = exec.cuda_device();
  thread_local std::set<std::pair<void const*, int>> allowed;
  if (allowed.contains({kernel, device})) return;
  cudaFuncAttributes own{};
  check(cudaFuncGetAttributes(&own, kernel), label + ": looking at the kernel");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(card_of(exec).most_shared - own.sharedSizeBytes)),
        label + ": asking for shared memory");
  allowed.emplace(kernel, device);
}

/// Queues a kernel on the instance's device and stream, and announces it to Kokkos Tools. The kernel calls
/// begin_kernel() before it touches memory, so that launches overlap (docs/decisions/0017-overlapped-launches.md).
template <class... Parameters, class... Arguments>
void launch(Kokkos::Cuda const& exec, std::string const& label, void (*kernel)(Parameters...), int blocks, int threads,
            std::size_t shared, Arguments const&... arguments)
{
  check(cudaSetDevice(exec.cuda_device()), label + ": selecting the device");
  if (shared > much_shared_memory) allow_shared_memory(reinterpret_cast<void const*>(kernel), exec, label);

  std::uint64_t announced = 0;
  bool const tools        = Kokkos::Profiling::profileLibraryLoaded();
  if (tools) Kokkos::Profiling::beginParallelFor(label, Kokkos::Profiling::Experimental::device_id(exec), &announced);
  cudaLaunchConfig_t config{};
  config.gridDim = unsigned(blocks), config.blockDim = unsigned(threads);
  config.dynamicSmemBytes = shared;
  config.stream           = exec.cuda_stream();
  cudaLaunchAttribute early{};
  early.id                                         = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  config.attrs                                     = &early;
  config.numAttrs   = CUDART_VERSION >= 12030 && has_sm_90_code(exec) ? 1 : 0;  // graphs hold it since 12.3
  auto const status = cudaLaunchKernelEx(&config, kernel, arguments...);
  if (tools) Kokkos::Profiling::endParallelFor(announced);
  check(status, label + ": launch");
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
