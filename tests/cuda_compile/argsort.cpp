// SPDX-License-Identifier: Apache-2.0
// The kernels that order positions, and move several columns by them, elsewhere and in place.
#include <onepass/argsort.hpp>

using keys      = Kokkos::View<float*, Kokkos::CudaSpace>;
using positions = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;

void order(Kokkos::Cuda const& exec, keys in, keys out, positions permutation, positions beside)
{
  onepass::argsort(exec, in, permutation);
  onepass::apply_permutation(exec, permutation, std::tuple(in), std::tuple(out));
  onepass::apply_permutation(exec, permutation, out, beside);
}
