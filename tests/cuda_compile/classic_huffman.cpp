// SPDX-License-Identifier: Apache-2.0
// The classic layout's decoder, in both forms.
#include <onepass/classic/huffman.hpp>

namespace dfloat11 = onepass::classic::dfloat11;

template <class Split>
void decode(Kokkos::Cuda const& exec, dfloat11::block<Split> const& block,
            Kokkos::View<typename Split::item*, Kokkos::CudaSpace> out,
            Kokkos::View<std::uint32_t, Kokkos::CudaSpace> damaged)
{
  dfloat11::decode(exec, dfloat11::coded<Split, Kokkos::Cuda>(exec, block), out, damaged);
}
template void decode<onepass::split::bf16>(Kokkos::Cuda const&, dfloat11::block<onepass::split::bf16> const&,
                                           Kokkos::View<std::uint16_t*, Kokkos::CudaSpace>,
                                           Kokkos::View<std::uint32_t, Kokkos::CudaSpace>);
template void decode<onepass::split::e4m3>(Kokkos::Cuda const&, dfloat11::block<onepass::split::e4m3> const&,
                                           Kokkos::View<std::uint8_t*, Kokkos::CudaSpace>,
                                           Kokkos::View<std::uint32_t, Kokkos::CudaSpace>);
