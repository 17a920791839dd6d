// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Writes 0 to words.
struct clear_words {
  std::uint32_t* words;
  ONEPASS_FUNCTION void operator()(extent i) const { words[i] = 0; }
};

inline constexpr int threads_of_each = 256;

template <class Body>
__global__ void __launch_bounds__(threads_of_each) onepass_each(const __grid_constant__ Body body, extent n)
{
  begin_kernel();
  extent const i = extent(blockIdx.x) * threads_of_each + threadIdx.x;
  if (i < n) body(i);
}

/// Queues body(i) for every i below n, between kernels that overlap.
template <class Body>
void queue_each(Kokkos::Cuda const& exec, std::string const& label, extent n, Body const& body)
{
  extent const blocks = div_up(n, threads_of_each);
  require_one_launch(label, blocks, n, "items");
  if (blocks > 0) launch(exec, label, onepass_each<Body>, int(blocks), threads_of_each, 0, body, n);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
