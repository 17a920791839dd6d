// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/engine/two_ended_merge.hpp>

#include <Kokkos_BitManipulation.hpp>

namespace onepass::ONEPASS_ABI {

/// Two neighbouring sorted runs, [begin, middle) and [middle, end). The second may be empty.
template <class Index>
struct two_runs {
  Index begin = 0, middle = 0, end = 0;
};

/// The number of bits of x, without zeros before them.
template <class Index>
ONEPASS_FUNCTION int bits_of(Index x)
{
  return 8 * int(sizeof(Index)) - Kokkos::Experimental::countl_zero_builtin(std::make_unsigned_t<Index>(x));
}

/// One of two sequences.
template <class A, class B>
struct either {
  using value_type = typename A::value_type;
  A a;
  B b;
  bool is_b;
  ONEPASS_FUNCTION decltype(auto) operator()(extent i) const { return is_b ? b(i) : a(i); }
};

/// Runs in one sequence that are merged into another, with their values or `nothing` (two_ended_merge.hpp).
template <class Items, class Values, class Less>
struct neighbours {
  Items in, out;
  Values values_in, values_out;
  Less less;

  ONEPASS_FUNCTION bool second_first(extent i, extent j) const { return less(in(j), in(i)); }
  ONEPASS_FUNCTION void move(bool second, extent i, extent j, extent k) const
  {
    extent const from = second ? j : i;
    out(k)            = in(from);
    if constexpr (!is_nothing<Values>) values_out(k) = values_in(from);
  }
  ONEPASS_FUNCTION void move_all(bool, extent i, extent k, extent end) const
  {
    move_column(in, i, out, k, end);
    if constexpr (!is_nothing<Values>) move_column(values_in, i, values_out, k, end);
  }
};
template <class Items, class Values, class Less>
neighbours(Items, Items, Values, Values, Less) -> neighbours<Items, Values, Less>;

/// What is sorted by merging, and where: `from` becomes `to`, which may be the same memory; `spare` has room for as
/// much. Each merge moves items from the output to spare memory, or back. And what one thread does with them.
template <class From, class To, class Spare, class Less>
struct merged_cargo {
  using item                   = typename decltype(From::items)::value_type;
  using value                  = typename decltype(From::values)::value_type;
  static constexpr bool valued = !is_nothing<decltype(From::values)>;
  static constexpr extent few  = 16;  ///< items that are sorted without merges, where no function may call itself

  From from;
  To to;
  Spare spare;
  Less less;

  ONEPASS_FUNCTION auto items_of(bool in_spare) const { return one_of(to.items, spare.items, in_spare); }
  ONEPASS_FUNCTION auto values_of(bool in_spare) const
  {
    if constexpr (valued) return one_of(to.values, spare.values, in_spare);
    else return nothing{};
  }
  ONEPASS_FUNCTION item& item_at(bool in_spare, extent i) const { return items_of(in_spare)(i); }
  ONEPASS_FUNCTION value& value_at(bool in_spare, extent i) const { return values_of(in_spare)(i); }

  /// Whether each of the items (first, last] belongs before the one before it, or none does.
  KOKKOS_FUNCTION bool runs_on(extent first, extent last, bool down) const
  {
    while (first < last && less(from.items(first + 1), from.items(first)) == down) ++first;
    return first >= last;
  }

  /// Items [begin, end) to the same positions.
  KOKKOS_FUNCTION void copy(extent begin, extent end, bool to_spare) const
  {
    for (extent i = begin; i < end; ++i) put(load(i), i, to_spare);
  }

  /// Items [begin, end) the other way round: the pairs [first, last) of an item and one as far from the end.
  KOKKOS_FUNCTION void mirror(extent begin, extent end, extent first, extent last, bool to_spare) const
  {
    for (extent k = first; k < last; ++k) {
      auto const low = load(begin + k), high = load(end - 1 - k);
      put(high, begin + k, to_spare);
      put(low, end - 1 - k, to_spare);
    }
  }

  /// Items [begin, end) in order: into spare memory or into the output, by way of the other.
  KOKKOS_FUNCTION void sort(extent begin, extent end, bool to_spare) const
  {
    if (end - begin < block) return insert(begin, end, to_spare);
    if (moved_as_a_run(begin, end, to_spare)) return;
    if (end - begin <= together) return sort_by_blocks(begin, end, to_spare);
    extent const middle = begin + (end - begin) / (2 * block) * block;
    sort(begin, middle, !to_spare);
    sort(middle, end, !to_spare);
    merge({begin, middle, end}, begin, end, to_spare);
  }

  /// The same for few items: each is inserted among those before it.
  KOKKOS_FUNCTION void insert(extent begin, extent end, bool to_spare) const { insert(begin, begin, end, to_spare); }

  /// Positions [low, high) of the merge of two runs.
  KOKKOS_FUNCTION void merge(two_runs<extent> const& runs, extent low, extent high, bool to_spare) const
  {
    extent const begin = runs.begin, middle = runs.middle, end = runs.end;
    auto const runs_at = sides(to_spare);
    auto const& in     = runs_at.in;
    if (begin == middle || middle == end || !less(in(middle), in(middle - 1)))
      return runs_at.move_all(false, low, low, high);
    if (less(in(end - 1), in(begin))) {  // all of the second come first
      extent const border = begin + (end - middle), first = low > border ? low : border;
      if (low < border) runs_at.move_all(true, low + (middle - begin), low, border < high ? border : high);
      if (first < high) runs_at.move_all(false, first - (end - middle), first, high);
      return;
    }
    merge_all(runs_at, part_between(runs, low, high, in));
  }

private:
  static constexpr extent block = 8, together = extent(1) << 11;

  struct entry_alone {
    item x;
  };
  struct entry_with_value {
    item x;
    value v;
  };
  using entry = std::conditional_t<valued, entry_with_value, entry_alone>;

  ONEPASS_FUNCTION entry load(extent i) const
  {
    if constexpr (valued) return {from.items(i), from.values(i)};
    else return {from.items(i)};
  }
  ONEPASS_FUNCTION void put(entry const& e, extent i, bool to_spare) const
  {
    item_at(to_spare, i) = e.x;
    if constexpr (valued) value_at(to_spare, i) = e.v;
  }

  /// Inserts items [next, end) among those from `begin` on, which are in order up to there.
  KOKKOS_FUNCTION void insert(extent begin, extent next, extent end, bool to_spare) const
  {
    auto const out = items_of(to_spare);
    for (extent i = next; i < end; ++i) {
      entry const e = load(i);
      extent j      = i;
      for (; j > begin && less(e.x, out(j - 1)); --j) {
        out(j) = out(j - 1);
        if constexpr (valued) value_at(to_spare, j) = value_at(to_spare, j - 1);
      }
      put(e, j, to_spare);
    }
  }

  /// Whether all items were in order, or each belonged before the last one; then they are in their places.
  KOKKOS_FUNCTION bool moved_as_a_run(extent begin, extent end, bool to_spare) const
  {
    bool const down = runs_on(begin, begin + 1, true);
    if (!runs_on(begin + 1, end - 1, down)) return false;
    if (!down) copy(begin, end, to_spare);
    else mirror(begin, end, 0, (end - begin + 1) / 2, to_spare);
    return true;
  }

  /// Blocks of eight, then merges of neighbours, in a first-level cache. The last block has what is left as well.
  KOKKOS_FUNCTION void sort_by_blocks(extent begin, extent end, bool to_spare) const
  {
    extent const blocks = (end - begin) / block, limit = begin + blocks * block;
    int const rounds = bits_of(blocks - 1);
    bool side        = to_spare != (rounds % 2 != 0);
    for (extent i = begin; i < limit; i += block) sort_block(i, side);
    insert(limit - block, limit, end, side);
    auto const inside = [&](extent i) { return i < limit ? i : end; };
    for (extent run = block; run < limit - begin; run *= 2) {
      side          = !side;
      extent p      = begin;
      auto const at = [&](extent from_p) -> two_runs<extent> {
        return {from_p, inside(from_p + run), inside(from_p + 2 * run)};
      };
      for (; p + 4 * run <= limit; p += 4 * run) merge_two(at(p), at(p + 2 * run), run > block, side);
      for (; p < limit; p += 2 * run) merge(at(p), p, at(p).end, side);
    }
  }

  /// Eight items: twice four by five comparisons each, then both ends of their merge.
  KOKKOS_FUNCTION void sort_block(extent begin, bool to_spare) const
  {
    entry fours[block];
    sort_four(begin, fours);
    sort_four(begin + 4, fours + 4);
    entry const *i = fours, *j = fours + 4, *i_last = fours + 3, *j_last = fours + 7;
    ONEPASS_UNROLL for (int k = 0; k < 4; ++k)
    {
      bool const second = less(j->x, i->x), last = !less(j_last->x, i_last->x);
      put(*(second ? j : i), begin + k, to_spare);
      put(*(last ? j_last : i_last), begin + 7 - k, to_spare);
      j += second, i += !second;
      j_last -= last, i_last -= !last;
    }
  }
  ONEPASS_FUNCTION void sort_four(extent begin, entry* out) const
  {
    auto const in    = from.items;
    bool const first = less(in(begin + 1), in(begin)), second = less(in(begin + 3), in(begin + 2));
    extent const a = begin + first, b = begin + !first, c = begin + 2 + second, d = begin + 2 + !second;
    bool const low = less(in(c), in(a)), high = less(in(d), in(b));
    extent const left = low ? a : high ? c : b, right = high ? d : low ? b : c;  // of the two in the middle
    bool const turned = less(in(right), in(left));
    out[0]            = load(low ? c : a);
    out[1]            = load(turned ? right : left);
    out[2]            = load(turned ? left : right);
    out[3]            = load(high ? b : d);
  }

  /// What is merged into spare memory, or into the output.
  ONEPASS_FUNCTION auto sides(bool to_spare) const
  {
    return neighbours{items_of(!to_spare), items_of(to_spare), values_of(!to_spare), values_of(to_spare), less};
  }

  /// Positions [low, high) of a merge. An order that is none leads anywhere, but not out of the runs.
  template <class In>
  ONEPASS_FUNCTION part_of_merge part_between(two_runs<extent> const& p, extent low, extent high, In const& in) const
  {
    auto const split = [&](extent position) {
      return position == p.begin ? 0
             : position == p.end ? p.middle - p.begin
                                 : split_of_merge(
                                     position - p.begin, p.middle - p.begin, p.end - p.middle, less,
                                     [&](extent k) -> item const& { return in(p.begin + k); },
                                     [&](extent k) -> item const& { return in(p.middle + k); });
    };
    extent const a = split(low), b = split(high);
    return {p.begin + a, p.begin + b, p.middle + (low - p.begin - a), p.middle + (high - p.begin - b), low, high};
  }

  /// Two whole merges of neighbours; looking first whether they are needed costs as much as some steps.
  KOKKOS_FUNCTION void merge_two(two_runs<extent> const& a, two_runs<extent> const& b, bool look, bool to_spare) const
  {
    auto const in    = items_of(!to_spare);
    auto const mixed = [&](two_runs<extent> const& p) {
      return less(in(p.middle), in(p.middle - 1)) && !less(in(p.end - 1), in(p.begin));
    };
    if (!look || (mixed(a) && mixed(b)))
      return merge_parts(sides(to_spare), {a.begin, a.middle, a.middle, a.end, a.begin, a.end},
                         {b.begin, b.middle, b.middle, b.end, b.begin, b.end});
    merge(a, a.begin, a.end, to_spare);
    merge(b, b.begin, b.end, to_spare);
  }

  template <class A, class B>
  ONEPASS_FUNCTION static auto one_of(A const& a, B const& b, bool is_b)
  {
    if constexpr (is_contiguous<A>::value) return A{is_b ? b.data : a.data, a.size};
    else return either<A, B>{a, b, is_b};
  }
};

/// Where the first of two runs may be divided, if their merge is at a position.
struct merge_path {
  extent diagonal, fewest, most;

  ONEPASS_FUNCTION merge_path(two_runs<extent> const& p, extent position)
      : diagonal(position - p.begin)
      , fewest(diagonal > p.end - p.middle ? diagonal - (p.end - p.middle) : 0)
      , most(diagonal < p.middle - p.begin ? diagonal : p.middle - p.begin)
  {}
};

}  // namespace onepass::ONEPASS_ABI
