// SPDX-License-Identifier: Apache-2.0
// Kernels of Kokkos' functors on the CUDA backend, and one by Kokkos' teams.
#include <onepass/parallel_scan.hpp>

namespace {

template <class T>
struct offsets {
  Kokkos::View<T*> x;
  KOKKOS_FUNCTION void operator()(long i, T& update, bool is_final) const
  {
    T const own = x(i);
    if (is_final) x(i) = update;
    update += own;
  }
};

struct distances {
  using value_type                = unsigned;
  static constexpr int bytes_read = 24;
  Kokkos::View<double const*> a, b, c;
  Kokkos::View<unsigned*> out;
  KOKKOS_FUNCTION void init(unsigned& x) const { x = 0; }
  KOKKOS_FUNCTION void join(unsigned& a, unsigned const& b) const { a += b; }
  KOKKOS_FUNCTION void operator()(int i, unsigned& update, bool is_final) const
  {
    if (a(i) * a(i) + b(i) * b(i) + c(i) * c(i) > 1) return;
    if (is_final) out(update) = i;
    ++update;
  }
};

}  // namespace

template <class T>
void compile_for(Kokkos::Cuda const& exec)
{
  T total;
  onepass::parallel_scan("offsets", Kokkos::RangePolicy<Kokkos::Cuda>(exec, 0, 1), offsets<T>{}, total);
}

void compile(Kokkos::Cuda const& exec)
{
  compile_for<unsigned>(exec);
  compile_for<double>(exec);
  onepass::parallel_scan("distances", onepass::range_policy(exec, 0, 1), distances{});
  onepass::parallel_scan("distances", onepass::range_policy(onepass::portably(exec), 0, 1), distances{});
}
