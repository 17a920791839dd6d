// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/classic/strategies/catalogue.hpp>

namespace onepass::classic {

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

/// The tile descriptors of single-pass strategies, in one of two forms:
///   packed   every word has its epoch and status, so a reader needs no fence (engine/descriptor.hpp)
///   fenced   aggregate and inclusive prefix have memory of their own; a writer publishes them before the status,
///            with a fence between, and a reader reads the status before them
template <class Value>
struct chain_board {
  using words_type = backends::kokkos::shared_words;
  using board_type = backends::kokkos::shared_board;
  using ticket     = board_type::ticket;

  board_type board;
  Value* payload = nullptr;  ///< fenced: aggregate and inclusive prefix of tile 0, of tile 1, ...

  ONEPASS_FUNCTION constexpr int words_a_tile() const { return payload ? 1 : descriptor<Value>::words; }

  ONEPASS_FUNCTION ticket draw(extent draws, extent tiles) const { return board.draw(draws, tiles * words_a_tile()); }

  ONEPASS_FUNCTION void publish(ticket const& mine, tile_status status, Value const& value) const
  {
    if (!payload) return board.publish(mine, status, value);
    if (board.withholds(mine, status)) return;
    payload[slot(mine.index, status)] = value;
    Kokkos::memory_fence();
    words_type::store(board.words + mine.index, std::uint64_t(descriptor<Value>::tag(mine.epoch, status)) << 32);
  }

  ONEPASS_FUNCTION sighting<Value> look(extent tile, std::uint32_t epoch) const
  {
    if (!payload) {
      auto const seen = board.template read<Value>(tile);
      return {seen.status(epoch), seen.value()};
    }
    auto const tag = std::uint32_t(words_type::load(board.words + tile) >> 32);
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
      words_type::pause(turn);
      seen = look(tile, epoch);
    }
    return seen;
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

/// What lanes have read of other tiles, in shared memory.
template <class Value>
struct sightings {
  static constexpr int group = 16;

  Value* value;         ///< a lane
  tile_status* status;  ///< a lane
  Value* folded;        ///< a group of lanes

  ONEPASS_FUNCTION static constexpr std::size_t bytes_of(int lanes)
  {
    return std::size_t(lanes + (lanes + group - 1) / group) * sizeof(Value) + std::size_t(lanes) * sizeof(tile_status);
  }
  ONEPASS_FUNCTION sightings(void* memory, int lanes)
      : value(static_cast<Value*>(memory))
      , status(reinterpret_cast<tile_status*>(value + lanes + (lanes + group - 1) / group))
      , folded(value + lanes)
  {}
};

/// The most tiles that are polled together: the lanes of a warp.
inline constexpr int widest_window = 32;

/// The exclusive prefix of the tile, by the whole block, `window` tiles (a power of two) at a time, the nearest in lane
/// 0; a window of 1 is a walk by one lane. Adds the number of inspected tiles to `inspected`, if it is given.
template <class Block, class Board, class Value>
ONEPASS_FUNCTION Value look_back(Block& b, Board const& board, typename Board::ticket const& mine, int window,
                                 sightings<Value> const& seen, int* inspected)
{
  auto prefix = Block::identity();
  for (extent last = mine.index - 1;; last -= window) {
    b.step([&](int lane) {
      if (lane >= window) return;
      seen.status[lane] = tile_status::inclusive_prefix;  // before tile 0 there is nothing, which ends every look-back
      if (lane > last) return;
      auto const s      = board.wait(last - lane, mine.epoch);
      seen.value[lane]  = s.value;
      seen.status[lane] = s.status;
    });
    b.barrier();
    bool found = false;
    for (int w = 0; w < window && !found; ++w) {  // by every lane: a tree over the lanes took longer
      prefix = b.combine(seen.value[w], prefix);
      found  = seen.status[w] == tile_status::inclusive_prefix;
      if (inspected) ++*inspected;
    }
    if (found) return prefix;
    b.each([](int) {});  // a barrier: all have read before any writes again
  }
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

}  // namespace onepass::classic
