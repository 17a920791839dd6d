// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>
#include <onepass/engine/registers.hpp>

namespace onepass::ONEPASS_ABI {

// Sums of neighbouring items that go from memory to registers: of a thread, if the operator commutes, and of a warp.

/// What a thread of a team combines of items [first, first + number), by an operator that commutes: packs of 16 bytes,
/// so many at a time.
template <int Together, class T, class Team, class Algebra, class In>
ONEPASS_FUNCTION typename Algebra::type sum_of_thread(Team const& team, Algebra const& sum, In const& in, extent first,
                                                      extent number)
{
  using item        = typename In::value_type;
  auto const lifted = [](item const& x) { return Algebra::lift(static_cast<T>(x)); };
  auto own          = Algebra::identity();
  int const count   = int(number);
  int head = count, body = 0;
  if constexpr (has_packs<In>) {
    constexpr int per = 16 / int(sizeof(item));
    packed_stretch<item> const cut(phase_of(in, first) / int(sizeof(item)), count);
    head = cut.head, body = cut.body;
    ONEPASS_NO_UNROLL for (int begin = team.rank() * per; begin < body; begin += Together * Team::threads * per)
    {
      register_items<item, per> held[Together];
      ONEPASS_UNROLL for (int j = 0; j < Together; ++j)
      {
        int const p = begin + j * Team::threads * per;
        held[j].load(in.data + first + head + (p < body ? p : begin));  // all are on their way together
      }
      ONEPASS_UNROLL for (int j = 0; j < Together; ++j) if (begin + j * Team::threads * per < body)
          ONEPASS_UNROLL for (int k = 0; k < per; ++k) own = sum.combine(own, lifted(held[j].get(k)));
    }
  }
  for (int i = team.rank(); i < count - body; i += Team::threads)
    own = sum.combine(own, lifted(in(first + (i < head ? i : i + body))));
  return own;
}

/// A team whose warps can work on their own. A warp has
///
///   lanes, lane                  their number, a constant; the calling one
///   int count(bool)              lanes that say so, for all of them
///   broadcast(x, from)           a lane's x
///   reduce(algebra, x)           x(0) · x(1) · …, for lane 0
template <class Team>
concept team_of_warps = requires(Team const& team)
{
  team.warp().lanes;
};

/// Items [first, first + number) combined in order, for lane 0 of a warp. A lane has several packs on their way: every
/// so many-th one, or neighbours if the operator does not commute.
template <class T, int Together = 4, class Warp, class Algebra, class In>
ONEPASS_FUNCTION typename Algebra::type sum_of_warp(Warp const& warp, Algebra const& sum, In const& in, extent first,
                                                    int number)
{
  using item             = typename In::value_type;
  constexpr int together = has_packs<In> ? Together : Together / 2;
  constexpr int per      = has_packs<In> ? 16 / int(sizeof(item)) : 1;
  constexpr int stride   = Algebra::commutes ? Warp::lanes * per : per;
  auto const lifted      = [](item const& x) { return Algebra::lift(static_cast<T>(x)); };
  int early              = 0;  // items of the first pack that precede the first item
  if constexpr (has_packs<In>) early = phase_of(in, first) / int(sizeof(item));
  extent const base = first - early;
  int const end     = early + number;
  auto all          = Algebra::identity();
  ONEPASS_NO_UNROLL for (int begin = 0; begin < end; begin += together * Warp::lanes * per)
  {
    int const mine = begin + warp.lane * (Algebra::commutes ? per : together * per);
    register_items<item, per> held[together];
    ONEPASS_UNROLL for (int r = 0; r < together; ++r)
    {
      int const i = mine + r * stride;
      if (i >= early && i + per <= end) {
        if constexpr (per > 1) held[r].load(in.data + base + i);
        else held[r].set(0, in(base + i));
      }
    }
    auto own = Algebra::identity();
    ONEPASS_UNROLL for (int r = 0; r < together; ++r)
    {
      int const i = mine + r * stride;
      if (i >= early && i + per <= end) {
        ONEPASS_UNROLL for (int k = 0; k < per; ++k) own = sum.combine(own, lifted(held[r].get(k)));
      } else
        ONEPASS_NO_UNROLL for (int k = i < early ? early - i : 0; k < per && i + k < end; ++k) own =
            sum.combine(own, lifted(in(base + i + k)));
    }
    if constexpr (Algebra::commutes) all = sum.combine(all, own);
    else {
      auto const of_lanes = warp.reduce(sum, own);
      if (warp.lane == 0) all = sum.combine(all, of_lanes);
    }
  }
  if constexpr (Algebra::commutes) return warp.reduce(sum, all);
  else return all;
}

}  // namespace onepass::ONEPASS_ABI
