// SPDX-License-Identifier: Apache-2.0
// The kernels that add by index: integers one by one, floats and rows of floats in the order of their indices.
#include <onepass/scatter.hpp>

template <class T>
using items = Kokkos::View<T*, Kokkos::CudaSpace>;

void integers(Kokkos::Cuda const& exec, items<std::uint32_t> values, items<int> indices, items<std::uint32_t> out)
{
  onepass::scatter_add(exec, values, indices, out);
  onepass::gather(exec, values, indices, out);
  onepass::scatter(exec, values, indices, out);
}
void floats(Kokkos::Cuda const& exec, items<float> values, items<int> indices, items<float> out)
{
  onepass::scatter_add(exec, values, indices, out);
}
void rows(Kokkos::Cuda const& exec, Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace> values,
          items<int> indices, Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace> out)
{
  onepass::scatter_add(exec, values, indices, out);
}
