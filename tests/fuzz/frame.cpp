// SPDX-License-Identifier: Apache-2.0
// Fuzzes the packed format: header, trailer and table as they come; a frame whose checksums are made right, decoded in
// the two ways that host threads and devices go, which must agree. scripts/fuzz builds and runs it.
#include <onepass/huffman/programs/decode.hpp>
#include <onepass/packed/container.hpp>

#include <cstdlib>

using namespace onepass;
using packed::byte_view;

namespace {

template <class Read>
void attempt(Read const& read)
{
  try {
    read();
  } catch (packed::format_error const&) {}
}

/// The input's first bytes as a frame's header, with its magic number, sizes and checksum made right.
std::vector<std::uint8_t> repaired_header(byte_view in)
{
  std::vector<std::uint8_t> h(in.begin(), in.begin() + packed::frame_header::bytes_on_file);
  auto const put = [&](std::size_t at, auto x) { std::memcpy(h.data() + at, &x, sizeof x); };
  put(0, packed::frame_header::magic);
  put(6, std::uint16_t(0));
  h[13] = h[14] = h[15] = h[176] = 0;  // items
  std::fill(h.begin() + 176, h.begin() + 184, std::uint8_t(0));
  for (int attempts = 0; attempts < 2; ++attempts) {
    put(184, packed::checksum(byte_view(h).first(184)));
    try {
      packed::frame_header::read(h);
      break;
    } catch (packed::format_error const& e) {
      unsigned long long said, parts;
      if (std::sscanf(e.what(), "the frame's payload has %llu bytes and its parts %llu", &said, &parts) == 2)
        put(16, std::uint64_t(parts));
    }
  }
  return h;
}

template <class Split>
void decode(packed::frame_header const& h, std::vector<std::uint8_t>& payload)
{
  using item         = typename Split::item;
  auto const n       = std::size_t(h.items);
  auto const pairs   = huffman::make_pair_table(h.lengths);
  auto const many    = huffman::make_many_table(h.lengths);
  auto const program = [&](std::vector<item>& out) {
    auto* const rest = payload.data() + h.rest_at();
    return huffman::decode_program<Split>{
        h.layout(),
        {out.data(), rest, extent(n), huffman::unit_memory<Split>::aligned(out.data(), rest)},
        reinterpret_cast<std::uint32_t const*>(payload.data()),
        {reinterpret_cast<std::uint32_t const*>(payload.data() + h.tiles_at()), h.units},
        pairs.data(),
        many.data(),
        h.longest_tile * 4};
  };
  std::vector<item> by_thread(n), by_lanes(n);
  auto const a = program(by_thread), b = program(by_lanes);
  a.run_tiles(0, a.tiles());
  for (extent tile = 0; tile < a.tiles(); ++tile) {
    for (int lane = 0; lane < tile_lanes; ++lane) {
      auto held = b.fetch(tile, lane);
      b.run(tile, lane, held, b.table(tile), b.words(tile));
    }
  }
  if (by_thread != by_lanes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  byte_view const in(data, size);
  attempt([&] { packed::file_header::check(in); });
  attempt([&] { packed::trailer::read(in, size + 1000); });
  attempt([&] { packed::table::read(in, 1 << 20); });
  attempt([&] { packed::frame_header::read(in); });
  if (size < packed::frame_header::bytes_on_file) return 0;
  attempt([&] {
    auto h = packed::frame_header::read(repaired_header(in));
    if (h.kind == packed::frame_kind::raw || h.payload_bytes() > 1 << 17 || h.items > 1 << 17) return;
    std::vector<std::uint8_t> payload(in.begin() + packed::frame_header::bytes_on_file, in.end());
    payload.resize(h.payload_bytes());
    h.payload_sum = packed::checksum(payload);
    attempt([&] { h.check_index(payload); });  // what it would refuse must do no harm either
    packed::with_split(h.kind, [&](auto s) { decode<decltype(s)>(h, payload); });
  });
  return 0;
}
