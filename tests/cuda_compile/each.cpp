// SPDX-License-Identifier: Apache-2.0
// Kernels of functions in, functions out on the CUDA backend.
#include <onepass/each.hpp>

using onepass::extent;

struct degree {
  Kokkos::View<unsigned const*, Kokkos::CudaSpace> counts;
  ONEPASS_FUNCTION unsigned operator()(extent i) const { return counts(i); }
};
struct offset {
  Kokkos::View<unsigned*, Kokkos::CudaSpace> out;
  ONEPASS_FUNCTION void operator()(extent i, unsigned before) const { out(i) = before; }
};
struct is_odd {
  Kokkos::View<unsigned const*, Kokkos::CudaSpace> x;
  ONEPASS_FUNCTION bool operator()(extent i) const { return x(i) % 2; }
};
struct gather {
  Kokkos::View<double const*, Kokkos::CudaSpace> from;
  Kokkos::View<double*, Kokkos::CudaSpace> to;
  ONEPASS_FUNCTION void operator()(extent i, extent place) const { to(place) = from(i); }
};

void each(Kokkos::Cuda const& exec, Kokkos::View<extent, Kokkos::CudaSpace> count)
{
  onepass::scan_each(exec, 1, degree{}, offset{});
  onepass::select_each(exec, 1, is_odd{}, gather{}, count);
}
