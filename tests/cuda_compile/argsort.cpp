// SPDX-License-Identifier: Apache-2.0
// The kernels that order positions.
#include <onepass/argsort.hpp>

using keys      = Kokkos::View<float*, Kokkos::CudaSpace>;
using positions = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;

void order(Kokkos::Cuda const& exec, keys in, positions permutation) { onepass::argsort(exec, in, permutation); }
