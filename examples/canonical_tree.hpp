// SPDX-License-Identifier: Apache-2.0
// The canonical tree, version 1 (docs/canonical.md), in plain C++.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

/// Everything before each item of x, as canonically() combines it, and `total`: all of it. `leaf` is the number of
/// items of a leaf: 144 / bytes of an item. Where results are compacted, a tile's items are combined by themselves
/// first.
template <class T, class Op>
std::vector<T> canonical_scan(std::vector<T> const& x, T init, T identity, Op op, std::size_t leaf, T& total,
                              bool compacted = false)
{
  std::vector<T> out;
  T blocks = init, clusters = identity, tiles = identity;
  for (std::size_t tile = 1, i = 0; i < x.size(); ++tile) {
    T const before = op(blocks, op(clusters, tiles));
    T groups       = identity;
    for (int g = 0; g < 16; ++g) {
      T leaves = identity;
      for (int l = 0; l < 16; ++l) {
        T own = identity, running = op(groups, leaves);
        if (!compacted) running = op(before, running);
        for (std::size_t const end = std::min(i + leaf, x.size()); i < end; ++i) {
          out.push_back(compacted ? op(before, running) : running);
          running = op(running, x[i]);
          own     = op(own, x[i]);
        }
        leaves = op(leaves, own);
      }
      groups = op(groups, leaves);
    }
    tiles = op(tiles, groups);
    if (tile % 16 == 0) clusters = op(clusters, tiles), tiles = identity;
    if (tile % 256 == 0) blocks = op(blocks, clusters), clusters = identity;
  }
  total = op(blocks, op(clusters, tiles));
  return out;
}
