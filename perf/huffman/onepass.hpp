// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"
#include "harness/stage.hpp"
#include "race.hpp"

#include <onepass/huffman/huffman.hpp>

#include <stdexcept>

namespace perf {

template <class Kind>
struct split_of {
  using type = onepass::split::bytes;
};
template <>
struct split_of<bf16> {
  using type = onepass::split::bf16;
};
template <>
struct split_of<e4m3> {
  using type = onepass::split::e4m3;
};

/// One coded block, with all that is needed to encode and decode it.
template <class Kind>
struct coder {
  using split = typename split_of<Kind>::type;
  using item  = typename Kind::item;

  onepass::huffman::tables<space> book;
  onepass::huffman::coded<space> block;
  Kokkos::View<std::uint64_t*, space> counts;
  input_view<item> in;

  explicit coder(race const& r)
      : book(space())
      , block(onepass::huffman::make_coded<split>(space(), r.items, onepass::huffman::default_per_lane(r.items)))
      , counts("counts", 256)
      , in(static_cast<item const*>(r.in[0]), std::size_t(r.items))
  {
    compress(space());
    auto const index = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), block.index);
    for (std::size_t t = 0; t + 1 < index.size(); ++t)
      block.longest_tile = std::max(block.longest_tile, 4 * (index(t + 1) - index(t)));
  }

  template <class Place>
  void encode(Place const& place) const
  {
    onepass::huffman::encode<split>(place, book, in, block);
  }
  template <class Place>
  void compress(Place const& place) const
  {
    onepass::huffman::count<split>(place, in, counts);
    onepass::huffman::build(place, counts, book);
    encode(place);
  }
  template <class Place>
  void decode(Place const& place, output_view<item> const& out) const
  {
    onepass::huffman::decode<split>(place, book, block, out);
  }
};

template <class T>
call enter_huffman(race const& r, how h)
{
  using item = typename T::item;
  if (!on_backend(h, [](auto const&) {})) return {};
  coder<T> const with(r);
  if (r.primitive == "decode") {
    output_view<item> const out(static_cast<item*>(r.out[0]), std::size_t(r.items));
    return on_backend(h, [=](auto const& place) { with.decode(place, out); });
  }
  bool const whole = r.primitive == "compress";
  auto const queue = on_backend(h, [=](auto const& place) { whole ? with.compress(place) : with.encode(place); });
  Kokkos::View<item*, space> const back("back", std::size_t(r.items));
  Kokkos::deep_copy(with.block.words, 0xa5a5a5a5u);
  queue();
  with.decode(space(), back);
  Kokkos::fence("perf: end of the verified run");
  if (differing<item>{back.data(), with.in.data()}.among(r.items) != 0)
    throw std::runtime_error("what it encodes decodes to something else");
  return queue;
}

}  // namespace perf
