// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <type_traits>

namespace onepass {

// Numbers that change speed, never results. Each backend has one file of them, tuning.hpp: an aggregate for each kind
// of program, chosen by a constexpr function from what it depends on, and each_tuning(), which `onepass info` prints.
// An aggregate names its numbers in each(f): f(name, number) for every one.

/// Chosen by the backend from measurements.
struct measured_tuning {};

/// Tiles of a few items: every edge and every wait of the machines is met by small inputs. For tests.
struct tiny_tuning {};

/// The same tiles on every space: with the two-pass schedule they make one expression tree of the items, so that floats
/// too get the same bits everywhere. engine/items/canonical.hpp says which tree.
struct canonical_tuning {};

template <class Tuning>
inline constexpr bool is_tiny = std::is_same_v<Tuning, tiny_tuning>;
template <class Tuning>
inline constexpr bool is_canonical = std::is_same_v<Tuning, canonical_tuning>;

/// The scan of the threads' sums inside a block.
enum class block_network {
  warp_shuffles,  ///< Kogge-Stone in each warp, then over the warps' sums
  raking          ///< groups of `radix` sums folded by one thread each, then the groups
};

/// Numbers of a team that takes a tile of items, or of positions.
struct team_tuning {
  int threads           = 256;  ///< a team
  int packs             = 9;    ///< 16-byte words of items a thread; odd numbers keep the banks apart
  int min_teams         = 1;    ///< resident teams wanted on a multiprocessor: a register limit
  int window            = 32;   ///< tiles looked at together when looking back
  block_network network = block_network::warp_shuffles;
  int radix             = 16;     ///< raking: sums folded by one thread
  bool persistent       = false;  ///< teams draw tickets until none is left

  /// Items a thread takes at a time.
  ONEPASS_FUNCTION constexpr int items_per_thread(std::size_t bytes_per_item) const
  {
    int const n = packs * 16 / int(bytes_per_item);
    return n < 1 ? 1 : n;
  }

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("packs", packs), f("min_teams", min_teams), f("window", window);
    f("persistent", persistent);
  }
};

/// What the canonical tree is made of.
inline constexpr team_tuning canonical_teams{
    .threads = 128, .packs = 9, .min_teams = 8, .network = block_network::raking, .radix = 16};

/// Keys of that many bytes from which on counting them sorts faster than moving them, on GPUs and on host threads
/// alike: it is four kernels, and there are tables to go through.
template <class Tuning>
constexpr extent counting_sort_from(std::size_t key_bytes)
{
  if (is_tiny<Tuning>) return 1;
  return extent(1) << (key_bytes == 1 ? 20 : 22);
}

/// Items from which on host threads encode by a table of the codes of pairs, which must be made first.
template <class Tuning>
constexpr extent codes_of_pairs_from()
{
  return is_tiny<Tuning> ? 0 : extent(1) << 22;
}

}  // namespace onepass
