// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/sums.hpp>
#include <onepass/backends/kokkos/sums.hpp>
#include <onepass/backends/serial/sums.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/sums.hpp>
#endif
