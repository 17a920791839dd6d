// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Core.hpp>

/// Marks a function that runs on host and device.
#define ONEPASS_FUNCTION KOKKOS_FORCEINLINE_FUNCTION

/// Unrolls the loop that follows; its bounds must be compile-time constants.
#if defined(__CUDA_ARCH__) || defined(__clang__)
#define ONEPASS_UNROLL _Pragma("unroll")
#else
#define ONEPASS_UNROLL
#endif
