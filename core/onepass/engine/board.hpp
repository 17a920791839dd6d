// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/descriptor.hpp>

namespace onepass::ONEPASS_ABI {

/// What a tile has published, or some neighbours of it combined.
template <class Value>
struct sight {
  Value value;
  bool whole;  ///< an inclusive prefix: nothing before it is missing
};

/// The status board of one launch: a control word {epoch, next ticket} and a descriptor per tile. `Memory` is how a
/// backend shares words between teams: load, store and fetch_add at device scope, of which nothing but the word itself
/// is asked, and what a waiting thread does in each turn of its loop. On hosts loads acquire what stores release.
template <class Memory>
struct board {
  std::uint64_t* control;  ///< initialised to {1, 0} with the workspace, advanced by the last ticket of every launch
  std::uint64_t* words;
  extent capacity;  ///< number of words in the workspace
  int anchor = 1;   ///< only every anchor-th tile publishes its inclusive prefix; more than 1 in tests alone
  Memory memory{};  ///< not no_unique_address: nvcc and g++ would lay an empty one out differently

  struct ticket {
    extent index;  ///< of the tile
    std::uint32_t epoch;

    /// In one word, which the thread that drew the ticket passes on to its team.
    ONEPASS_FUNCTION std::uint64_t word() const { return std::uint64_t(epoch) << 32 | std::uint64_t(index); }
    ONEPASS_FUNCTION static ticket of(std::uint64_t word)
    {
      return {extent(word & 0xffffffffu), std::uint32_t(word >> 32)};
    }
  };

  /// Draws the next tile. Every launch draws exactly `draws` tickets; the last draw opens the next launch, which is why
  /// a replayed CUDA graph works. The launch uses the first `used` words: of the others one is cleared per launch, each
  /// in its turn, so that no word is still there when its epoch comes round again.
  ONEPASS_FUNCTION ticket draw(extent draws, extent used) const
  {
    auto const mine = ticket::of(memory.fetch_add(control, 1));
    if (mine.index == draws - 1) close(mine.epoch, used);
    return mine;
  }

  ONEPASS_FUNCTION std::uint32_t current_epoch() const { return ticket::of(memory.load(control)).epoch; }

  ONEPASS_FUNCTION void close(std::uint32_t epoch, extent used) const
  {
    extent const scrubbed = extent(epoch) % capacity;
    if (scrubbed >= used) memory.store(words + scrubbed, 0);
    memory.store(control, ticket{0, onepass::epoch::next(epoch)}.word());
  }

  /// Whether the tile does not publish this status: reluctant launches (tests) publish few inclusive prefixes.
  ONEPASS_FUNCTION bool withholds(ticket const& mine, tile_status status) const
  {
    return anchor > 1 && status == tile_status::inclusive_prefix
           && mine.index % anchor != 0;  // the test of anchor first: it saves a 64-bit division
  }

  template <class Value>
  ONEPASS_FUNCTION void publish(ticket const& mine, tile_status status, Value const& value) const
  {
    if (withholds(mine, status)) return;
    auto const made = descriptor<Value>::make(mine.epoch, status, value);
    for (int w = 0; w < descriptor<Value>::words; ++w)
      memory.store(words + mine.index * descriptor<Value>::words + w, made.word[w]);
  }

  template <class Value>
  ONEPASS_FUNCTION descriptor<Value> read(extent tile) const
  {
    descriptor<Value> seen;
    for (int w = 0; w < descriptor<Value>::words; ++w)
      seen.word[w] = memory.load(words + tile * descriptor<Value>::words + w);
    return seen;
  }

  /// What a thread does between two reads of a word that is not published yet.
  ONEPASS_FUNCTION static void pause(int turn) { Memory::pause(turn); }

  /// Polls until the tile has published. The wait is finite: only a running team draws a ticket, and a tile publishes
  /// its aggregate without waiting for any other tile.
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

}  // namespace onepass::ONEPASS_ABI
