// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/classic/strategies/block.hpp>
#include <onepass/classic/strategies/catalogue.hpp>

namespace onepass::classic {

// The block networks of the literature: each scans one value a lane. Lanes have put theirs at at(lane); the network
// leaves inclusive prefixes there (exclusive ones, and the total at root(), where it says so). docs/strategies.md draws
// them.

/// One lane does everything.
template <class Block>
ONEPASS_FUNCTION void serial_network(Block& b)
{
  b.step([&](int lane) {
    if (lane > 0) return;
    ONEPASS_NO_UNROLL for (int i = 1; i < b.lanes(); ++i) b.at(i) = b.combine(b.at(i - 1), b.at(i));
  });
  b.barrier();
}

/// Hillis and Steele, Kogge and Stone: every lane takes in the lane 1, 2, 4, ... before it. The second row of memory is
/// what a step writes, whole, so that no lane reads what this step wrote.
template <class Block>
ONEPASS_FUNCTION void kogge_stone(Block& b)
{
  ONEPASS_NO_UNROLL for (int d = 1; d < b.lanes(); d *= 2)
  {
    b.step([&](int lane) { b.spare(lane) = lane >= d ? b.combine(b.at(lane - d), b.at(lane)) : b.at(lane); });
    b.swap_rows();
  }
}

/// Sklansky: the upper half of every group of 2, 4, 8, ... takes in the last of the lower half. `from` is the half's
/// length to begin with.
template <class Block>
ONEPASS_FUNCTION void sklansky(Block& b, int from = 1)
{
  ONEPASS_NO_UNROLL for (int d = from; d < b.lanes(); d *= 2) b.step([&](int lane) {
    if (lane / d % 2 == 1) b.at(lane) = b.combine(b.at(lane / d * d - 1), b.at(lane));
  });
}

/// The lanes of the unrolled tree, as a number that the compiler knows.
inline constexpr int unrolled_lanes = 256;
struct unrolled {
  ONEPASS_FUNCTION constexpr operator int() const { return unrolled_lanes; }
};

/// f(1), f(2), f(4), ... below `end`: as straight code where the compiler knows the end.
template <class F>
ONEPASS_FUNCTION void doubling(int end, F const& f)
{
  ONEPASS_NO_UNROLL for (int s = 1; s < end; s *= 2) f(s);
}
template <class F>
ONEPASS_FUNCTION void doubling(unrolled end, F const& f)
{
  ONEPASS_UNROLL for (int s = 1; s < end; s *= 2) f(s);
}
/// f(end / 2), f(end / 4), ... f(1)
template <class F>
ONEPASS_FUNCTION void halving(int end, F const& f)
{
  ONEPASS_NO_UNROLL for (int s = end / 2; s > 0; s /= 2) f(s);
}
template <class F>
ONEPASS_FUNCTION void halving(unrolled end, F const& f)
{
  ONEPASS_UNROLL for (int s = end / 2; s > 0; s /= 2) f(s);
}

/// The tree upwards, from pairs to groups of `upto`: the last lane of each group gets the group's sum.
template <class Block, class Lanes>
ONEPASS_FUNCTION void sweep_up(Block& b, Lanes upto)
{
  doubling(upto, [&](int s) {
    b.step([&](int lane) {
      int const j = 2 * s * (lane + 1) - 1;
      if (j < b.lanes()) b.at(j) = b.combine(b.at(j - s), b.at(j));
    });
  });
}
/// The inclusive tree downwards, from groups of `from`: the middle of each group but the first takes in what lies
/// before the group.
template <class Block>
ONEPASS_FUNCTION void fan_down(Block& b, int from)
{
  halving(from, [&](int s) {
    b.step([&](int lane) {
      int const i = 2 * s * (lane + 1) - 1;
      if (i + s < b.lanes()) b.at(i + s) = b.combine(b.at(i), b.at(i + s));
    });
  });
}

/// Brent and Kung: a tree up, a tree down.
template <class Block>
ONEPASS_FUNCTION void brent_kung(Block& b)
{
  sweep_up(b, b.lanes());
  fan_down(b, b.lanes() / 2);
  b.barrier();
}

/// Blelloch: a tree up; the root is cleared; on the way down a left child gets what its parent has, a right one that
/// and what the left child had. Exclusive. `Lanes` is an integer, or one that the compiler knows, which unrolls the
/// tree.
template <class Block, class Lanes>
ONEPASS_FUNCTION void blelloch(Block& b, Lanes lanes)
{
  sweep_up(b, lanes);
  b.each([&](int lane) {  // the lane that made the root
    if (lane > 0) return;
    b.root()        = b.at(lanes - 1);
    b.at(lanes - 1) = b.identity();
  });
  halving(lanes, [&](int s) {
    b.step([&](int lane) {
      int const j = 2 * s * (lane + 1) - 1;
      if (j >= b.lanes()) return;
      auto const left = b.at(j - s), above = b.at(j);
      b.at(j - s) = above;
      b.at(j)     = b.combine(above, left);
    });
  });
  b.barrier();
}

/// Kogge and Stone in every warp by itself.
template <class Block>
ONEPASS_FUNCTION void kogge_stone_in_warps(Block& b)
{
  ONEPASS_NO_UNROLL for (int d = 1; d < b.warp(); d *= 2)
  {
    b.warp_step(
        [&](int lane) { b.spare(lane) = lane % b.warp() >= d ? b.combine(b.at(lane - d), b.at(lane)) : b.at(lane); });
    b.swap_rows();
  }
}

/// The first `count` of the sums by the lanes of one warp: Kogge and Stone in two rows. Returns the row of the result.
template <class Block>
ONEPASS_FUNCTION int kogge_stone_of_sums(Block& b, int count)
{
  int row = 0;
  ONEPASS_NO_UNROLL for (int d = 1; d < count; d *= 2)
  {
    b.warp_step([&](int lane) {
      if (lane < count)
        b.sums(1 - row)[lane] = lane >= d ? b.combine(b.sums(row)[lane - d], b.sums(row)[lane]) : b.sums(row)[lane];
    });
    row = 1 - row;
  }
  return row;
}

/// The tree upwards until a value a lane of one warp is left; these by Kogge and Stone in two rows; the tree downwards.
template <class Block>
ONEPASS_FUNCTION void reduce_then_naive(Block& b)
{
  int const top = b.warp(), group = b.lanes() / top;
  auto const last = [&](int lane) { return group * (lane + 1) - 1; };
  sweep_up(b, group);
  b.step([&](int lane) {
    if (lane < top) b.sums(0)[lane] = b.at(last(lane));
  });
  int const row = kogge_stone_of_sums(b, top);
  b.warp_step([&](int lane) {
    if (lane < top) b.at(last(lane)) = b.sums(row)[lane];
  });
  fan_down(b, group);
  b.barrier();
}

/// Scan then propagate in a block: warps by Kogge and Stone, then one warp scans their sums, then every warp but the
/// first adds.
template <class Block>
ONEPASS_FUNCTION void warp_brent_kung(Block& b)
{
  kogge_stone_in_warps(b);
  b.step([&](int lane) {
    if (lane < b.warps()) b.sums(0)[lane] = b.at((lane + 1) * b.warp() - 1);
  });
  int const row = kogge_stone_of_sums(b, b.warps());
  b.step([&](int lane) {
    if (lane >= b.warp()) b.at(lane) = b.combine(b.sums(row)[lane / b.warp() - 1], b.at(lane));
  });
}

/// Warps by Kogge and Stone, then groups of warps as Sklansky joins them.
template <class Block>
ONEPASS_FUNCTION void warp_sklansky(Block& b)
{
  kogge_stone_in_warps(b);
  sklansky(b, b.warp());
}

/// Reduce then scan in a block: the lanes of one warp fold a stretch each, scan these sums, and scan their stretches.
/// What lane 0 folds are its results.
template <class Block>
ONEPASS_FUNCTION void raking_network(Block& b)
{
  int const rakers = b.warp(), stretch = b.lanes() / rakers;
  b.step([&](int lane) {
    if (lane >= rakers) return;
    auto sum = b.at(lane * stretch);
    ONEPASS_NO_UNROLL for (int i = 1; i < stretch; ++i)
    {
      sum = b.combine(sum, b.at(lane * stretch + i));
      if (lane == 0) b.at(i) = sum;
    }
    b.sums(0)[lane] = sum;
  });
  int const row = kogge_stone_of_sums(b, rakers);
  b.warp_step([&](int lane) {
    if (lane == 0 || lane >= rakers) return;
    auto sum                                                                              = b.sums(row)[lane - 1];
    ONEPASS_NO_UNROLL for (int i = lane * stretch; i < (lane + 1) * stretch; ++i) b.at(i) = sum =
        b.combine(sum, b.at(i));
  });
  b.barrier();
}

/// Lane l gets what the lanes before it in its warp add up to, bit by bit: a ballot a bit of the counts `of(lane)`, and
/// how many lanes before have it. Counts of up to w lanes have log2(w) + 1 bits: with a plane less, a full warp would
/// count as none.
template <class Block, class F>
ONEPASS_FUNCTION auto sum_by_planes(Block const& b, int lane, int planes, F const& of)
{
  auto sum = of(lane) - of(lane);
  ONEPASS_NO_UNROLL for (int j = 0; j < planes; ++j)
  {
    auto const plane = b.ballot(lane, [&](int l) { return (of(l) >> j & 1) != 0; });
    sum += decltype(sum)(Kokkos::Experimental::popcount_builtin(plane & ((std::uint32_t(1) << lane % b.warp()) - 1)))
           << j;
  }
  return sum;
}

/// Unsigned integers that are added, by ballots over their bits: in every warp, then over the warps' sums.
template <class Block>
ONEPASS_FUNCTION void ballot_network(Block& b, int planes)
{
  b.warp_step(
      [&](int lane) { b.spare(lane) = sum_by_planes(b, lane, planes, [&](int l) { return b.at(l); }) + b.at(lane); });
  b.swap_rows();
  b.step([&](int lane) {
    if (lane < b.warp()) b.sums(0)[lane] = lane < b.warps() ? b.at((lane + 1) * b.warp() - 1) : 0;
  });
  b.warp_step([&](int lane) {
    if (lane < b.warp()) b.sums(1)[lane] = sum_by_planes(b, lane, planes, [&](int l) { return b.sums(0)[l]; });
  });
  b.step([&](int lane) {
    if (lane >= b.warp()) b.at(lane) = b.combine(b.sums(1)[lane / b.warp()], b.at(lane));
  });
}

/// Values whose bits ballots can add.
template <class Monoid>
constexpr bool adds_bits = false;
template <std::unsigned_integral T>
constexpr bool adds_bits<monoid<plus, T>> = true;

/// Scans the lanes' values by a network, chosen when the kernel runs. The caller has checked that it fits
/// (fits_block).
template <class Block, class Monoid>
ONEPASS_FUNCTION void scan_block(network by, Block& b, Monoid const&)
{
  switch (by) {
  case network::serial:
    serial_network(b);
    break;
  case network::kogge_stone:
    kogge_stone(b);
    break;
  case network::sklansky:
    sklansky(b);
    break;
  case network::brent_kung:
  case network::brent_kung_padded:
    brent_kung(b);
    break;
  case network::blelloch:
  case network::blelloch_padded:
    blelloch(b, b.lanes());
    break;
  case network::blelloch_unrolled:
    blelloch(b, unrolled{});
    break;
  case network::reduce_then_naive:
    reduce_then_naive(b);
    break;
  case network::warp_brent_kung:
    warp_brent_kung(b);
    break;
  case network::raking:
    raking_network(b);
    break;
  case network::warp_sklansky:
    warp_sklansky(b);
    break;
  case network::ballot:
    if constexpr (adds_bits<Monoid>) ballot_network(b, 8 * int(sizeof(typename Monoid::type)));
    break;
  }
  b.barrier();
}

}  // namespace onepass::classic
