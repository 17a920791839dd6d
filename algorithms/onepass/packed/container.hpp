// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/codebook/canonical.hpp>
#include <onepass/huffman/layout.hpp>
#include <onepass/huffman/split.hpp>
#include <onepass/packed/bytes.hpp>

namespace onepass::ONEPASS_ABI::packed {

/// \addtogroup packed
///
/// container.hpp: the bytes of a packed file, as docs/format.md describes them: headers, frames and table. None of it
/// touches a device or waits.
/// \{

/// How the items of a frame are stored: as they are, or coded by the split of this name (huffman/split.hpp).
enum class frame_kind : std::uint8_t { raw, bytes, bf16, f16, f32, e4m3 };
inline constexpr int frame_kinds = 6;  ///< the number of kinds

/// The kind's name, that of its enumerator.
constexpr char const* name_of(frame_kind k)
{
  constexpr char const* names[] = {"raw", "bytes", "bf16", "f16", "f32", "e4m3"};
  return names[int(k)];
}

/// Calls f(Split{}) with the split of a kind, split::bytes for raw frames. Returns f's result.
template <class F>
decltype(auto) with_split(frame_kind k, F const& f)
{
  switch (k) {
  case frame_kind::bf16:
    return f(split::bf16{});
  case frame_kind::f16:
    return f(split::f16{});
  case frame_kind::f32:
    return f(split::f32{});
  case frame_kind::e4m3:
    return f(split::e4m3{});
  default:
    return f(split::bytes{});
  }
}

/// The bytes of an item of this kind.
inline std::size_t item_bytes(frame_kind k)
{
  return with_split(k, [](auto s) { return sizeof(typename decltype(s)::item); });
}

/// The header of a frame, from which everything else about it follows.
struct frame_header {
  static constexpr std::size_t bytes_on_file = 192;                   ///< of the header
  static constexpr std::size_t most_decoded  = std::size_t(1) << 30;  ///< the most bytes that a frame can hold
  static constexpr std::uint32_t magic       = 0x72667031;            ///< "1pfr"

  frame_kind kind            = frame_kind::raw;  ///< how its items are stored
  std::uint64_t items        = 0;                ///< the number of items; bytes in a raw frame
  int per_lane               = 0;                ///< symbols per lane; 0 in a raw frame
  std::uint32_t units        = 0;                ///< the size of the tiles, in units of 16 bytes
  std::uint32_t longest_tile = 0;                ///< the units of the longest tile
  huffman::code_lengths lengths{};               ///< the code lengths of the codebook
  std::uint64_t payload_sum = 0;                 ///< checksum of the payload
  std::uint64_t decoded_sum = 0;                 ///< checksum of the decoded bytes

  /// The number of decoded bytes.
  std::size_t decoded_bytes() const { return std::size_t(items) * item_bytes(kind); }
  /// The layout of its tiles.
  huffman::block_layout layout() const
  {
    return with_split(kind, [&](auto s) { return huffman::block_layout{extent(items), per_lane, decltype(s)::unit}; });
  }
  /// Where the tiles begin in the payload, after the index.
  std::size_t tiles_at() const { return padded(std::size_t(layout().tiles() + 1) * 4); }
  /// Where the rest begins in the payload, after the tiles.
  std::size_t rest_at() const { return tiles_at() + std::size_t(units) * 16; }
  /// The bytes of the rest.
  std::size_t rest_bytes() const
  {
    return with_split(kind,
                      [&](auto s) { return std::size_t(split::rest_layout<decltype(s)>{extent(items)}.bytes()); });
  }
  /// The bytes of the payload: index, tiles and rest, or the contents of a raw frame.
  std::size_t payload_bytes() const
  {
    return kind == frame_kind::raw ? std::size_t(items) : rest_at() + padded(rest_bytes());
  }

  /// No frame that holds `decoded` bytes has more than this, its header included: an item is a code of at most 12 bits,
  /// a share of its tile's header, and a rest smaller than itself; what is rounded up is less than two tiles.
  static constexpr std::uint64_t most_bytes(std::uint64_t decoded)
  {
    return bytes_on_file + 3 * decoded + 2 * std::uint64_t(huffman::longest_tile_bytes);
  }

  /// Appends the header's 192 bytes.
  void write(std::vector<std::uint8_t>& to) const
  {
    auto const begin = to.size();
    put(to, magic);
    put(to, std::uint8_t(kind));
    put(to, std::uint8_t(per_lane ? std::countr_zero(unsigned(per_lane)) : 0));
    put(to, std::uint16_t(0));
    put(to, items);
    put(to, std::uint64_t(payload_bytes()));
    put(to, units);
    put(to, longest_tile);
    for (auto const b : huffman::packed(lengths)) put(to, b);
    put(to, payload_sum);
    put(to, decoded_sum);
    put(to, std::uint64_t(0));
    put(to, checksum(byte_view(to).subspan(begin)));
  }

  /// Reads the header in the first 192 bytes. Throws format_error unless it is a header with only possible values.
  static frame_header read(byte_view from)
  {
    reader r{from, "the frame's header"};
    auto const all = r.take(bytes_on_file);
    expect(checksum(all.first(bytes_on_file - 8)) == reader{all.last(8), ""}.get<std::uint64_t>(),
           "the frame's header does not have its checksum");
    r.left = all;
    frame_header h;
    expect(r.get<std::uint32_t>() == magic, "no frame begins here");
    auto const kind = r.get<std::uint8_t>(), log2 = r.get<std::uint8_t>();
    expect(kind < frame_kinds, "the frame is of kind ", int(kind), ", which this version does not know");
    expect(r.get<std::uint16_t>() == 0, "reserved bytes of the frame's header are not zero");
    h.kind  = frame_kind(kind);
    h.items = r.get<std::uint64_t>();
    expect(h.items <= most_decoded / item_bytes(h.kind), "the frame says ", h.items,
           " items; at most 2^30 bytes go into one");
    auto const payload = r.get<std::uint64_t>();
    h.units            = r.get<std::uint32_t>();
    h.longest_tile     = r.get<std::uint32_t>();
    huffman::packed_lengths packed;
    std::memcpy(packed.data(), r.take(packed.size()).data(), packed.size());
    h.lengths     = huffman::unpacked(packed);
    h.payload_sum = r.get<std::uint64_t>();
    h.decoded_sum = r.get<std::uint64_t>();
    expect(r.get<std::uint64_t>() == 0, "reserved bytes of the frame's header are not zero");
    if (h.kind == frame_kind::raw)
      expect(log2 == 0 && h.units == 0 && h.longest_tile == 0 && h.lengths == huffman::code_lengths{},
             "a raw frame has codes");
    else {
      expect(log2 >= 5 && log2 <= 8, "the frame has 2^", int(log2), " symbols a lane; 32 to 256 are allowed");
      h.per_lane = 1 << log2;
      try {
        huffman::require_complete(h.lengths);
      } catch (precondition_error const& e) {
        throw format_error(std::string("the frame's code lengths are wrong: ") + e.what());
      }
      auto const most = h.layout().most_tile_words() / 4;
      expect(h.longest_tile <= most, "the frame's longest tile has ", h.longest_tile, " units; at most ", most,
             " are possible");
      expect(h.units <= std::uint64_t(h.layout().tiles()) * h.longest_tile, "the frame's tiles have ", h.units,
             " units, more than if each were the longest");
    }
    expect(payload == h.payload_bytes(), "the frame's payload has ", payload, " bytes and its parts ",
           h.payload_bytes());
    return h;
  }

  /// Throws format_error unless the payload has the header's size.
  void check_size(byte_view payload) const
  {
    expect(payload.size() == payload_bytes(), "the frame's payload has ", payload.size(), " bytes; ", payload_bytes(),
           " are needed");
  }
  /// Throws format_error unless this is the checksum of the payload.
  void check_payload_sum(std::uint64_t sum) const
  {
    expect(sum == payload_sum, "the frame's payload does not have its checksum");
  }
  /// Throws format_error unless this is the checksum of the decoded bytes.
  void check_decoded_sum(std::uint64_t sum) const
  {
    expect(sum == decoded_sum, "what the frame holds does not have its checksum");
  }
  /// Throws format_error unless the payload has its size and a possible index.
  void check_index(byte_view payload) const
  {
    check_size(payload);
    if (kind == frame_kind::raw) return;
    auto const tiles = std::size_t(layout().tiles());
    reader index{payload, "the frame's index"};
    std::uint32_t at = index.get<std::uint32_t>();
    expect(at == 0, "the frame's first tile begins at unit ", at);
    for (std::size_t t = 0; t < tiles; ++t) {
      auto const next = index.get<std::uint32_t>();
      expect(next >= at && next - at <= longest_tile && next <= units, "tile ", t, " of the frame ends at unit ", next,
             ", which cannot be");
      at = next;
    }
    expect(at == units, "the frame's last tile ends at unit ", at, " of ", units);
  }
};

/// A part of the original file: a tensor, or bytes.
struct segment {
  std::string name;               ///< of the tensor
  std::string type;               ///< the item type as the original file names it
  std::uint64_t first_frame = 0;  ///< number of its first frame
  std::uint64_t frames      = 0;  ///< the number of its frames
};

/// The first 32 bytes of a packed file.
struct file_header {
  static constexpr std::size_t bytes_on_file = 32;                  ///< of the header
  static constexpr std::uint64_t magic       = 0x6b61707373617031;  ///< "1passpak"
  static constexpr std::uint32_t version     = 2;                   ///< of the format

  /// The bytes of the header.
  static std::vector<std::uint8_t> written()
  {
    std::vector<std::uint8_t> to;
    put(to, magic), put(to, version), put(to, std::uint32_t(0)), put(to, std::uint64_t(0));
    put(to, checksum(to));
    return to;
  }

  /// Throws format_error unless the bytes begin with a header of this version.
  static void check(byte_view from)
  {
    reader r{from, "the file's header"};
    expect(from.size() >= 8 && r.get<std::uint64_t>() == magic, "this is no file that onepass packed");
    auto const v = r.get<std::uint32_t>();
    expect(v == version, "the file has version ", v, " of the format; this onepass reads version ", version);
    expect(r.get<std::uint32_t>() == 0 && r.get<std::uint64_t>() == 0,
           "reserved bytes of the file's header are not zero");
    expect(r.get<std::uint64_t>() == checksum(from.first(24)), "the file's header does not have its checksum");
  }
};

/// Where a frame is, and which frame that has to be.
struct frame_place {
  static constexpr std::size_t bytes_on_file = 24;  ///< of an entry of the table

  std::uint64_t at            = 0;  ///< the frame's first byte in the packed file; follows from the sizes before
  std::uint64_t bytes         = 0;  ///< of header and payload
  std::uint64_t decoded_bytes = 0;  ///< the number of decoded bytes
  std::uint64_t header_sum    = 0;  ///< checksum of the frame's header, which has those of payload and contents

  /// The entry of the frame with this header at byte `at`.
  static frame_place of(std::uint64_t at, frame_header const& h)
  {
    std::vector<std::uint8_t> head;
    h.write(head);
    return {at, head.size() + h.payload_bytes(), h.decoded_bytes(), checksum(head)};
  }

  /// The header of the frame at this place. Throws format_error unless the bytes begin with that header.
  frame_header read(byte_view from) const
  {
    auto const h = frame_header::read(from);
    expect(checksum(from.first(frame_header::bytes_on_file)) == header_sum,
           "the frame here is another than the table names");
    expect(h.decoded_bytes() == decoded_bytes, "it holds ", h.decoded_bytes(), " bytes and the table says ",
           decoded_bytes);
    expect(frame_header::bytes_on_file + h.payload_bytes() == bytes, "its payload has ", h.payload_bytes(),
           " bytes and there are ", bytes - frame_header::bytes_on_file);
    return h;
  }
};

/// The table of frames and segments, which follows the frames.
struct table {
  std::vector<frame_place> frames;  ///< in the order of the original
  std::vector<segment> segments;    ///< in the order of the original

  /// Bytes of the original file.
  std::uint64_t decoded_bytes() const
  {
    std::uint64_t sum = 0;
    for (auto const& f : frames) sum += f.decoded_bytes;
    return sum;
  }

  /// The bytes of the table.
  std::vector<std::uint8_t> written() const
  {
    std::vector<std::uint8_t> to;
    put(to, std::uint64_t(frames.size()));
    for (auto const& f : frames) put(to, f.bytes), put(to, f.decoded_bytes), put(to, f.header_sum);
    put(to, std::uint64_t(segments.size()));
    for (auto const& s : segments) {
      put(to, s.first_frame), put(to, s.frames);
      put(to, std::uint32_t(s.name.size())), put(to, std::uint32_t(s.type.size()));
      to.insert(to.end(), s.name.begin(), s.name.end());
      to.insert(to.end(), s.type.begin(), s.type.end());
    }
    return to;
  }

  /// Reads the table in these bytes, which begin at byte `frames_end` of the file. Throws format_error unless every
  /// value in it is possible.
  static table read(byte_view from, std::uint64_t frames_end)
  {
    reader r{from, "the table"};
    table t;
    auto const frames = r.get<std::uint64_t>();
    expect(frames <= r.left.size() / frame_place::bytes_on_file, "the table says ", frames,
           " frames and has no room for them");
    std::uint64_t at = file_header::bytes_on_file;
    for (std::uint64_t f = 0; f < frames; ++f) {
      auto const bytes = r.get<std::uint64_t>(), decoded = r.get<std::uint64_t>();
      expect(bytes >= frame_header::bytes_on_file && at <= frames_end && bytes <= frames_end - at, "frame ", f,
             " is said to have ", bytes, " bytes at byte ", at, ", which cannot be");
      expect(decoded <= frame_header::most_decoded, "frame ", f, " is said to hold ", decoded,
             " bytes; at most 2^30 go into one");
      expect(bytes <= frame_header::most_bytes(decoded), "frame ", f, " is said to have ", bytes, " bytes for ",
             decoded, "; none needs so many");
      t.frames.push_back({at, bytes, decoded, r.get<std::uint64_t>()});
      at += bytes;
    }
    expect(at == frames_end, "the frames end at byte ", at, " and the table begins at ", frames_end);
    auto const segments = r.get<std::uint64_t>();
    expect(segments <= r.left.size() / 24, "the table says ", segments, " segments and has no room for them");
    std::uint64_t next = 0;
    for (std::uint64_t k = 0; k < segments; ++k) {
      segment s;
      s.first_frame = r.get<std::uint64_t>();
      s.frames      = r.get<std::uint64_t>();
      expect(s.first_frame == next && s.frames <= frames - next, "segment ", k,
             " has frames that are not there or belong to another");
      next += s.frames;
      auto const name = r.get<std::uint32_t>(), type = r.get<std::uint32_t>();
      auto const text = [&](std::uint32_t n) {
        auto const b = r.take(n);
        return std::string(b.begin(), b.end());
      };
      s.name = text(name);
      s.type = text(type);
      t.segments.push_back(std::move(s));
    }
    expect(next == frames, "the table has ", frames, " frames and its segments ", next);
    expect(r.left.empty(), "the table has ", r.left.size(), " bytes too many");
    return t;
  }
};

/// The last 56 bytes of a packed file.
struct trailer {
  static constexpr std::size_t bytes_on_file = 56;                  ///< of the trailer
  static constexpr std::uint64_t magic       = 0x646e656b61703170;  ///< "p1pakend"

  std::uint64_t table_at      = 0;  ///< byte of the file where the table begins
  std::uint64_t table_bytes   = 0;  ///< bytes of the table
  std::uint64_t decoded_bytes = 0;  ///< bytes of the original file
  std::uint64_t decoded_sum   = 0;  ///< checksum of the original file
  std::uint64_t table_sum     = 0;  ///< checksum of the table

  /// The bytes of the trailer.
  std::vector<std::uint8_t> written() const
  {
    std::vector<std::uint8_t> to;
    for (auto const x : {magic, table_at, table_bytes, decoded_bytes, decoded_sum, table_sum}) put(to, x);
    put(to, checksum(to));
    return to;
  }

  /// Reads the trailer in the last bytes of a file of `file_bytes` bytes. Throws format_error if they are not a
  /// trailer.
  static trailer read(byte_view from, std::uint64_t file_bytes)
  {
    reader r{from, "the file's end"};
    auto const all = r.take(bytes_on_file);
    r.left         = all;
    expect(r.get<std::uint64_t>() == magic, "the file has no end: it was cut short, or its packing was interrupted");
    trailer t;
    for (auto* x : {&t.table_at, &t.table_bytes, &t.decoded_bytes, &t.decoded_sum, &t.table_sum})
      *x = r.get<std::uint64_t>();
    expect(r.get<std::uint64_t>() == checksum(all.first(bytes_on_file - 8)),
           "the file's end does not have its checksum");
    expect(file_bytes >= bytes_on_file && t.table_at >= file_header::bytes_on_file
               && t.table_at <= file_bytes - bytes_on_file && t.table_bytes == file_bytes - bytes_on_file - t.table_at,
           "the table is said to be at byte ", t.table_at, " with ", t.table_bytes,
           " bytes, which cannot be in a file of ", file_bytes);
    return t;
  }
};

/// \}

}  // namespace onepass::ONEPASS_ABI::packed
