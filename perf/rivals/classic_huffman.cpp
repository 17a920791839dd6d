// SPDX-License-Identifier: Apache-2.0
// The layout of DFloat11 and its two-phase decoder, as onepass reads it.
#include "../huffman_race.hpp"

#include <onepass/classic_huffman.hpp>

namespace perf {

namespace {

namespace classic = onepass::huffman::classic;

template <class Split>
call decoder_of(race const& r)
{
  using item = typename Split::item;
  const auto in = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), input_view<item>(static_cast<item const*>(r.in[0]), std::size_t(r.items)));
  const classic::coded<Split, space> coded(space(), classic::write<Split>(in.data(), r.items));
  const output_view<item>            out(static_cast<item*>(r.out[0]), std::size_t(r.items));
  const Kokkos::View<std::uint32_t, space> damaged("damaged");
  return [=] { classic::decode(space(), coded, out, damaged); };
}

const entry two_phases{"classic", [](race const& r) -> call {
  if (r.primitive != "decode") return {};
  if (r.type == "bf16") return decoder_of<onepass::split::bf16>(r);
  if (r.type == "e4m3") return decoder_of<onepass::split::e4m3>(r);
  return {};
}};

}  // namespace

}  // namespace perf
