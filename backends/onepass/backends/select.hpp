// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/place.hpp>
#include <onepass/execution/workspace_pool.hpp>

namespace onepass::ONEPASS_ABI {

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#define ONEPASS_HAS_CUDA 1
#endif

/// Which backend serves an execution space where the caller names none. No other file names KOKKOS_ENABLE_*.
template <class Exec>
struct backend_for {
  using type = kokkos_backend;
};
#ifdef KOKKOS_ENABLE_SERIAL
template <>
struct backend_for<Kokkos::Serial> {
  using type = serial_backend;
};
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
struct backend_for<Kokkos::OpenMP> {
  using type = host_backend;
};
#endif
#ifdef KOKKOS_ENABLE_HPX
template <>
inline constexpr bool runs_at_once<Kokkos::Experimental::HPX> = false;
#endif
#ifdef KOKKOS_ENABLE_CUDA
template <>
inline constexpr bool teams_progress<Kokkos::Cuda> = true;
template <>
inline bool is_captured(Kokkos::Cuda const& exec)
{
  auto status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(exec.cuda_stream(), &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
}
#endif
#ifdef KOKKOS_ENABLE_HIP
template <>
inline constexpr bool teams_progress<Kokkos::HIP> = true;
#endif
#ifdef ONEPASS_HAS_CUDA
template <>
struct backend_for<Kokkos::Cuda> {
  using type = cuda_backend;
};
#endif

}  // namespace onepass::ONEPASS_ABI
