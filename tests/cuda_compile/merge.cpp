// SPDX-License-Identifier: Apache-2.0
// The kernels of merges, by CUDA's blocks and by Kokkos' teams.
#include <onepass/merge.hpp>

template <class T>
using items = Kokkos::View<T*, Kokkos::CudaSpace>;

void merges(Kokkos::Cuda const& exec, items<std::uint32_t> a, items<std::uint32_t> b, items<std::uint32_t> out,
            items<double> a_values, items<double> b_values, items<double> values)
{
  onepass::merge(exec, a, b, out);
  onepass::merge(onepass::portably(exec), a, b, out);
  onepass::merge_by_key(exec, a, a_values, b, b_values, out, values);
}

void of_words(Kokkos::Cuda const& exec, items<double> a, items<double> b, items<double> out)
{
  onepass::merge(exec, a, b, out);
}

void of_bytes(Kokkos::Cuda const& exec, items<std::uint8_t> a, items<std::uint8_t> b, items<std::uint8_t> out)
{
  onepass::merge(exec, a, b, out);
}
