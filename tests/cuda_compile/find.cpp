// SPDX-License-Identifier: Apache-2.0
// The kernels that look for an item, by CUDA's blocks and by Kokkos' teams.
#include <onepass/find.hpp>

struct above {
  int limit;
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x) const
  {
    return T(limit) < x;
  }
};

template <class Where, class T>
void finds(Where const& where, Kokkos::View<T const*, Kokkos::CudaSpace> in,
           Kokkos::View<onepass::extent, Kokkos::CudaSpace> index, Kokkos::View<bool, Kokkos::CudaSpace> result)
{
  onepass::find_if(where, in, index, above{100});
  onepass::all_of(where, in, result, above{100});
}

void of_bytes(Kokkos::Cuda const& exec, Kokkos::View<std::uint8_t const*, Kokkos::CudaSpace> in,
              Kokkos::View<onepass::extent, Kokkos::CudaSpace> index, Kokkos::View<bool, Kokkos::CudaSpace> result)
{
  finds(exec, in, index, result);
}

void of_words(Kokkos::Cuda const& exec, Kokkos::View<double const*, Kokkos::CudaSpace> in,
              Kokkos::View<onepass::extent, Kokkos::CudaSpace> index, Kokkos::View<bool, Kokkos::CudaSpace> result)
{
  finds(exec, in, index, result);
  finds(onepass::portably(exec), in, index, result);
}
