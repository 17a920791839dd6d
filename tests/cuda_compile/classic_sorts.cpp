// SPDX-License-Identifier: Apache-2.0
// The kernels of the classic sorts, which contain those of the split.
#include <onepass/classic/sorts.hpp>

using keys = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;

void sorts(Kokkos::Cuda const& exec, keys in)
{
  onepass::classic::split_sort(exec, in);
  onepass::classic::merge_sort(exec, in);
  onepass::classic::bitonic_sort(exec, in);
}
