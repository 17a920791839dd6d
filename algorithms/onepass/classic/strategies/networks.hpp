// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/classic/strategies/block.hpp>
#include <onepass/classic/strategies/catalogue.hpp>

namespace onepass::ONEPASS_ABI::classic {

// The block networks of the literature: each scans one value per lane. Lanes have put their values at at(lane); the
// network replaces them by inclusive prefixes (or, where noted, by exclusive ones, with the total at root()).
// docs/strategies.md has drawings.

/// Serial: one lane does everything.
template <class Block>
ONEPASS_FUNCTION void serial_network(Block& b)
{
  b.step([&](int lane) {
    if (lane > 0) return;
    ONEPASS_NO_UNROLL for (int i = 1; i < b.lanes(); ++i) b.at(i) = b.combine(b.at(i - 1), b.at(i));
  });
  b.barrier();
}

/// Hillis and Steele, Kogge and Stone: every lane adds the value of the lane 1, 2, 4, ... before it. Each step writes
/// the second row of memory, so that no lane reads what this step wrote.
template <class Block>
ONEPASS_FUNCTION void kogge_stone(Block& b)
{
  ONEPASS_NO_UNROLL for (int d = 1; d < b.lanes(); d *= 2)
  {
    b.step([&](int lane) { b.spare(lane) = lane >= d ? b.combine(b.at(lane - d), b.at(lane)) : b.at(lane); });
    b.swap_rows();
  }
}

/// Sklansky: the lanes of the upper half of every group of 2, 4, 8, ... add the last value of the lower half. `from` is
/// the length of a half in the first step.
template <class Block>
ONEPASS_FUNCTION void sklansky(Block& b, int from = 1)
{
  ONEPASS_NO_UNROLL for (int d = from; d < b.lanes(); d *= 2) b.step([&](int lane) {
    if (lane / d % 2 == 1) b.at(lane) = b.combine(b.at(lane / d * d - 1), b.at(lane));
  });
}

/// The number of lanes of the unrolled tree.
inline constexpr int unrolled_lanes = 256;
struct unrolled {
  ONEPASS_FUNCTION constexpr operator int() const { return unrolled_lanes; }
};

/// Calls f(1), f(2), f(4), ... below `end`; unrolled if `end` is a compile-time constant.
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
/// Calls f(end / 2), f(end / 4), ... f(1)
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

/// The up-sweep of a tree, from pairs to groups of `upto`: the last lane of each group gets the group's sum.
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
/// The inclusive down-sweep, from groups of `from`: the middle of each group but the first adds the prefix before the
/// group.
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

/// Brent and Kung: an up-sweep, then an inclusive down-sweep.
template <class Block>
ONEPASS_FUNCTION void brent_kung(Block& b)
{
  sweep_up(b, b.lanes());
  fan_down(b, b.lanes() / 2);
  b.barrier();
}

/// Blelloch: an up-sweep; the root is cleared; in the down-sweep a left child gets its parent's value, and a right
/// child the combination of that and the left child's old value. Exclusive. `Lanes` is an integer, or an integral
/// constant, which unrolls the tree.
template <class Block, class Lanes>
ONEPASS_FUNCTION void blelloch(Block& b, Lanes lanes)
{
  sweep_up(b, lanes);
  b.each([&](int lane) {  // the lane that computed the root
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

/// Kogge and Stone within each warp.
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

/// Scans the first `count` sums by the lanes of one warp: Kogge and Stone in two rows. Returns the row of the result.
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

/// An up-sweep until one value per lane of a warp is left; a scan of these by Kogge and Stone in two rows; a
/// down-sweep.
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

/// Scan-then-propagate in a block: each warp by Kogge and Stone, then one warp scans the warps' sums, then every warp
/// but the first adds its prefix.
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

/// Each warp by Kogge and Stone, then groups of warps by Sklansky's steps.
template <class Block>
ONEPASS_FUNCTION void warp_sklansky(Block& b)
{
  kogge_stone_in_warps(b);
  sklansky(b, b.warp());
}

/// Reduce-then-scan in a block: each lane of one warp folds a stretch of values, these sums are scanned, and each lane
/// scans its stretch. The partial folds of lane 0 are already its results.
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

/// The sum of the counts `of(lane)` over the lanes of the warp before `lane`: for each bit of the counts (a plane), a
/// ballot gives the number of earlier lanes that have it. Counts of up to w have log2(w) + 1 bits: with one plane
/// fewer, a full warp would count as 0.
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

/// Sums of unsigned integers by ballots over their bits: in each warp, then over the warps' sums.
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

/// Whether values can be added by ballots over their bits.
template <class Monoid>
constexpr bool adds_bits = false;
template <std::unsigned_integral T>
constexpr bool adds_bits<monoid<plus, T>> = true;

/// Scans the lanes' values by a network that is chosen at run time. The caller has checked that it fits the block.
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

}  // namespace onepass::ONEPASS_ABI::classic
