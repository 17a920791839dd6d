// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/items.hpp>
#include <onepass/backends/kokkos/items.hpp>
#include <onepass/backends/serial/items.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/items.hpp>
#include <onepass/backends/cuda/totals.hpp>
#endif
