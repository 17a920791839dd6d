// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/huffman.hpp>
#include <onepass/packed/container.hpp>

#include <optional>

namespace onepass::ONEPASS_ABI::packed {

/// Encodes and decodes frames at a place. Memory on the device is reused from frame to frame; encode() and decode()
/// allocate only if a frame differs in size or kind from the last. Both wait: they copy between host and device and
/// fence the instance before they return.
///
/// \ingroup packed
template <place_like Where>
class frame_codec {
  using exec   = space_of<Where>;
  using memory = typename exec::memory_space;
  template <class T>
  using device = Kokkos::View<T*, memory>;
  template <class T>
  using host = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

public:
  /// A codec at an execution space instance or a place. Allocates.
  explicit frame_codec(Where const& where)
      : where_(on(where))
      , scratch_(where_.space)
      , counts_("onepass::packed::counts", huffman::alphabet)
  {}

  /// Appends a frame (header and payload) that holds `data`, whose items are of kind `wanted`, and returns its header.
  /// Data that would not get smaller are stored raw, so a frame is at most 192 bytes longer than its data. `data` is
  /// aligned to 16 bytes.
  ///
  /// Errors: throws precondition_error unless `data` has whole items and at most 2^30 bytes. Cost: the data are copied
  /// to the device, counted, encoded and copied back, with four fences; checksums and copies on the host take three
  /// passes.
  frame_header encode(frame_kind wanted, byte_view data, std::vector<std::uint8_t>& to)
  {
    require(data.size() <= frame_header::most_decoded && data.size() % item_bytes(wanted) == 0, "packed: ", data.size(),
            " bytes of ", packed::name_of(wanted), " do not go into a frame");
    frame_header h{.decoded_sum = checksum(data)};
    auto const begin = to.size();
    to.resize(begin + frame_header::bytes_on_file);
    bool const smaller = wanted != frame_kind::raw && !data.empty() && encode_smaller(wanted, data, h, to);
    if (!smaller) {
      to.resize(begin + frame_header::bytes_on_file);
      h = {.items = data.size(), .decoded_sum = h.decoded_sum};
      to.insert(to.end(), data.begin(), data.end());
    }
    h.payload_sum = checksum(byte_view(to).subspan(begin + frame_header::bytes_on_file));
    std::vector<std::uint8_t> head;
    h.write(head);
    std::copy(head.begin(), head.end(), to.begin() + std::ptrdiff_t(begin));
    return h;
  }

  /// out = the decoded bytes of the frame. `payload` and `out` are aligned to 16 bytes; `out` has h.decoded_bytes().
  ///
  /// Errors: throws format_error if the payload or the result does not have its checksum. Cost: the payload is copied
  /// to the device and the items back, with a fence; if the space can access host memory, nothing is copied.
  void decode(frame_header const& h, byte_view payload, std::span<std::uint8_t> out)
  {
    h.check(payload);
    if (h.kind == frame_kind::raw) std::copy(payload.begin(), payload.end(), out.begin());
    else with_split(h.kind, [&](auto s) { decode_as<decltype(s)>(h, payload, out); });
    expect(checksum(out) == h.decoded_sum, "what the frame holds does not have its checksum");
  }

private:
  template <class Split>
  struct memory_of {
    huffman::coded<exec> coded;
    device<typename Split::item> items;
  };

  /// Memory for n items; that of the last frame if it fits.
  template <class Split>
  memory_of<Split>& room(extent n)
  {
    auto& kept = std::get<std::optional<memory_of<Split>>>(rooms_);
    if (!kept || kept->coded.items != n) {
      kept.reset();
      int const per_lane = huffman::default_per_lane(n);
      kept.emplace();
      kept->coded = huffman::make_coded<Split>(where_.space, n, per_lane);
      if (!reaches_host)
        kept->items = device<typename Split::item>(
            Kokkos::view_alloc(Kokkos::WithoutInitializing, where_.space, "onepass::packed::items"), std::size_t(n));
    }
    return *kept;
  }

  static constexpr bool reaches_host = Kokkos::SpaceAccessibility<exec, Kokkos::HostSpace>::accessible;

  template <class View, class T>
  void fetch(T* to, View const& from)
  {
    fetch(to, from.data(), from.size());
  }
  template <class T>
  void fetch(T* to, T const* from, std::size_t size)
  {
    Kokkos::deep_copy(where_.space, host<T>(to, size),
                      Kokkos::View<T const*, memory, Kokkos::MemoryUnmanaged>(from, size));
  }

  template <class Split, class Use>
  void with_items(typename Split::item const* data, extent n, Use const& use)
  {
    using item = typename Split::item;
    host<item const> const here(data, std::size_t(n));
    if constexpr (reaches_host) use(here);
    else {
      auto& there = room<Split>(n).items;
      Kokkos::deep_copy(where_.space, there, here);
      use(there);
    }
  }

  template <class Split>
  huffman::counts count(byte_view data)
  {
    huffman::counts found;
    auto const n = extent(data.size() / sizeof(typename Split::item));
    with_items<Split>(reinterpret_cast<typename Split::item const*>(data.data()), n,
                      [&](auto const& items) { huffman::count<Split>(where_, items, counts_); });
    fetch(found.data(), counts_);
    where_.space.fence("onepass::packed: counts");
    return found;
  }

  /// The expected bytes of the payload, without the rounding of tiles.
  template <class Split>
  static double expected_bytes(huffman::counts const& c, huffman::code_lengths const& lengths, extent n)
  {
    auto const layout = huffman::layout_of<Split>(n, huffman::default_per_lane(n));
    return double(huffman::coded_bits(c, lengths)) / 8 + double(layout.tiles()) * 48
           + double(split::rest_layout<Split>{n}.bytes());
  }

  bool encode_smaller(frame_kind wanted, byte_view data, frame_header& h, std::vector<std::uint8_t>& to)
  {
    return with_split(wanted, [&](auto s) {
      using Split        = decltype(s);
      auto const n       = extent(data.size() / sizeof(typename Split::item));
      auto const c       = count<Split>(data);
      auto const lengths = huffman::limited_lengths(c);
      auto best          = expected_bytes<Split>(c, lengths, n);
      if constexpr (std::is_same_v<Split, split::e4m3>) {
        // Coding exponent, sign and mantissa together always gives slightly smaller frames at half the speed: done only
        // if the gain is larger.
        auto const whole  = count<split::bytes>(data);
        auto const joint  = huffman::limited_lengths(whole);
        auto const joined = expected_bytes<split::bytes>(whole, joint, n);
        if (joined < double(data.size()) && joined < best - double(data.size()) / 50)
          return encode_as<split::bytes>(frame_kind::bytes, joint, data, h, to);
      }
      return best < double(data.size()) && encode_as<Split>(wanted, lengths, data, h, to);
    });
  }

  template <class Split>
  bool encode_as(frame_kind kind, huffman::code_lengths const& lengths, byte_view data, frame_header& h,
                 std::vector<std::uint8_t>& to)
  {
    auto const n = extent(data.size() / sizeof(typename Split::item));
    auto& m      = room<Split>(n);
    huffman::tables<exec> const book(where_.space, lengths);
    with_items<Split>(reinterpret_cast<typename Split::item const*>(data.data()), n,
                      [&](auto const& items) { huffman::encode<Split>(where_.with(scratch_), book, items, m.coded); });
    std::vector<std::uint32_t> index(m.coded.index.size());
    fetch(index.data(), m.coded.index);
    where_.space.fence("onepass::packed: index");
    h.kind         = kind;
    h.items        = std::uint64_t(n);
    h.per_lane     = m.coded.per_lane;
    h.lengths      = lengths;
    h.units        = index.back();
    h.longest_tile = 0;
    for (std::size_t t = 0; t + 1 < index.size(); ++t)
      h.longest_tile = std::max(h.longest_tile, index[t + 1] - index[t]);
    if (h.payload_bytes() >= data.size()) return false;

    auto const begin = to.size();
    to.resize(begin + h.payload_bytes(), 0);
    std::memcpy(to.data() + begin, index.data(), index.size() * 4);
    fetch(to.data() + begin + h.tiles_at(), reinterpret_cast<std::uint8_t const*>(m.coded.words.data()),
          std::size_t(h.units) * 16);
    split::rest_layout<Split> const planes{n};
    for (int q = 0; q < Split::planes; ++q)  // the padding between two planes stays zero
      fetch(to.data() + begin + h.rest_at() + planes.begin(q), m.coded.rest.data() + planes.begin(q),
            std::size_t(planes.plane_size(q)));
    where_.space.fence("onepass::packed: payload");
    return true;
  }

  template <class Split>
  void decode_as(frame_header const& h, byte_view payload, std::span<std::uint8_t> out)
  {
    using item    = typename Split::item;
    auto* const p = const_cast<std::uint8_t*>(payload.data());
    huffman::tables<exec> const book(where_.space, h.lengths);
    host<item> const here(reinterpret_cast<item*>(out.data()), std::size_t(h.items));
    auto const tiles = std::size_t(h.layout().tiles());
    huffman::coded<exec> coded{.items = extent(h.items), .per_lane = h.per_lane, .longest_tile = h.longest_tile * 4};
    host<std::uint32_t> const index(reinterpret_cast<std::uint32_t*>(p), tiles + 1),
        words(reinterpret_cast<std::uint32_t*>(p + h.tiles_at()), std::size_t(h.units) * 4);
    host<std::uint8_t> const rest(p + h.rest_at(), h.rest_bytes());
    if constexpr (reaches_host) {
      coded.index = device<std::uint32_t>(index.data(), index.size());
      coded.words = device<std::uint32_t>(words.data(), words.size());
      coded.rest  = device<std::uint8_t>(rest.data(), rest.size());
      huffman::decode<Split>(where_, book, coded, here);
    } else {
      coded.index = Kokkos::create_mirror_view_and_copy(memory{}, index);
      coded.words = Kokkos::create_mirror_view_and_copy(memory{}, words);
      coded.rest  = Kokkos::create_mirror_view_and_copy(memory{}, rest);
      auto& there = room<Split>(extent(h.items)).items;
      huffman::decode<Split>(where_, book, coded, there);
      Kokkos::deep_copy(where_.space, here, there);
    }
    where_.space.fence("onepass::packed: decoded");
  }

  place_of<Where> where_;
  workspace<exec> scratch_;
  device<std::uint64_t> counts_;
  std::tuple<std::optional<memory_of<split::bytes>>, std::optional<memory_of<split::bf16>>,
             std::optional<memory_of<split::f16>>, std::optional<memory_of<split::f32>>,
             std::optional<memory_of<split::e4m3>>>
      rooms_;
};

}  // namespace onepass::ONEPASS_ABI::packed
