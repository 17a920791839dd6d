// SPDX-License-Identifier: Apache-2.0
#include "clock.hpp"

#include <chrono>

namespace perf {

#ifdef KOKKOS_ENABLE_CUDA

std::string missing_device()
{
  int count         = 0;
  auto const status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {};
  return std::string("built for CUDA, and no GPU is found: ") + cudaGetErrorString(status);
}

double seconds_of(int calls, call const& queue)
{
  static cudaEvent_t start, stop;
  static bool const made = cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&stop) == cudaSuccess;
  if (!made) throw std::runtime_error("CUDA makes no events");
  auto const stream = space().cuda_stream();
  space().fence("perf: before the timed calls");
  cudaEventRecord(start, stream);
  for (int i = 0; i < calls; ++i) queue();
  cudaEventRecord(stop, stream);
  float milliseconds = 0;
  if (cudaEventSynchronize(stop) != cudaSuccess || cudaEventElapsedTime(&milliseconds, start, stop) != cudaSuccess)
    throw std::runtime_error(std::string("CUDA failed in the timed calls: ") + cudaGetErrorString(cudaGetLastError()));
  return milliseconds * 1e-3;
}

#else

std::string missing_device() { return {}; }

double seconds_of(int calls, call const& queue)
{
  space().fence("perf: before the timed calls");
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) queue();
  space().fence("perf: after the timed calls");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

#endif

}  // namespace perf
