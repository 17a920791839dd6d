// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/descriptor.hpp>

namespace onepass {

/// What a tile has published, or some neighbours of it combined.
template <class Value>
struct sight {
  Value value;
  bool whole;  ///< goes back to the beginning
};

/// Where the tiles of one launch find each other: a control word {epoch, next ticket} and a descriptor a tile.
/// `Memory` is the backend's way to share words: relaxed load, store and fetch_add at device scope, and
/// what to do in each turn of a wait.
template <class Memory>
struct board {
  std::uint64_t* control;  ///< initialised to {1, 0} with the workspace, advanced by the last ticket of every launch
  std::uint64_t* words;
  extent capacity;  ///< words the workspace holds
  int anchor = 1;   ///< inclusive prefixes are published by every anchor-th tile; more than 1 only in tests

  struct ticket {
    extent index;  ///< of the tile
    std::uint32_t epoch;

    /// As one word, by which the thread that drew tells its team.
    ONEPASS_FUNCTION std::uint64_t word() const { return std::uint64_t(epoch) << 32 | std::uint64_t(index); }
    ONEPASS_FUNCTION static ticket of(std::uint64_t word)
    {
      return {extent(word & 0xffffffffu), std::uint32_t(word >> 32)};
    }
  };

  /// Draws the next tile. A launch draws exactly `draws` tickets; the last one opens the next launch, which is what
  /// makes a replayed graph right. `used` words are in use now: one of the others, in turn, is cleared, so that no
  /// word outlives the wrap-around of the epoch.
  ONEPASS_FUNCTION ticket draw(extent draws, extent used) const
  {
    auto const mine = ticket::of(Memory::fetch_add(control, 1));
    if (mine.index == draws - 1) close(mine.epoch, used);
    return mine;
  }

  ONEPASS_FUNCTION std::uint32_t current_epoch() const { return ticket::of(Memory::load(control)).epoch; }

  ONEPASS_FUNCTION void close(std::uint32_t epoch, extent used) const
  {
    extent const scrubbed = extent(epoch) % capacity;
    if (scrubbed >= used) Memory::store(words + scrubbed, 0);
    Memory::store(control, ticket{0, onepass::epoch::next(epoch)}.word());
  }

  /// Whether the tile keeps that to itself: reluctant launches publish few inclusive prefixes.
  ONEPASS_FUNCTION bool withholds(ticket const& mine, tile_status status) const
  {
    return anchor > 1 && status == tile_status::inclusive_prefix
           && mine.index % anchor != 0;  // divisions take their time
  }

  template <class Value>
  ONEPASS_FUNCTION void publish(ticket const& mine, tile_status status, Value const& value) const
  {
    if (withholds(mine, status)) return;
    auto const made = descriptor<Value>::make(mine.epoch, status, value);
    for (int w = 0; w < descriptor<Value>::words; ++w)
      Memory::store(words + mine.index * descriptor<Value>::words + w, made.word[w]);
  }

  template <class Value>
  ONEPASS_FUNCTION descriptor<Value> read(extent tile) const
  {
    descriptor<Value> seen;
    for (int w = 0; w < descriptor<Value>::words; ++w)
      seen.word[w] = Memory::load(words + tile * descriptor<Value>::words + w);
    return seen;
  }

  /// Between two looks at what has not been published yet.
  ONEPASS_FUNCTION static void pause(int turn) { Memory::pause(turn); }

  /// Asks until the tile has published. Finite: a ticket is drawn by a running team only, and a tile publishes its
  /// aggregate without waiting for anybody.
  template <class Value>
  ONEPASS_FUNCTION descriptor<Value> wait(extent tile, std::uint32_t epoch) const
  {
    auto seen = read<Value>(tile);
    for (int turn = 0; seen.status(epoch) == tile_status::invalid; ++turn) {
      pause(turn);
      seen = read<Value>(tile);
    }
    return seen;
  }

  /// What the tile has published by then, as those want it who look back.
  template <class Value>
  ONEPASS_FUNCTION sight<Value> sighted(extent tile, std::uint32_t epoch) const
  {
    auto const seen = wait<Value>(tile, epoch);
    return {seen.value(), seen.status(epoch) == tile_status::inclusive_prefix};
  }
};

}  // namespace onepass
