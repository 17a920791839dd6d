// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/classic/programs/bytewise.hpp>
#include <onepass/extent.hpp>
#include <onepass/huffman/split.hpp>

namespace onepass::ONEPASS_ABI::classic::dfloat11 {

inline constexpr int threads = 512, thread_bytes = 8, block_bytes = threads * thread_bytes;

/// Bytes of shared memory for the items of a team on devices; Kokkos' own scans need some besides.
inline constexpr std::size_t team_buffer = 40 * 1024;

/// What differs between the two forms of the layout.
template <class Split>
struct form;

template <>
struct form<split::bf16> {
  using position                = std::uint32_t;
  static constexpr int gap_bits = 5, longest = 32;

  static constexpr extent rest_bytes(extent n) { return n; }
  static void keep_rest(std::uint8_t* rest, extent i, std::uint16_t x)
  {
    rest[i] = std::uint8_t((x >> 8 & 0x80) | (x & 0x7f));
  }
  ONEPASS_FUNCTION static std::uint16_t join(std::uint8_t const* rest, extent i, std::uint32_t symbol)
  {
    return std::uint16_t((rest[i] & 0x80u) << 8 | symbol << 7 | (rest[i] & 0x7fu));
  }
  static int symbol(std::uint16_t x) { return x >> 7 & 255; }
};

template <>
struct form<split::e4m3> {
  using position                = std::uint64_t;
  static constexpr int gap_bits = 4, longest = 16;

  static constexpr extent rest_bytes(extent n) { return (n + 1) / 2; }
  /// Two items per byte, the first in the upper half.
  static void keep_rest(std::uint8_t* rest, extent i, std::uint8_t x)
  {
    int const kept = (x >> 4 & 8) | (x & 7);
    rest[i / 2]    = std::uint8_t(i % 2 ? rest[i / 2] | kept : kept << 4);
  }
  ONEPASS_FUNCTION static std::uint8_t join(std::uint8_t const* rest, extent i, std::uint32_t symbol)
  {
    std::uint32_t const kept = rest[i / 2] >> (i % 2 ? 0 : 4) & 15u;
    return std::uint8_t((kept & 8u) << 4 | (symbol & 15u) << 3 | (kept & 7u));
  }
  static int symbol(std::uint8_t x) { return x >> 3 & 15; }
};

struct clear_one {
  std::uint32_t* count;
  ONEPASS_FUNCTION void operator()(extent) const { *count = 0; }
};

/// Decodes blocks of 4096 bytes by teams of 512 threads, in two phases: a thread counts the codes that begin in its
/// eight bytes; a scan gives the position of its items; the thread decodes again and writes the items through shared
/// memory. A host thread takes a whole block, and needs no counts. Damage to a block affects only the block's own
/// items.
template <class Split>
struct decoder {
  using item     = typename Split::item;
  using position = typename form<Split>::position;

  bytewise_view tables;
  std::uint8_t const* codes;
  std::uint8_t const* gaps;
  std::uint8_t const* rest;
  position const* positions;
  extent bytes, items;
  item* out;
  std::uint32_t* damaged;  ///< the number of blocks whose contents do not match their positions
  int buffered;            ///< the number of items that fit in shared memory

  ONEPASS_FUNCTION extent blocks() const { return div_up(bytes, block_bytes); }

  /// On hosts.
  void operator()(extent block) const
  {
    extent const begin = first_of(block), end = end_of(block, begin);
    extent at  = begin;
    bool valid = true;
    for (int t = 0; t < threads; ++t)
      valid &= each_symbol(block * threads + t, [&](std::uint32_t symbol) {
        if (at < end) out[at] = form<Split>::join(rest, at, symbol);
        ++at;
      });
    judge(block, valid, at - begin, end - begin);
  }

  /// On devices.
  template <class Team>
  ONEPASS_FUNCTION void operator()(Team const& team) const
  {
    extent const block = team.league_rank(), begin = first_of(block), end = end_of(block, begin),
                 mine = block * threads + team.team_rank();
    int count         = 0;
    bool const valid  = each_symbol(mine, [&](std::uint32_t) { ++count; });
    int const before  = team.team_scan(count);
    int all = before + count, bad = !valid;
    team.team_broadcast(all, threads - 1);
    team.team_reduce(Kokkos::Max<int>(bad));

    auto* const buffer =
        static_cast<item*>(team.team_scratch(0).get_shmem_aligned(std::size_t(buffered) * sizeof(item), 16));
    item* const to = end - begin <= buffered ? buffer : out + begin;  // a block of many short codes does not fit
    extent at      = begin + before;
    each_symbol(mine, [&](std::uint32_t symbol) {
      if (at < end) to[at - begin] = form<Split>::join(rest, at, symbol);
      ++at;
    });
    team.team_barrier();
    int const written = int(end - begin < all ? end - begin : all);
    if (to == buffer)
      for (int i = team.team_rank(); i < written; i += threads) out[begin + i] = buffer[i];
    if (team.team_rank() == 0) judge(block, !bad, all, end - begin);
  }

private:
  ONEPASS_FUNCTION extent at_most(position x) const { return x < position(items) ? extent(x) : items; }
  ONEPASS_FUNCTION extent first_of(extent block) const { return at_most(positions[block]); }
  ONEPASS_FUNCTION extent end_of(extent block, extent begin) const
  {
    extent const end = at_most(positions[block + 1]);
    return end < begin ? begin : end;
  }

  /// The bits after the last code are arbitrary, so the last block may give more items than stated.
  ONEPASS_FUNCTION void judge(extent block, bool valid, extent found, extent stated) const
  {
    bool const last = block == blocks() - 1;
    if (found < stated || (!last && (found > stated || !valid))) Kokkos::atomic_inc(damaged);
  }

  /// Four bytes of the stream, the first the most significant; zeros after the end.
  ONEPASS_FUNCTION std::uint64_t word(extent at) const
  {
    std::uint32_t w                              = 0;
    ONEPASS_UNROLL for (int b = 0; b < 4; ++b) w = w << 8 | (at + b < bytes ? codes[at + b] : 0u);
    return w;
  }

  /// The number of bits at the front of a thread's bytes that belong to the last code of the thread before.
  ONEPASS_FUNCTION int gap(extent thread) const
  {
    constexpr int width = form<Split>::gap_bits;
    extent const bit    = thread * width;
    std::uint32_t two   = std::uint32_t(gaps[bit / 8]) << 8;
    if (bit % 8 + width > 8) two |= gaps[bit / 8 + 1];
    return int(two >> (16 - width - int(bit % 8)) & ((1u << width) - 1));
  }

  /// Calls f(symbol) for the codes that begin in a thread's eight bytes. Returns false, and stops, at bits that begin
  /// no code.
  template <class F>
  ONEPASS_FUNCTION bool each_symbol(extent thread, F const& f) const
  {
    extent const at = thread * thread_bytes;
    if (at >= bytes) return true;
    int used             = gap(thread);
    std::uint64_t window = (word(at) << 32 | word(at + 4)) << used;
    for (int half = 0; half < 2; ++half) {
      while (used < 32) {
        std::uint32_t const symbol = tables.symbol(window);
        if (symbol == bytewise_tables::invalid) return false;
        f(symbol);
        int const length = tables.lengths[symbol];
        window <<= length;
        used += length;
      }
      used -= 32;
      if (half == 0) window |= word(at + 8) << used;
    }
    return true;
  }
};

}  // namespace onepass::ONEPASS_ABI::classic::dfloat11
