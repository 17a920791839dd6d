// SPDX-License-Identifier: Apache-2.0
// The kernels of reductions, with an operator that commutes and one that does not.
#include <onepass/reduce.hpp>

/// The newest of all.
struct newest {
  ONEPASS_FUNCTION double operator()(double, double newer) const { return newer; }
};

template <class T>
void reductions(Kokkos::Cuda const& exec, Kokkos::View<T const*, Kokkos::CudaSpace> in,
                Kokkos::View<T, Kokkos::CudaSpace> total)
{
  onepass::reduce(exec, in, total);
}

template void reductions(Kokkos::Cuda const&, Kokkos::View<std::uint8_t const*, Kokkos::CudaSpace>,
                         Kokkos::View<std::uint8_t, Kokkos::CudaSpace>);
template void reductions(Kokkos::Cuda const&, Kokkos::View<std::uint32_t const*, Kokkos::CudaSpace>,
                         Kokkos::View<std::uint32_t, Kokkos::CudaSpace>);
template void reductions(Kokkos::Cuda const&, Kokkos::View<double const*, Kokkos::CudaSpace>,
                         Kokkos::View<double, Kokkos::CudaSpace>);

void in_order(Kokkos::Cuda const& exec, Kokkos::View<double const*, Kokkos::CudaSpace> in,
              Kokkos::View<double, Kokkos::CudaSpace> total)
{
  onepass::reduce(exec, in, total, newest{}, 0.0);
}
