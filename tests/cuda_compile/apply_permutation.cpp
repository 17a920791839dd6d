// SPDX-License-Identifier: Apache-2.0
// The kernels that move items and rows by a permutation, elsewhere and in place.
#include <onepass/apply_permutation.hpp>

using positions = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using points    = Kokkos::View<double* [3], Kokkos::CudaSpace>;
using tensors   = Kokkos::View<float***, Kokkos::LayoutRight, Kokkos::CudaSpace>;

void permute(Kokkos::Cuda const& exec, positions permutation, positions in, positions out, points x, tensors from,
             tensors to)
{
  onepass::apply_permutation(exec, permutation, std::tuple(in, from), std::tuple(out, to));
  onepass::apply_permutation(exec, permutation, out, x);
}
