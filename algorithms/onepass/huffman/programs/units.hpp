// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/programs/tile_header.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// A unit of a lane in 32-bit words, to and from memory: items at `items` (null where only the rest is wanted), the
/// planes of their rest from `rest` on. `packed` says that both are aligned so that whole units may travel 16 or 8
/// bytes at a time.
template <class Split>
struct unit_memory {
  using item = typename Split::item;

  static constexpr int unit = Split::unit, item_words = unit * int(sizeof(item)) / 4, rest_words = Split::rest_words;

  item* items;
  std::uint8_t* rest;
  extent n;
  bool packed;

  static bool aligned(item const* items, std::uint8_t const* rest)
  {
    return reinterpret_cast<std::uintptr_t>(items) % 16 == 0 && reinterpret_cast<std::uintptr_t>(rest) % 16 == 0;
  }

  ONEPASS_FUNCTION void load_items(extent first, int present, std::uint32_t* words) const
  {
    get(reinterpret_cast<std::uint8_t const*>(items + first), present * int(sizeof(item)), words, item_words);
  }
  ONEPASS_FUNCTION void store_items(extent first, int present, std::uint32_t const* words) const
  {
    put(reinterpret_cast<std::uint8_t*>(items + first), present * int(sizeof(item)), words, item_words);
  }

  ONEPASS_FUNCTION void load_rest(extent first, int present, std::uint32_t* words) const
  {
    each_plane(first, present,
               [&](std::uint8_t* at, int bytes, int w, int count) { get(at, bytes, words + w, count); });
  }
  ONEPASS_FUNCTION void store_rest(extent first, int present, std::uint32_t const* words) const
  {
    each_plane(first, present,
               [&](std::uint8_t* at, int bytes, int w, int count) { put(at, bytes, words + w, count); });
  }

  /// A lane's whole units in memory that is `packed`, by row; nothing is left to be checked.
  struct lane_rows {
    item* items;
    std::uint8_t* plane[Split::planes + 1];

    ONEPASS_FUNCTION void load_items(int row, std::uint32_t* words) const
    {
      move<item_words>(reinterpret_cast<std::uint8_t const*>(items + row * step), words);
    }
    ONEPASS_FUNCTION void store_items(int row, std::uint32_t const* words) const
    {
      move<item_words>(words, reinterpret_cast<std::uint8_t*>(items + row * step));
    }
    ONEPASS_FUNCTION void load_rest(int row, std::uint32_t* words) const
    {
      each_plane([&]<int p, int first, int count>() {
        move<count>(plane[p] + row * (step / 8 * Split::plane_bytes(p)), words + first);
      });
    }
    ONEPASS_FUNCTION void store_rest(int row, std::uint32_t const* words) const
    {
      each_plane([&]<int p, int first, int count>() {
        move<count>(words + first, plane[p] + row * (step / 8 * Split::plane_bytes(p)));
      });
    }

  private:
    static constexpr int step = tile_lanes * unit;  ///< items from row to row

    template <class F>
    ONEPASS_FUNCTION static void each_plane(F const& f)
    {
      constexpr int first = unit / 8 * Split::plane_bytes(0) / 4;
      if constexpr (Split::planes > 0) f.template operator()<0, 0, first>();
      if constexpr (Split::planes > 1) f.template operator()<1, first, unit / 8 * Split::plane_bytes(1) / 4>();
    }
    template <int count>
    ONEPASS_FUNCTION static void move(std::uint8_t const* from, std::uint32_t* words)
    {
      if constexpr (count == 2) {
        auto const p = *reinterpret_cast<raw<std::uint64_t> const*>(from);
        words[0]     = std::uint32_t(p.word);
        words[1]     = std::uint32_t(p.word >> 32);
      } else ONEPASS_UNROLL for (int w = 0; w < count; w += 4)
        {
          pack const p                                            = reinterpret_cast<pack const*>(from)[w / 4];
          ONEPASS_UNROLL for (int k = 0; k < 4; ++k) words[w + k] = p.word[k];
        }
    }
    template <int count>
    ONEPASS_FUNCTION static void move(std::uint32_t const* words, std::uint8_t* to)
    {
      if constexpr (count == 2)
        reinterpret_cast<raw<std::uint64_t>*>(to)->word = std::uint64_t(words[1]) << 32 | words[0];
      else
        ONEPASS_UNROLL for (int w = 0; w < count; w += 4) reinterpret_cast<pack*>(to)[w / 4] = {
            words[w], words[w + 1], words[w + 2], words[w + 3]};
    }
  };
  /// Of the lane whose first unit begins at `first`.
  ONEPASS_FUNCTION lane_rows rows_of(extent first) const
  {
    split::rest_layout<Split> const layout{n};
    lane_rows at{items ? items + first : nullptr, {}};
    ONEPASS_UNROLL for (int p = 0; p < Split::planes; ++p) at.plane[p] =
        rest + layout.begin(p) + first / 8 * Split::plane_bytes(p);
    return at;
  }

  /// Where the rest of items from `first` on, the first of a unit, lies.
  split::detail::plane_pointers planes(extent first) const
  {
    split::detail::plane_pointers at{};
    split::rest_layout<Split> const layout{n};
    for (int p = 0; p < Split::planes; ++p)
      at[std::size_t(p)] = rest + layout.begin(p) + first / 8 * Split::plane_bytes(p);
    return at;
  }

private:
  /// f(where the unit's part of a plane is, its bytes, the first of its words, its words)
  template <class F>
  ONEPASS_FUNCTION void each_plane(extent first, int present, F const& f) const
  {
    split::rest_layout<Split> const layout{n};
    int w = 0;
    ONEPASS_UNROLL for (int p = 0; p < Split::planes; ++p)
    {
      int const b = Split::plane_bytes(p), bytes = b < 8 ? (present + 7) / 8 * b : present * (b / 8);
      f(rest + layout.begin(p) + first / 8 * b, bytes, w, unit / 8 * b / 4);
      w += unit / 8 * b / 4;
    }
  }

  ONEPASS_FUNCTION void get(std::uint8_t const* from, int bytes, std::uint32_t* words, int count) const
  {
    if (packed && bytes == 4 * count) {
      if (count % 4 == 0) {
        ONEPASS_UNROLL for (int w = 0; w < count; w += 4)
        {
          pack const p                                            = reinterpret_cast<pack const*>(from)[w / 4];
          ONEPASS_UNROLL for (int k = 0; k < 4; ++k) words[w + k] = p.word[k];
        }
      } else {
        auto const p = *reinterpret_cast<raw<std::uint64_t> const*>(from);
        words[0]     = std::uint32_t(p.word);
        words[1]     = std::uint32_t(p.word >> 32);
      }
      return;
    }
    ONEPASS_UNROLL for (int w = 0; w < count; ++w)
    {
      words[w] = 0;
      for (int b = 0; b < 4; ++b)
        if (4 * w + b < bytes) words[w] |= std::uint32_t(from[4 * w + b]) << 8 * b;
    }
  }

  ONEPASS_FUNCTION void put(std::uint8_t* to, int bytes, std::uint32_t const* words, int count) const
  {
    if (packed && bytes == 4 * count) {
      if (count % 4 == 0) {
        ONEPASS_UNROLL for (int w = 0; w < count; w += 4) reinterpret_cast<pack*>(to)[w / 4] = {
            words[w], words[w + 1], words[w + 2], words[w + 3]};
      } else reinterpret_cast<raw<std::uint64_t>*>(to)->word = std::uint64_t(words[1]) << 32 | words[0];
      return;
    }
    ONEPASS_UNROLL for (int w = 0; w < count; ++w) for (int b = 0; b < 4; ++b) if (4 * w + b < bytes) to[4 * w + b] =
        std::uint8_t(words[w] >> 8 * b);
  }
};

}  // namespace onepass::ONEPASS_ABI::huffman
