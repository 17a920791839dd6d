// SPDX-License-Identifier: Apache-2.0
// The layout of DFloat11 and its two-phase decoder, as onepass reads it.
#include "race.hpp"

#include <onepass/classic/huffman.hpp>

namespace perf {

namespace {

namespace dfloat11 = onepass::classic::dfloat11;

template <class Split>
call decoder_of(race const& r)
{
  using item    = typename Split::item;
  auto const in = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), input_view<item>(static_cast<item const*>(r.in[0]), std::size_t(r.items)));
  dfloat11::coded<Split, space> const coded(space(), dfloat11::write<Split>(in.data(), r.items));
  output_view<item> const out(static_cast<item*>(r.out[0]), std::size_t(r.items));
  Kokkos::View<std::uint32_t, space> const damaged("damaged");
  return [=] { dfloat11::decode(space(), coded, out, damaged); };
}

entry const two_phases{"classic", [](race const& r) -> call {
                         if (r.primitive != "decode") return {};
                         if (r.type == "bf16") return decoder_of<onepass::split::bf16>(r);
                         if (r.type == "e4m3") return decoder_of<onepass::split::e4m3>(r);
                         return {};
                       }};

}  // namespace

}  // namespace perf
