// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/execution/tuning.hpp>

#include <vector>

namespace onepass::ONEPASS_ABI {

// The canonical tree, version 1: docs/canonical.md says what it is, examples/canonical_tree.hpp writes it down for an
// array. Everything is folded from the left and begins with the identity:
//
//   leaf      `leaf` items             group     16 leaves              tile      16 groups
//   cluster   16 tiles                 block     16 clusters            all       initial · block0 · block1 · ...
//
// A tile's prefix is blocks · (clusters of the next block · tiles of the next cluster): a function of its position,
// which a machine can make as it goes.

/// The tree's numbers for one program.
template <class Program>
struct canonical_tree {
  static constexpr team_tuning numbers = canonical_teams_for(sizeof(typename Program::aggregate_type));
  static constexpr int radix           = numbers.radix;
  static constexpr int leaf            = numbers.items_per_thread(bytes_per_item<Program>);  ///< items of a leaf
  static constexpr int leaves          = numbers.threads;  ///< of a tile; as many tiles are a block
  static constexpr int items           = leaf * leaves;    ///< of a tile
};

/// The program as the tree takes it: its memos are rounded before they are combined. Compilers see that a transform
/// multiplies and an operator adds, and fuse them here and not there.
template <class Program>
struct with_unfused_memos : Program {
  template <class... Argument>
  ONEPASS_FUNCTION typename Program::memo_type evaluate(Argument const&... argument) const
  {
    return unfused(Program::evaluate(argument...));
  }
};
template <class Program>
concept makes_numbers = requires(typename Program::memo_type const memo)
{
  unfused(memo);
};
template <class Program>
using canonical_program = std::conditional_t<makes_numbers<Program>, with_unfused_memos<Program>, Program>;

/// What is before a tile, by one thread that is told of tile after tile.
template <class Program>
class canonical_prefix {
  using tree      = canonical_tree<Program>;
  using aggregate = typename Program::aggregate_type;

public:
  explicit canonical_prefix(Program const& program)
      : blocks_(program.initial())
  {}

  /// Everything before the next tile.
  aggregate before(Program const& program) const
  {
    return program.combine(blocks_, program.combine(clusters_, tiles_));
  }

  /// Adds the next node: a tile, or all tiles of a whole cluster or block, combined.
  void add(Program const& program, aggregate const& node, extent tiles = 1)
  {
    number_ += tiles;
    if (tiles == tree::leaves) blocks_ = program.combine(blocks_, node);
    else {
      auto& parts = tiles == tree::radix ? clusters_ : tiles_;
      parts       = program.combine(parts, node);
      if (tiles == 1 && number_ % tree::radix == 0) {
        clusters_ = program.combine(clusters_, tiles_);
        tiles_    = Program::identity();
      }
      if (number_ % tree::leaves == 0) {
        blocks_   = program.combine(blocks_, clusters_);
        clusters_ = Program::identity();
      }
    }
  }

private:
  aggregate blocks_, clusters_ = Program::identity(), tiles_ = Program::identity();
  extent number_ = 0;  ///< of the next tile
};

/// Neighbouring tiles that are one node: a block, a cluster, or one tile.
struct canonical_node {
  extent first, tiles;
};

/// Tiles [first, last) as few nodes, in order.
template <class Tree>
std::vector<canonical_node> nodes_of(extent first, extent last)
{
  std::vector<canonical_node> nodes;
  auto const holds = [&](extent tiles) { return first % tiles == 0 && last - first >= tiles; };
  for (; first < last; first += nodes.back().tiles)
    nodes.push_back({first, holds(Tree::leaves) ? Tree::leaves : holds(Tree::radix) ? Tree::radix : 1});
  return nodes;
}

/// The node that so many tiles are.
template <class Program>
typename Program::aggregate_type node_of(Program const& program, typename Program::aggregate_type const* totals,
                                         extent tiles)
{
  if (tiles == 1) return *totals;
  constexpr int radix = canonical_tree<Program>::radix;
  auto node           = Program::identity();
  for (int k = 0; k < radix; ++k)
    node = program.combine(node, node_of(program, totals + k * (tiles / radix), tiles / radix));
  return node;
}

}  // namespace onepass::ONEPASS_ABI
