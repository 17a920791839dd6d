// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/orders.hpp>
#include <onepass/backends/kokkos/orders.hpp>
#include <onepass/backends/serial/orders.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/orders.hpp>
#endif
