// SPDX-License-Identifier: Apache-2.0
// The kernels that count: by a function, by bins of equal width, between levels.
#include <onepass/histogram.hpp>

using bytes  = Kokkos::View<std::uint8_t*, Kokkos::CudaSpace>;
using floats = Kokkos::View<float*, Kokkos::CudaSpace>;
using counts = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;

using host         = Kokkos::DefaultHostExecutionSpace;
using bytes_there  = Kokkos::View<std::uint8_t*, Kokkos::HostSpace>;
using counts_there = Kokkos::View<std::uint32_t*, Kokkos::HostSpace>;

struct itself {
  ONEPASS_FUNCTION int operator()(std::uint8_t x) const { return x; }
};

void count(Kokkos::Cuda const& exec, bytes in, floats items, floats levels, counts bins)
{
  onepass::histogram(exec, in, bins, itself{});
  onepass::histogram_even(exec, items, bins, 0.f, 1.f);
  onepass::histogram_range(exec, items, bins, levels);
}

// On a host's machines the portable kernel too: its choice by space is one that nvcc's front end compiles.
void count(host const& exec, bytes_there in, counts_there bins)
{
  onepass::histogram(onepass::portably(exec), in, bins, itself{});
}
