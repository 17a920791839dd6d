// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/tiles.hpp>
#include <onepass/huffman/programs/units.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// What a tile's encoding is made of: measure how long each lane's string is and store the rest; make the tile's header
/// of the lengths (seal, tile_header.hpp); write the strings where the tile is to be.
template <class Split>
struct encode_parts {
  block_layout layout;
  unit_memory<Split> memory;
  std::uint32_t const* codes;  ///< encode_table

  static constexpr int unit = Split::unit, item_words = unit_memory<Split>::item_words;

  /// Bits of a lane's string; stores the rest.
  ONEPASS_FUNCTION std::uint32_t measure(extent tile, int lane, std::uint32_t const* table) const
  {
    std::uint32_t bits = 0;
    bool const whole   = memory.packed && layout.full(tile);
    auto const rows    = memory.rows_of(layout.at(tile, 0, lane));
    each_unit(tile, lane, [&](std::uint32_t const* symbols, std::uint32_t const* rest, int present, int row) {
      if (whole) rows.store_rest(row, rest);
      else memory.store_rest(layout.at(tile, row, lane), present, rest);
      ONEPASS_UNROLL for (int k = 0; k < unit; ++k) if (k < present) bits += entry(table, symbols, k) >> 16;
      return true;
    });
    return bits;
  }

  /// Writes a lane's part of a tile of `words` words to `to`. A word belongs to the lane whose string (or what follows
  /// it up to the next) holds its first bit; that lane also writes what other strings have of it. So no lane needs to
  /// wait, and a word is written once.
  ONEPASS_FUNCTION void write(extent tile, int lane, std::uint32_t const* table, header_of const& slot,
                              std::uint32_t* to, std::uint32_t words) const
  {
    if (lane < header_words) to[lane] = slot(lane);
    std::uint32_t const begin = stated_begin(slot, lane);
    std::uint32_t end         = stated_begin(slot, lane + 1);
    std::uint32_t const last  = lane == tile_lanes - 1 ? words : (end + 31) / 32;  // behind the last word of this lane
    writer out{to, (begin + 31) / 32, last, begin / 32, begin % 32, 0};
    put_string(tile, lane, table, out);
    out.fill(end);
    for (int l = lane + 1; !out.full() && l < tile_lanes; ++l) {
      end = stated_begin(slot, l + 1);
      put_string(tile, l, table, out);
      out.fill(end);
    }
    out.fill(words * 32);  // behind the last string
  }

  /// The same to a stage of zeros that the tile's lanes share: where two strings meet in a word, both add their bits.
  ONEPASS_FUNCTION void write_to_stage(extent tile, int lane, std::uint32_t const* table, header_of const& slot,
                                       std::uint32_t* stage) const
  {
    if (lane < header_words) stage[lane] = slot(lane);
    std::uint32_t const begin = stated_begin(slot, lane);
    stage_writer out{stage + begin / 32, begin % 32, 0};
    put_string(tile, lane, table, out);
    if (out.have > 0) out.flush();
  }

private:
  /// f(symbols four a word, rest, how many of the unit there are, row) for a lane's units, until it returns false. Of a
  /// whole tile a few rows are on their way together.
  template <class F>
  ONEPASS_FUNCTION void each_unit(extent tile, int lane, F const& f) const
  {
    constexpr int together = item_words == 4 && unit == 8 ? 4 : 2;
    std::uint32_t symbols[unit / 4], rest[Split::rest_words + 1] = {};
    if (memory.packed && layout.full(tile)) {
      auto const rows = memory.rows_of(layout.at(tile, 0, lane));
      std::uint32_t items[together][item_words];
      ONEPASS_NO_UNROLL for (int row = 0; row < layout.rows(); row += together)
      {
        ONEPASS_UNROLL for (int k = 0; k < together; ++k) rows.load_items(row + k, items[k]);
        ONEPASS_UNROLL for (int k = 0; k < together; ++k)
        {
          Split::part(items[k], symbols, rest);
          if (!f(symbols, rest, unit, row + k)) return;
        }
      }
    } else
      for (int row = 0; row < layout.rows(); ++row) {
        extent const first = layout.at(tile, row, lane);
        int const present  = layout.present(first);
        if (present == 0) return;
        std::uint32_t items[item_words];
        memory.load_items(first, present, items);
        Split::part(items, symbols, rest);
        if (!f(symbols, rest, present, row)) return;
      }
  }
  ONEPASS_FUNCTION static std::uint32_t entry(std::uint32_t const* table, std::uint32_t const* symbols, int k)
  {
    return table[symbols[k / 4] >> k % 4 * 8 & 255u];
  }

  /// Bits into the words [begin, end); the words before belong to somebody else.
  struct writer {
    std::uint32_t* to;
    std::uint32_t begin, end, word, have;
    std::uint64_t bits;

    ONEPASS_FUNCTION bool full() const { return word >= end; }
    ONEPASS_FUNCTION void put(std::uint32_t code, std::uint32_t length)  // at most 24 bits
    {
      bits |= std::uint64_t(code) << have;
      have += length;
      if (have >= 32) flush();
    }
    ONEPASS_FUNCTION void flush()
    {
      if (word >= begin && word < end) to[word] = std::uint32_t(bits);
      ++word;
      bits >>= 32;
      have -= 32;
    }
    /// Zeros up to bit `at`.
    ONEPASS_FUNCTION void fill(std::uint32_t at)
    {
      while (word * 32 + have < at && !full()) {
        std::uint32_t const gap = at - (word * 32 + have), step = gap < 32 - have ? gap : 32 - have;
        have += step;
        if (have >= 32) flush();
      }
    }
  };

  /// Bits added to words that were zero.
  struct stage_writer {
    std::uint32_t* word;
    std::uint32_t have;
    std::uint64_t bits;

    ONEPASS_FUNCTION static constexpr bool full() { return false; }
    ONEPASS_FUNCTION void put(std::uint32_t code, std::uint32_t length)  // at most 24 bits
    {
      bits |= std::uint64_t(code) << have;
      have += length;
      if (have >= 32) flush();
    }
    ONEPASS_FUNCTION void flush()
    {
      Kokkos::atomic_or(word++, std::uint32_t(bits));
      bits >>= 32;
      have -= 32;
    }
  };

  template <class Writer>
  ONEPASS_FUNCTION void put_string(extent tile, int lane, std::uint32_t const* table, Writer& out) const
  {
    each_unit(tile, lane, [&](std::uint32_t const* symbols, std::uint32_t const*, int present, int) {
      ONEPASS_UNROLL for (int k = 0; k < unit; k += 2) if (k < present)
      {  // two codes are joined before they meet those already there
        std::uint32_t const a = entry(table, symbols, k), b = k + 1 < present ? entry(table, symbols, k + 1) : 0;
        out.put((a & 0xffffu) | (b & 0xffffu) << (a >> 16), (a >> 16) + (b >> 16));
      }
      return !out.full();
    });
  }
};

/// Where a block goes.
struct encode_target {
  std::uint32_t* index;
  std::uint32_t* coded;
  std::uint32_t room;  ///< units of four words; a tile that does not fit is not written
};

/// Encoding as a tile program: the aggregate of a group of tiles is its size in units of four words.
template <class Split>
struct encode_groups {
  using aggregate_type = std::uint32_t;

  encode_parts<Split> parts;
  encode_target to;

  ONEPASS_FUNCTION static constexpr std::uint32_t identity() { return 0; }
  ONEPASS_FUNCTION static constexpr std::uint32_t initial() { return 0; }
  ONEPASS_FUNCTION static constexpr std::uint32_t combine(std::uint32_t a, std::uint32_t b) { return a + b; }
  ONEPASS_FUNCTION void finish(std::uint32_t all) const { to.index[parts.layout.tiles()] = all; }

  ONEPASS_FUNCTION extent groups_of(int tiles) const
  {
    extent const all = parts.layout.tiles();
    return all > 0 ? div_up(all, tiles) : 1;
  }
};

template <class Split>
struct encode_alone;

/// By teams: one takes a tile for each 32 of its threads, a thread a lane. It measures them, learns where they go, and
/// writes them by way of its memory where they fit. It reads its items a second time, but while they are still near.
template <class Split>
struct encode_program : encode_groups<Split> {
  using encode_groups<Split>::parts, encode_groups<Split>::to;

  std::uint32_t const* pairs;  ///< for host threads: the codes of pairs of symbols (encode_host.hpp), or null

  encode_alone<Split> alone() const;

  ONEPASS_FUNCTION extent tiles(int threads) const { return this->groups_of(tiles_of_team(threads)); }
  ONEPASS_FUNCTION std::size_t stage_bytes(int threads) const
  {
    return alphabet * sizeof(std::uint32_t)
           + std::size_t(tiles_of_team(threads)) * (sizeof(slot) + room() * sizeof(pack));
  }

  template <class Team>
  ONEPASS_FUNCTION std::uint32_t upsweep(Team const& team, extent group) const
  {
    auto const m = memory_of(team);
    for (int s = team.rank(); s < alphabet; s += Team::threads) m.table[s] = parts.codes[s];
    for (std::uint32_t p = std::uint32_t(team.rank()); p < here<Team> * room(); p += Team::threads) m.strings[p] = {};
    team.barrier();
    each_lane(team, group, [&](int t, extent tile, int lane) {
      reinterpret_cast<raw<std::uint16_t>*>(m.slots[t].words)[lane].word =
          std::uint16_t(parts.measure(tile, lane, m.table));
    });
    team.barrier();
    if (int const t = team.rank(); t < here<Team>)
      m.slots[t].words[units] = group * here<Team> + t < parts.layout.tiles() ? seal(m.slots[t].words) : 0;
    team.barrier();
    return units_before(m, here<Team>);
  }

  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent group, std::uint32_t before) const
  {
    auto const m = memory_of(team);
    each_lane(team, group, [&](int t, extent tile, int lane) {
      std::uint32_t const begin = before + units_before(m, t), size = m.slots[t].words[units];
      if (lane == 0) to.index[tile] = begin;
      if (size <= room()) parts.write_to_stage(tile, lane, m.table, {m.slots[t].words}, &m.strings[t * room()].word[0]);
      else if (begin + size <= to.room)
        parts.write(tile, lane, m.table, {m.slots[t].words}, to.coded + std::size_t(begin) * 4, size * 4);
    });
    team.barrier();
    each_lane(team, group, [&](int t, extent, int lane) {
      std::uint32_t const begin = before + units_before(m, t), size = m.slots[t].words[units];
      if (size <= room() && begin + size <= to.room)
        for (std::uint32_t p = std::uint32_t(lane); p < size; p += tile_lanes)
          reinterpret_cast<pack*>(to.coded)[begin + p] = m.strings[t * room() + p];
    });
  }

private:
  /// Of a tile: the lengths of its strings, then its header and, behind it, the units that it takes.
  struct slot {
    std::uint32_t words[sealed_words];
  };
  static constexpr int units = header_words;

  struct memory {
    std::uint32_t* table;
    slot* slots;
    pack* strings;  ///< room() a tile
  };

  ONEPASS_FUNCTION static constexpr int tiles_of_team(int threads)
  {
    return threads < tile_lanes ? 1 : threads / tile_lanes;
  }
  template <class Team>
  static constexpr int here = tiles_of_team(Team::threads);

  /// Units of a tile in the team's memory: five bits a symbol.
  ONEPASS_FUNCTION std::uint32_t room() const { return std::uint32_t(parts.layout.per_lane * 5 / 4); }

  template <class Team>
  ONEPASS_FUNCTION static memory memory_of(Team const& team)
  {
    auto* const table = reinterpret_cast<std::uint32_t*>(team.stage());
    auto* const slots = reinterpret_cast<slot*>(table + alphabet);
    return {table, slots, reinterpret_cast<pack*>(slots + here<Team>)};
  }

  ONEPASS_FUNCTION static std::uint32_t units_before(memory const& m, int tile)
  {
    std::uint32_t sum = 0;
    for (int t = 0; t < tile; ++t) sum += m.slots[t].words[units];
    return sum;
  }

  /// f(which of the team's tiles, the tile, lane) for the lanes of this thread.
  template <class Team, class F>
  ONEPASS_FUNCTION void each_lane(Team const& team, extent group, F const& f) const
  {
    int const t       = team.rank() / tile_lanes;
    extent const tile = group * here<Team> + t;
    if (tile >= parts.layout.tiles()) return;
    if constexpr (Team::threads < tile_lanes)
      for (int lane = 0; lane < tile_lanes; ++lane) f(t, tile, lane);
    else f(t, tile, team.rank() % tile_lanes);
  }
};

}  // namespace onepass::ONEPASS_ABI::huffman
