// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/key_codec.hpp>

namespace onepass::ONEPASS_ABI {

// The first item that is wanted, in three steps: nothing is found; tiles look, and those behind what is found so far do
// not; what is found is told. The least of all positions does not depend on who finds what first. Teams take tiles in
// turn, so that the first ones are looked at first, and a team that comes behind what is found is done.

/// The other answer.
template <class Predicate>
struct unless {
  Predicate predicate;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(Item const& x) const
  {
    return !predicate(x);
  }
};

/// First step: behind the last item.
struct nothing_found {
  item_count count;
  extent* found;
  ONEPASS_FUNCTION void operator()(extent) const { *found = count(); }
};

/// Second step, a range program over the items.
template <class In, class Predicate>
struct find_first_program {
  using item = typename In::value_type;

  static constexpr extent alone_at_a_time = extent(1) << 15;
  static constexpr bool in_turns          = true;
  static constexpr extent look_after      = 1024;  ///< items, before a thread asks again what is found
  static constexpr extent few = 64, some = (extent(1) << 18) / (sizeof(item) < 16 ? extent(sizeof(item)) : 16);

  In in;
  Predicate predicate;
  item_count count;
  extent* found;

  ONEPASS_FUNCTION extent size() const { return count(); }

  static constexpr int positions(team_tuning const& numbers)
  {
    return numbers.threads * numbers.items_per_thread(sizeof(item));
  }
  static constexpr int stage_words(int) { return 2; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent to; first < last && first < found_so_far(); first = to) {
      to = first + look_after < last ? first + look_after : last;
      if (extent const at = first_of(first, to); at < to) {
        Kokkos::atomic_min(found, at);
        return;
      }
    }
  }

  void take_few(extent last) const
  {
    if (extent const at = first_one_by_one(0, last); at < last) *found = at;
  }
  bool ended(extent last) const { return found_so_far() < last; }

  /// Returns whether a later tile is worth a look. One thread asks for all what is found: a word that every thread of a
  /// device reads is read one after another.
  template <int Positions, class Team>
  ONEPASS_FUNCTION bool together(Team const& team, extent, extent first, extent last) const
  {
    if constexpr (Team::threads == 1) {
      alone(first, last);
      return last < found_so_far();
    } else {
      int* const looks = reinterpret_cast<int*>(team.stage());
      int* const least = looks + 1;
      if (team.rank() == 0) *looks = first < found_so_far(), *least = Positions;
      team.barrier();
      if (!*looks) return false;
      if (int const at = look<Positions>(team, first, int(last - first)); at < Positions) Kokkos::atomic_min(least, at);
      team.barrier();
      int const at = *least;
      if (team.rank() == 0 && at < Positions) Kokkos::atomic_min(found, first + at);
      team.barrier();  // all have read what the next tile writes
      return at == Positions;
    }
  }

private:
  /// Kokkos' atomic_load is a compare-and-swap loop on devices up to version 4.7: 100 ns a tile on an H100.
  ONEPASS_FUNCTION extent found_so_far() const
  {
    KOKKOS_IF_ON_HOST((return Kokkos::atomic_load(found);))
    KOKKOS_IF_ON_DEVICE((return *static_cast<extent const volatile*>(found);))
  }

  /// Items of which a compiler can ask some in vectors.
  static constexpr bool in_lanes = is_contiguous<In>::value && std::is_arithmetic_v<item> && sizeof(item) <= 8;

  /// The first of a few, or `last`. Of numbers some are asked at a time, and those of which one is wanted are asked
  /// again.
  ONEPASS_FUNCTION extent first_of(extent first, extent last) const
  {
    if constexpr (in_lanes) {
      using lane               = unsigned_of<sizeof(item)>;
      constexpr extent at_once = 64;
      for (; first + at_once <= last; first += at_once) {
        lane any = 0;
        for (extent k = 0; k < at_once; ++k) any = lane(any | lane(predicate(in(first + k)) ? 1 : 0));
        if (any != 0) break;
      }
    }
    return first_one_by_one(first, last);
  }

  ONEPASS_FUNCTION extent first_one_by_one(extent first, extent last) const
  {
    for (; first + 4 <= last; first += 4) {
      if (predicate(in(first))) return first;
      if (predicate(in(first + 1))) return first + 1;
      if (predicate(in(first + 2))) return first + 2;
      if (predicate(in(first + 3))) return first + 3;
    }
    while (first < last && !predicate(in(first))) ++first;
    return first;
  }

  /// What one thread of a team finds in a tile, counted from its first item, or Positions. Of items that travel in
  /// packs it takes all of its packs before it looks at the first.
  template <int Positions, class Team>
  ONEPASS_FUNCTION int look(Team const& team, extent first, int items) const
  {
    if constexpr (has_packs<In>) {
      constexpr int each = 16 / int(sizeof(item)), packs = Positions / each / Team::threads;
      packed_stretch<item> const cut(phase_of(in, first) / int(sizeof(item)), items);
      int const tail = cut.head + cut.body, whole = cut.body / each;
      int at = look_at_few<each>(team, first, tail, items, Positions);
      if (whole > 0) {
        register_items<item, each> held[packs];
        auto* const from = in.data + first + cut.head;
        ONEPASS_UNROLL for (int j = 0; j < packs; ++j)
        {
          int const p = place(team, j);
          held[j].load(from + (p < whole ? p : 0) * each);  // a load under a condition would cost registers
        }
        ONEPASS_UNROLL for (int j = packs - 1; j >= 0; --j)
        {
          int const p = place(team, j);
          if (p < whole)
            ONEPASS_UNROLL for (int k = each - 1; k >= 0; --k) if (predicate(held[j].get(k))) at =
                cut.head + p * each + k;
        }
      }
      return look_at_few<each>(team, first, 0, cut.head, at);
    } else {
      for (int k = team.rank(); k < items; k += Team::threads)
        if (predicate(in(first + k))) return k;
      return Positions;
    }
  }

  /// The first that a thread finds in [begin, end) of a tile, of fewer items than `Each`, or `at`.
  template <int Each, class Team>
  ONEPASS_FUNCTION int look_at_few(Team const& team, extent first, int begin, int end, int at) const
  {
    ONEPASS_UNROLL for (int k = (Each - 1) / Team::threads * Team::threads; k >= 0; k -= Team::threads)
    {
      int const i = begin + k + team.rank();
      if (i < end && predicate(in(first + i))) at = i;
    }
    return at;
  }

  /// The number of a thread's j-th pack.
  template <class Team>
  ONEPASS_FUNCTION static int place(Team const& team, int j)
  {
    return j * Team::threads + team.rank();
  }
};

/// What is told of what was found, third step: the position, or whether there is one.
template <class Index>
struct tell_position {
  Index* to;
  ONEPASS_FUNCTION void operator()(extent found, extent) const { *to = static_cast<Index>(found); }
};
template <class Result>
struct tell_whether {
  Result* to;
  bool there;  ///< the answer is true where there is one, or where there is none
  ONEPASS_FUNCTION void operator()(extent found, extent n) const { *to = static_cast<Result>((found < n) == there); }
};
template <class Tell>
struct tell_found {
  item_count count;
  extent const* found;
  Tell tell;
  ONEPASS_FUNCTION void operator()(extent) const { tell(*found, count()); }
};

}  // namespace onepass::ONEPASS_ABI
