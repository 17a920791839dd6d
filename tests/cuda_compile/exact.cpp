// SPDX-License-Identifier: Apache-2.0
// The kernels of exact sums: of all items, of products, of segments and of runs.
#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/segmented.hpp>

template <class T>
using items = Kokkos::View<T*, Kokkos::CudaSpace>;
template <class T>
using value = Kokkos::View<T, Kokkos::CudaSpace>;

void sums(Kokkos::Cuda const& exec, items<float> in, value<float> total)
{
  onepass::reduce(onepass::exactly(exec), in, total);
}
void sums_of_f64(Kokkos::Cuda const& exec, items<double> in, value<double> total)
{
  onepass::reduce(onepass::exactly(exec), in, total);
  onepass::dot(onepass::exactly(exec), in, in, total);
}

void sums_of_segments(Kokkos::Cuda const& exec, items<double> in, items<int> offsets, items<double> totals)
{
  onepass::segmented_reduce(onepass::exactly(exec), in, offsets, totals);
}
void sums_of_runs(Kokkos::Cuda const& exec, items<int> keys, items<double> in, items<int> firsts, items<double> totals,
                  value<int> runs)
{
  onepass::reduce_by_key(onepass::exactly(exec), keys, in, firsts, totals, runs);
}
