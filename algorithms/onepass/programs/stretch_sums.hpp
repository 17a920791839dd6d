// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/engine/warps.hpp>

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

/// Packs of the items [early, end) behind `base`, which is aligned, on their way to a thread's registers: so many,
/// every `stride` items from `at` on. A pack is loaded whole if the input has all of it, others' items too.
template <int Packs, class In>
struct packs_of_stretch {
  using item = typename In::value_type;

  static constexpr int per = has_packs<In> ? 16 / int(sizeof(item)) : 1;  ///< items of a pack

  extent base;
  int early, end;
  indexed_items<item, per> held[Packs];

  ONEPASS_FUNCTION packs_of_stretch(In const& in, extent first, int number)
      : early(0)
  {
    if constexpr (has_packs<In>) early = phase_of(in, first) / int(sizeof(item));
    base = first - early;
    end  = number > 0 ? number + early : 0;
  }

  ONEPASS_FUNCTION void load(In const& in, int at, int stride)
  {
    ONEPASS_UNROLL for (int r = 0; r < Packs; ++r) if (int const i = at + r * stride; i < end)
    {
      if constexpr (!has_packs<In>) held[r].set(0, in(base + i));
      else if (is_inside(in, i)) held[r].load(in.data + base + i);
    }
  }

  /// What has been loaded so, in order, behind x.
  template <class T, class Algebra>
  ONEPASS_FUNCTION typename Algebra::type sum(Algebra const& algebra, typename Algebra::type x, In const& in, int at,
                                              int stride) const
  {
    auto const lifted = [](item const& next) { return Algebra::lift(static_cast<T>(next)); };
    ONEPASS_UNROLL for (int r = 0; r < Packs; ++r)
    {
      int const i = at + r * stride;
      if (i >= early && i + per <= end) {  // packs wait for each other only in the end
        auto own                                         = lifted(held[r].get(0));
        ONEPASS_UNROLL for (int k = 1; k < per; ++k) own = algebra.combine(own, lifted(held[r].get(k)));
        x                                                = algebra.combine(x, own);
      } else if (i < end) {
        int const low = i < early ? early - i : 0, high = end - i < per ? end - i : per;
        if (!is_inside(in, i))
          ONEPASS_NO_UNROLL for (int k = low; k < high; ++k) x = algebra.combine(x, lifted(in(base + i + k)));
        else if constexpr (per > 4)
          ONEPASS_NO_UNROLL for (int k = low; k < high; ++k) x = algebra.combine(x, lifted(held[r].at(k)));
        else
          ONEPASS_UNROLL for (int k = 0; k < per; ++k) if (k >= low && k < high) x =
              algebra.combine(x, lifted(held[r].get(k)));
      }
    }
    return x;
  }

  /// Whether all of [at, stop) are among the items.
  ONEPASS_FUNCTION bool has_all(int at, int stop) const { return at >= early && stop <= end; }

  /// What load() and sum() do, where has_all() says that nothing is missing.
  ONEPASS_FUNCTION void load_all(In const& in, int at, int stride)
  {
    ONEPASS_UNROLL for (int r = 0; r < Packs; ++r)
    {
      extent const i = base + at + r * stride;
      if constexpr (!has_packs<In>) held[r].set(0, in(i));
      else held[r].load(in.data + i);
    }
  }
  template <class T, class Algebra>
  ONEPASS_FUNCTION T sum_all(Algebra const& algebra) const
  {
    auto const of_pack = [&](int r) {
      T own                                            = static_cast<T>(held[r].get(0));
      ONEPASS_UNROLL for (int k = 1; k < per; ++k) own = algebra.combine_values(own, static_cast<T>(held[r].get(k)));
      return own;
    };
    T x                                              = of_pack(0);
    ONEPASS_UNROLL for (int r = 1; r < Packs; ++r) x = algebra.combine_values(x, of_pack(r));
    return x;
  }

private:
  /// Only the first pack can begin in front of the input.
  ONEPASS_FUNCTION bool is_inside(In const& in, int i) const
  {
    extent const left = in.size - base;
    return (i > 0 || base >= 0) && i + per <= (left < end + per ? int(left) : end + per);
  }
};

/// Items [first, first + number) combined in order, for lane 0 of a warp. A lane has several packs on their way: every
/// so many-th one, or neighbours if the operator does not commute, and then, where there are registers for more than
/// two, the next while lanes combine these.
template <class T, int Together = 4, class Warp, class Algebra, class In>
ONEPASS_FUNCTION typename Algebra::type sum_of_warp(Warp const& warp, Algebra const& sum, In const& in, extent first,
                                                    int number)
{
  constexpr int together = has_packs<In> ? Together : Together / 2;
  using packs            = packs_of_stretch<together, In>;
  constexpr int round    = together * Warp::lanes * packs::per;  // items
  constexpr int stride   = Algebra::commutes ? Warp::lanes * packs::per : packs::per;
  int const own          = warp.lane * (Algebra::commutes ? packs::per : together * packs::per);
  packs some(in, first, number);
  auto all = Algebra::identity();
  if constexpr (Algebra::commutes || Together <= 2) {
    ONEPASS_NO_UNROLL for (int begin = 0; begin < some.end; begin += round)
    {
      some.load(in, begin + own, stride);
      if constexpr (Algebra::commutes) all = some.template sum<T>(sum, all, in, begin + own, stride);
      else {
        auto const x        = some.template sum<T>(sum, Algebra::identity(), in, begin + own, stride);
        auto const of_lanes = warp.reduce(sum, x);
        if (warp.lane == 0) all = sum.combine(all, of_lanes);
      }
    }
    if constexpr (Algebra::commutes) return warp.reduce(sum, all);
    else return all;
  } else {
    auto const load = [&](int begin) {
      if (some.has_all(begin, begin + round)) some.load_all(in, begin + own, stride);
      else some.load(in, begin + own, stride);
    };
    load(0);
    ONEPASS_NO_UNROLL for (int begin = 0; begin < some.end; begin += round)
    {
      auto const add = [&](typename Algebra::type const& x) {
        load(begin + round);
        auto const of_lanes = warp.reduce(sum, x);
        if (warp.lane == 0) all = sum.combine(all, of_lanes);
      };
      // For each its own code: where nothing is missing, nobody asks whether anything is.
      if (some.has_all(begin, begin + round)) add(Algebra::lift(some.template sum_all<T>(sum)));
      else add(some.template sum<T>(sum, Algebra::identity(), in, begin + own, stride));
    }
    return all;
  }
}

}  // namespace onepass::ONEPASS_ABI
