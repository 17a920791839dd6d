// SPDX-License-Identifier: Apache-2.0
#pragma once

/// This room is loaded into any Kokkos program and so includes nothing of Kokkos or of the rest of the library; what
/// runs on the host and on the device alike says so by this word.
#ifdef __CUDACC__
#define ONEPASS_TRACE_FUNCTION __host__ __device__
#else
#define ONEPASS_TRACE_FUNCTION
#endif
