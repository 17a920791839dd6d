// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/lanes.hpp>
#include <onepass/backends/kokkos/lanes.hpp>
#include <onepass/backends/serial/lanes.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/lanes.hpp>
#endif
