// SPDX-License-Identifier: Apache-2.0
// The kernels of unique, of items and of rows whose columns lie in Views of their own.
#include <onepass/unique.hpp>
#include <onepass/zip.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

void heads(Kokkos::Cuda const& exec, items in, items out, counts count) { onepass::unique(exec, in, out, count); }

void rows(Kokkos::Cuda const& exec, items row, items column, items row_out, items column_out, counts runs)
{
  onepass::unique(exec, onepass::zip(row, column), onepass::zip(row_out, column_out), runs);
}
