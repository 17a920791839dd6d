// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/grids.hpp>
#include <onepass/backends/kokkos/grids.hpp>
#include <onepass/backends/serial/grids.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/grids.hpp>
#endif
