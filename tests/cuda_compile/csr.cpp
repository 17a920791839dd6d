// SPDX-License-Identifier: Apache-2.0
// The kernels that make offsets of rows, and transpose a graph.
#include <onepass/csr.hpp>

using numbers = Kokkos::View<int*, Kokkos::CudaSpace>;

void rows(Kokkos::Cuda const& exec, numbers counts, numbers offsets, numbers columns, numbers out_offsets,
          numbers out_rows, numbers permutation, int& total)
{
  onepass::counts_to_offsets(onepass::on(exec).checked(), counts, offsets, total);
  onepass::offsets_from_sorted(exec, columns, out_offsets);
  onepass::transpose_graph(exec, offsets, columns, out_offsets, out_rows);
  onepass::transpose_graph(exec, offsets, columns, out_offsets, out_rows, permutation);
}
