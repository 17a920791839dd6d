// SPDX-License-Identifier: Apache-2.0
// The kernels that put keys into bins, and values into their order.
#include <onepass/bin_sort.hpp>

#include <Kokkos_Sort.hpp>

void order(Kokkos::Cuda const& exec, Kokkos::View<float const*, Kokkos::CudaSpace> keys,
           Kokkos::View<double* [3], Kokkos::CudaSpace> values)
{
  using bins = Kokkos::BinOp1D<decltype(keys)>;
  onepass::kokkos::BinSort<decltype(keys), bins> sorter(exec, keys, bins(1000, 0.f, 1.f), true);
  sorter.create_permute_vector(exec);
  sorter.sort(exec, values);
}
