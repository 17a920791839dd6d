// SPDX-License-Identifier: Apache-2.0
// The kernels of counting.
#include <onepass/count.hpp>

struct below {
  int limit;
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x) const
  {
    return x < T(limit);
  }
};

template <class T>
void counts(Kokkos::Cuda const& exec, Kokkos::View<T const*, Kokkos::CudaSpace> in,
            Kokkos::View<int, Kokkos::CudaSpace> count)
{
  onepass::count_if(exec, in, count, below{100});
}

template void counts(Kokkos::Cuda const&, Kokkos::View<std::uint8_t const*, Kokkos::CudaSpace>,
                     Kokkos::View<int, Kokkos::CudaSpace>);
template void counts(Kokkos::Cuda const&, Kokkos::View<double const*, Kokkos::CudaSpace>,
                     Kokkos::View<int, Kokkos::CudaSpace>);
