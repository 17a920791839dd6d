// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/descriptor.hpp>

namespace onepass {

/// Where the tiles of one launch find each other: a control word {epoch, next ticket} and a descriptor a tile.
/// `Memory` is the backend's way to share words: relaxed load, store, fetch_add and clear at device scope.
template <class Memory>
struct board {
  std::uint64_t* control;  ///< initialised to {1, 0} with the workspace, advanced by the last ticket of every launch
  std::uint64_t* words;
  extent         capacity;    ///< words the workspace holds
  int            anchor = 1;  ///< inclusive prefixes are published by every anchor-th tile; more than 1 only in tests

  struct ticket {
    extent        index;  ///< of the tile
    std::uint32_t epoch;
  };

  /// Draws the next tile. A launch draws exactly `draws` tickets; the last one opens the next launch, which is what
  /// makes a replayed graph right. `used` words are in use now: one of the others, in turn, is cleared, so that no
  /// word outlives the wrap-around of the epoch.
  ONEPASS_FUNCTION ticket draw(extent draws, extent used) const
  {
    const std::uint64_t drawn = Memory::fetch_add(control, 1);
    const ticket        mine{extent(drawn & 0xffffffffu), std::uint32_t(drawn >> 32)};
    if (mine.index == draws - 1) close(mine.epoch, used);
    return mine;
  }

  ONEPASS_FUNCTION std::uint32_t current_epoch() const { return std::uint32_t(Memory::load(control) >> 32); }

  ONEPASS_FUNCTION void close(std::uint32_t epoch, extent used) const
  {
    const extent scrubbed = extent(epoch) % capacity;
    if (scrubbed >= used) Memory::store(words + scrubbed, 0);
    Memory::store(control, std::uint64_t(onepass::epoch::next(epoch)) << 32);
  }

  template <class Value>
  ONEPASS_FUNCTION void publish(ticket const& mine, tile_status status, Value const& value) const
  {
    if (anchor > 1 && status == tile_status::inclusive_prefix && mine.index > 0 && mine.index % anchor != 0) return;  // a division is dear
    const auto made = descriptor<Value>::make(mine.epoch, status, value);
    for (int w = 0; w < descriptor<Value>::words; ++w) Memory::store(words + mine.index * descriptor<Value>::words + w, made.word[w]);
  }

  template <class Value>
  ONEPASS_FUNCTION descriptor<Value> read(extent tile) const
  {
    descriptor<Value> seen;
    for (int w = 0; w < descriptor<Value>::words; ++w) seen.word[w] = Memory::load(words + tile * descriptor<Value>::words + w);
    return seen;
  }

  /// Asks until the tile has published. Finite: a ticket is drawn by a running team only, and a tile publishes its
  /// aggregate without waiting for anybody.
  template <class Value>
  ONEPASS_FUNCTION descriptor<Value> wait(extent tile, std::uint32_t epoch) const
  {
    auto seen = read<Value>(tile);
    while (seen.status(epoch) == tile_status::invalid) {
      Memory::pause();
      seen = read<Value>(tile);
    }
    return seen;
  }
};

}  // namespace onepass
