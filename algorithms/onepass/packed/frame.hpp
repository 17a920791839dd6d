// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/huffman.hpp>
#include <onepass/packed/container.hpp>

#include <optional>

namespace onepass::ONEPASS_ABI::packed {

/// A payload in two pieces, which follow one another: what is coded, and the rest of the items. A raw frame has one.
///
/// \ingroup packed
struct encoded_payload {
  frame_header header;  ///< without checksums
  byte_view front;      ///< index and tiles, or the contents of a raw frame
  byte_view rest;       ///< planes of the rest
};

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
    std::vector<std::uint8_t> room(data.size());
    auto [h, front, rest] = encode_payload(wanted, data, room);
    running_checksum sum;
    sum.add(front), sum.add(rest);
    h.decoded_sum = checksum(data);
    h.payload_sum = sum.value();
    h.write(to);
    to.insert(to.end(), front.begin(), front.end());
    to.insert(to.end(), rest.begin(), rest.end());
    return h;
  }

  /// The payload alone, in `to`, which has data.size() bytes or more and is aligned to 16 bytes. The header lacks both
  /// checksums: they are the caller's, who may take them while the codec has another frame.
  ///
  /// Errors and cost: as encode(), without the passes of checksums and, if the space can access host memory, of copies.
  encoded_payload encode_payload(frame_kind wanted, byte_view data, std::span<std::uint8_t> to)
  {
    require(data.size() <= frame_header::most_decoded && data.size() % item_bytes(wanted) == 0, "packed: ", data.size(),
            " bytes of ", packed::name_of(wanted), " do not go into a frame");
    require(to.size() >= data.size(), "packed: ", to.size(), " bytes for the payload of ", data.size());
    to = to.first(data.size());
    encoded_payload made;
    if (wanted != frame_kind::raw && !data.empty() && encode_smaller(wanted, data, made, to)) return made;
    std::copy(data.begin(), data.end(), to.begin());
    return {{.items = data.size()}, to, {}};
  }

  /// out = the decoded bytes of the frame. `payload` and `out` are aligned to 16 bytes; `out` has h.decoded_bytes().
  ///
  /// Errors: throws precondition_error for an `out` of another size, format_error if the payload or the result does not
  /// have its checksum. Cost: the payload is copied to the device and the items back, with a fence; if the space can
  /// access host memory, nothing is copied.
  void decode(frame_header const& h, byte_view payload, std::span<std::uint8_t> out)
  {
    h.check_size(payload);
    h.check_payload_sum(checksum(payload));
    decode_payload(h, payload, out);
    h.check_decoded_sum(checksum(out));
  }

  /// The same without the two checksums, which are the caller's (frame_header::check_payload_sum, check_decoded_sum).
  void decode_payload(frame_header const& h, byte_view payload, std::span<std::uint8_t> out)
  {
    require(out.size() == h.decoded_bytes(), "packed: ", out.size(), " bytes for a frame that holds ",
            h.decoded_bytes());
    h.check_index(payload);
    if (h.kind == frame_kind::raw) std::copy(payload.begin(), payload.end(), out.begin());
    else with_split(h.kind, [&](auto s) { decode_as<decltype(s)>(h, payload, out); });
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
      memory_of<Split> made{huffman::make_coded<Split>(where_.space, n, huffman::default_per_lane(n)), {}};
      if (!reaches_host)
        made.items = device<typename Split::item>(
            Kokkos::view_alloc(Kokkos::WithoutInitializing, where_.space, "onepass::packed::items"), std::size_t(n));
      kept = std::move(made);  // whole, whichever allocation fails
    }
    return *kept;
  }

  static constexpr bool reaches_host = Kokkos::SpaceAccessibility<exec, Kokkos::HostSpace>::accessible;

  /// n items of memory on the device that is kept from frame to frame, and grows.
  template <class T>
  device<T> first_of(device<T>& kept, std::size_t n)
  {
    if (kept.size() < n) {
      kept = {};  // what there is goes before there is more
      kept = device<T>(Kokkos::view_alloc(Kokkos::WithoutInitializing, where_.space, "onepass::packed::kept"),
                       n + n / 8);  // the next may take a little more
    }
    return Kokkos::subview(kept, std::pair<std::size_t, std::size_t>(0, n));
  }
  template <class T>
  device<T> brought(device<T>& kept, host<T> const& from)
  {
    auto to = first_of(kept, from.size());
    Kokkos::deep_copy(where_.space, to, from);
    return to;
  }

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

  bool encode_smaller(frame_kind wanted, byte_view data, encoded_payload& made, std::span<std::uint8_t> to)
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
          return encode_as<split::bytes>(frame_kind::bytes, joint, data, made, to);
      }
      return best < double(data.size()) && encode_as<Split>(wanted, lengths, data, made, to);
    });
  }

  /// The rest goes to the end of `to`, since how long the tiles are shows only when they are made.
  template <class Split>
  bool encode_as(frame_kind kind, huffman::code_lengths const& lengths, byte_view data, encoded_payload& made,
                 std::span<std::uint8_t> to)
  {
    auto const n = extent(data.size() / sizeof(typename Split::item));
    auto& h      = made.header;
    h = {.kind = kind, .items = std::uint64_t(n), .per_lane = huffman::default_per_lane(n), .lengths = lengths};
    if (h.payload_bytes() >= data.size()) return false;  // with tiles of nothing
    auto const tiles_at = h.tiles_at(), rest_at = (data.size() - padded(h.rest_bytes())) / 16 * 16;
    huffman::coded<exec> coded{.items = n, .per_lane = h.per_lane};
    host<std::uint32_t> const index(reinterpret_cast<std::uint32_t*>(to.data()), std::size_t(h.layout().tiles()) + 1);
    if constexpr (reaches_host) {
      coded.index = device<std::uint32_t>(index.data(), index.size());
      coded.words =
          device<std::uint32_t>(reinterpret_cast<std::uint32_t*>(to.data() + tiles_at), (rest_at - tiles_at) / 4);
      coded.rest = device<std::uint8_t>(to.data() + rest_at, h.rest_bytes());
    } else coded = room<Split>(n).coded;
    huffman::tables<exec> const book(where_.space, lengths);
    with_items<Split>(reinterpret_cast<typename Split::item const*>(data.data()), n,
                      [&](auto const& items) { huffman::encode<Split>(where_.with(scratch_), book, items, coded); });
    if constexpr (!reaches_host) fetch(index.data(), coded.index);
    where_.space.fence("onepass::packed: index");
    h.units = index[index.size() - 1];
    for (std::size_t t = 0; t + 1 < index.size(); ++t)
      h.longest_tile = std::max(h.longest_tile, index[t + 1] - index[t]);
    if (h.payload_bytes() >= data.size()) return false;

    auto const padding = [&](std::size_t from, std::size_t end) { std::memset(to.data() + from, 0, end - from); };
    padding(index.size() * 4, tiles_at);
    if constexpr (!reaches_host)
      fetch(to.data() + tiles_at, reinterpret_cast<std::uint8_t const*>(coded.words.data()), std::size_t(h.units) * 16);
    split::rest_layout<Split> const planes{n};
    for (int q = 0; q < Split::planes; ++q) {
      auto const begin = std::size_t(planes.begin(q)), size = std::size_t(planes.plane_size(q));
      if constexpr (!reaches_host) fetch(to.data() + rest_at + begin, coded.rest.data() + begin, size);
      padding(rest_at + begin + size, rest_at + padded(begin + size));
    }
    where_.space.fence("onepass::packed: payload");
    made.front = to.first(h.rest_at());
    made.rest  = to.subspan(rest_at, padded(h.rest_bytes()));
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
      coded.index      = brought(index_, index);
      coded.words      = brought(words_, words);
      coded.rest       = brought(rest_, rest);
      auto const there = first_of(std::get<device<item>>(decoded_), here.size());
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
  device<std::uint32_t> index_, words_;  ///< of the frame that is decoded
  device<std::uint8_t> rest_;
  std::tuple<device<std::uint8_t>, device<std::uint16_t>, device<std::uint32_t>> decoded_;
};

}  // namespace onepass::ONEPASS_ABI::packed
