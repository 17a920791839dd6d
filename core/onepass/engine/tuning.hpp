// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

namespace onepass {

/// The scan of the threads' sums inside a block.
enum class block_network {
  warp_shuffles,  ///< Kogge-Stone in each warp, then over the warps' sums
  raking          ///< groups of `radix` sums folded by one thread each, then the groups
};

/// Numbers that change speed, never results.
struct tuning {
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
};

/// Chosen by the backend from measurements.
struct measured_tuning {};

/// Numbers that no backend may choose: with the two-pass schedule they make one expression tree of the items, so that
/// floats too get the same bits on every space. engine/ensemble.hpp says which tree.
struct canonical_tuning {
  static constexpr tuning numbers{
      .threads = 128, .packs = 9, .min_teams = 8, .network = block_network::raking, .radix = 16};
};

/// Tiles of a few items: every edge and every wait of the machines is met by small inputs. For tests.
struct tiny_tuning {};

}  // namespace onepass
