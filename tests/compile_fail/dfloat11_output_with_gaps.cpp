// expect: onepass: decoded items must be contiguous
// SPDX-License-Identifier: Apache-2.0
#include <onepass/classic/huffman.hpp>

using onepass::split::bf16;
using device = Kokkos::DefaultExecutionSpace;

void refused(onepass::classic::dfloat11::coded<bf16, device> const& in,
             Kokkos::View<std::uint16_t*, Kokkos::LayoutStride> out, Kokkos::View<std::uint32_t> damaged)
{
  onepass::classic::dfloat11::decode(device{}, in, out, damaged);
}
