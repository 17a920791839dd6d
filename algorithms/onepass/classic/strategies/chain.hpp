// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_in_situ.hpp>
#include <onepass/classic/strategies/catalogue.hpp>
#include <onepass/engine/lookback.hpp>
#include <onepass/engine/registers.hpp>

namespace onepass::ONEPASS_ABI::classic {

/// How far tiles looked back, summed over all calls that were given it since it was cleared.
struct look_back_distance {
  std::uint64_t tiles, inspected, farthest;
};

/// What a tile has published, as read by another.
template <class Value>
struct sighting {
  tile_status status;
  Value value;
};

/// What a walk has met, and how many tiles that took.
template <class Value>
struct walked {
  Value value;
  int tiles;
};

/// The tile descriptors of single-pass strategies, in one of two forms:
///   packed   every word has its epoch and status, so a reader needs no fence (engine/descriptor.hpp)
///   fenced   aggregate and inclusive prefix have memory of their own; a writer publishes them before the status,
///            with a fence between, and a reader reads the status before them
template <class Value>
struct chain_board {
  using ticket = team_board::ticket;

  team_board board;
  Value* payload = nullptr;  ///< fenced: aggregate and inclusive prefix of tile 0, of tile 1, ...

  ONEPASS_FUNCTION constexpr int words_a_tile() const { return payload ? 1 : descriptor<Value>::words; }

  ONEPASS_FUNCTION ticket draw(extent draws, extent tiles) const { return board.draw(draws, tiles * words_a_tile()); }

  ONEPASS_FUNCTION void publish(ticket const& mine, tile_status status, Value const& value) const
  {
    if (!payload) return board.publish(mine, status, value);
    if (board.withholds(mine, status)) return;
    payload[slot(mine.index, status)] = value;
    Kokkos::memory_fence();
    team_words::store(board.words + mine.index, std::uint64_t(descriptor<Value>::tag(mine.epoch, status)) << 32);
  }

  ONEPASS_FUNCTION sighting<Value> look(extent tile, std::uint32_t epoch) const
  {
    if (!payload) {
      auto const seen = board.template read<Value>(tile);
      return {seen.status(epoch), seen.value()};
    }
    auto const tag = std::uint32_t(team_words::load(board.words + tile) >> 32);
    if (tag >> 2 != epoch) return {tile_status::invalid, {}};
    Kokkos::memory_fence();
    auto const status = static_cast<tile_status>(tag & 3);
    return {status, settled_value(payload[slot(tile, status)])};
  }

  /// Polls until the tile has published at least `wanted`. The wait is finite: only running teams draw tickets, and no
  /// tile waits for a later one.
  ONEPASS_FUNCTION sighting<Value> wait(extent tile, std::uint32_t epoch,
                                        tile_status wanted = tile_status::aggregate) const
  {
    auto seen = look(tile, epoch);
    for (int turn = 0; seen.status < wanted; ++turn) {
      team_words::pause(turn);
      seen = look(tile, epoch);
    }
    return seen;
  }

  /// The same as look_back_window() wants it.
  template <class Walked>
  ONEPASS_FUNCTION sight<Walked> sighted(extent tile, std::uint32_t epoch) const
  {
    auto const seen = wait(tile, epoch);
    return {{seen.value, 1}, seen.status == tile_status::inclusive_prefix};
  }

private:
  ONEPASS_FUNCTION static extent slot(extent tile, tile_status status)
  {
    return 2 * tile + (status == tile_status::inclusive_prefix);
  }

  /// A load that bypasses caches, which may hold an older line.
  ONEPASS_FUNCTION static Value settled_value(Value const& x)
  {
    static_assert(sizeof(Value) % 4 == 0);
    std::uint32_t bits[sizeof(Value) / 4];
    for (std::size_t w = 0; w < sizeof(Value) / 4; ++w)
      bits[w] = reinterpret_cast<raw<std::uint32_t> const volatile*>(&x)[w].word;
    Value made;
    std::memcpy(static_cast<void*>(&made), bits, sizeof(Value));
    return made;
  }
};

/// The most tiles that are polled together: the lanes of a warp.
inline constexpr int widest_window = 32;

/// What lanes have read of other tiles, in shared memory: of a window of tiles before their own, or of those ahead.
template <class Value>
struct sightings {
  static constexpr int group = 16;
  using window_type          = window_memory<walked<Value>, widest_window>;

  window_type* window;
  Value* value;   ///< a lane
  Value* folded;  ///< a group of lanes

  ONEPASS_FUNCTION static constexpr std::size_t bytes_of(int lanes)
  {
    std::size_t const ahead = std::size_t(lanes + (lanes + group - 1) / group) * sizeof(Value);
    return ahead > sizeof(window_type) ? ahead : sizeof(window_type);
  }
  ONEPASS_FUNCTION sightings(void* memory, int lanes)
      : window(static_cast<window_type*>(memory))
      , value(static_cast<Value*>(memory))
      , folded(value + lanes)
  {}
};

/// The exclusive prefix of the tile, by the whole block, `window` tiles (a power of two) at a time, the nearest in lane
/// 0; a window of 1 is a walk by one lane. Returns the number of inspected tiles too.
template <class Block, class Board, class Value>
ONEPASS_FUNCTION walked<Value> look_back(Block& b, Board const& board, typename Board::ticket const& mine, int window,
                                         sightings<Value> const& seen)
{
  struct counting {
    Block const& b;
    ONEPASS_FUNCTION walked<Value> combine(walked<Value> const& older, walked<Value> const& newer) const
    {
      return {b.combine(older.value, newer.value), older.tiles + newer.tiles};
    }
  };
  b.barrier();  // nobody spins before lane 0 has published
  return look_back_window(b, *seen.window, window, board, mine, counting{b});
}

/// Adds the aggregates of tiles [from, to) to `before`, the exclusive prefix of `from`; groups of lanes fold what they
/// have read.
template <class Block, class Board, class Value>
ONEPASS_FUNCTION Value look_ahead(Block& b, Board const& board, extent from, extent to, std::uint32_t epoch,
                                  sightings<Value> const& seen, Value before)
{
  constexpr int group = sightings<Value>::group;
  for (; from < to; from += b.lanes()) {
    int const count = int(to - from < b.lanes() ? to - from : b.lanes());
    b.step([&](int lane) {
      if (lane < count) seen.value[lane] = board.wait(from + lane, epoch).value;
    });
    b.step([&](int lane) {
      if (lane * group >= count) return;
      auto folded = seen.value[lane * group];
      ONEPASS_UNROLL for (int k = 1; k < group; ++k)
      {
        int const i = lane * group + k;
        if (i < count) folded = b.combine(folded, seen.value[i]);
      }
      seen.folded[lane] = folded;
    });
    b.barrier();
    ONEPASS_NO_UNROLL for (int g = 0; g * group < count; ++g) before = b.combine(before, seen.folded[g]);
    b.each([](int) {});
  }
  return before;
}

}  // namespace onepass::ONEPASS_ABI::classic
