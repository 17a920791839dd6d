// SPDX-License-Identifier: Apache-2.0
// The kernels of scans and reductions of wide items, with and without a known identity.
#include <onepass/reduce.hpp>
#include <onepass/scan.hpp>

template <int N>
struct wide {
  std::uint64_t of[N];
};

struct sums {
  template <int N>
  ONEPASS_FUNCTION wide<N> operator()(wide<N> const& a, wide<N> const& b) const
  {
    wide<N> c;
    for (int k = 0; k < N; ++k) c.of[k] = a.of[k] + b.of[k];
    return c;
  }
};

struct sums_with_identity : sums {
  template <class T>
  ONEPASS_FUNCTION static T identity()
  {
    return T{};
  }
};

template <class T, class Op>
void scans(Kokkos::Cuda const& exec, Kokkos::View<T const*, Kokkos::CudaSpace> in,
           Kokkos::View<T*, Kokkos::CudaSpace> out, Kokkos::View<T, Kokkos::CudaSpace> total, Op op)
{
  onepass::inclusive_scan(exec, in, out, op);
  onepass::reduce(exec, in, total, op, T{});
}

template void scans(Kokkos::Cuda const&, Kokkos::View<wide<2> const*, Kokkos::CudaSpace>,
                    Kokkos::View<wide<2>*, Kokkos::CudaSpace>, Kokkos::View<wide<2>, Kokkos::CudaSpace>, sums);
template void scans(Kokkos::Cuda const&, Kokkos::View<wide<4> const*, Kokkos::CudaSpace>,
                    Kokkos::View<wide<4>*, Kokkos::CudaSpace>, Kokkos::View<wide<4>, Kokkos::CudaSpace>, sums);
template void scans(Kokkos::Cuda const&, Kokkos::View<wide<4> const*, Kokkos::CudaSpace>,
                    Kokkos::View<wide<4>*, Kokkos::CudaSpace>, Kokkos::View<wide<4>, Kokkos::CudaSpace>,
                    sums_with_identity);
