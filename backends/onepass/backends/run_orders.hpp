// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/orders.hpp>
#include <onepass/backends/kokkos/orders.hpp>
#include <onepass/backends/serial/orders.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/orders.hpp>
#endif

namespace onepass::ONEPASS_ABI {

/// Whether order programs of counted_items run at a place.
template <place_like Where>
constexpr bool has_counted_orders = std::is_same_v<backend_of<Where>, cuda_backend>;

/// Bytes of the workspace's plain memory that the backend takes to sort n items. An algorithm that itself uses plain
/// memory during run() asks for the sum of both, and takes what lies behind the backend's part.
template <place_like Where, order_program Program>
std::size_t private_order_bytes(Where const& where, Program const& program, extent n)
{
  return bytes_of_order(resolved(where), program, n);
}

}  // namespace onepass::ONEPASS_ABI
