// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/tiles.hpp>
#include <onepass/backends/kokkos/tiles.hpp>
#include <onepass/backends/serial/tiles.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/tiles.hpp>
#endif
