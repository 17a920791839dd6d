// SPDX-License-Identifier: Apache-2.0
// The kernels of run-length coding: encoding of items and of rows, runs of more than one item, decoding.
#include <onepass/run_length.hpp>
#include <onepass/zip.hpp>

using items  = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;
using counts = Kokkos::View<onepass::extent, Kokkos::CudaSpace>;

void encode(Kokkos::Cuda const& exec, items in, items column, items out, items column_out, items lengths, counts runs)
{
  onepass::run_length_encode(exec, in, out, lengths, runs);
  onepass::run_length_encode(exec, onepass::zip(in, column), onepass::zip(out, column_out), lengths, runs);
  onepass::non_trivial_runs(exec, in, out, lengths, runs);
}

void decode(Kokkos::Cuda const& exec, items symbols, items lengths, items out, counts total)
{
  onepass::run_length_decode(exec, symbols, lengths, out, total);
}
