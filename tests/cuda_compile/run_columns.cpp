// SPDX-License-Identifier: Apache-2.0
// The kernels over runs of rows, their columns in Views of their own, and of what run_columns.hpp adds for single ones.
#include <onepass/run_columns.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using values = Kokkos::View<float*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

void rows(Kokkos::Cuda const& exec, items row, items column, items row_out, items column_out, items lengths,
          counts runs)
{
  auto const in = onepass::columns(row, column), out = onepass::columns(row_out, column_out);
  onepass::unique(exec, in, out, runs);
  onepass::run_length_encode(exec, in, out, lengths, runs);
}

void single(Kokkos::Cuda const& exec, items in, items offsets, items lengths, values of, values sums, counts runs)
{
  onepass::non_trivial_runs(exec, in, offsets, lengths, runs);
  onepass::reduce_by_key<onepass::run_key::last>(exec, in, of, offsets, sums, runs);
}
