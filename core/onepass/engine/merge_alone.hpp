// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/splits.hpp>

#include <Kokkos_BitManipulation.hpp>

#include <cstring>

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

/// What is sorted by merging, and where: `from` becomes `to`, which may be the same memory; `spare` has room for as
/// much. Each merge moves items from the output to spare memory, or back. And what one thread does with them: a step of
/// a merge waits for the one before, so a thread makes both ends of two merges at once, which do not wait for each
/// other. No step has a branch that nobody could predict.
///
/// Source: the library's own; merges from both ends, Peters & Bergdoll 2024; see docs/references.md.
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
  ONEPASS_FUNCTION auto values_of(bool in_spare) const { return one_of(to.values, spare.values, in_spare); }
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
    auto const in = items_of(!to_spare);
    if (begin < middle && middle < end) {
      if (!less(in(middle), in(middle - 1))) return move_all(low, low, high, to_spare);
      if (less(in(end - 1), in(begin))) {  // all of the second come first
        extent const border = begin + (end - middle);
        if (low < border) move_all(low + (middle - begin), low, border < high ? border : high, to_spare);
        if (high > border) {
          extent const first = low > border ? low : border;
          move_all(first - (end - middle), first, high, to_spare);
        }
        return;
      }
    } else return move_all(low, low, high, to_spare);
    part_of_merge const all = part_between(runs, low, high, in);
    KOKKOS_IF_ON_DEVICE((merge_forward(all, to_spare);))
    KOKKOS_IF_ON_HOST((if (high - low < worth_a_cut) merge_part(all, to_spare); else {
      extent const half = low + (high - low) / 2;
      merge_parts(part_between(runs, low, half, in), part_between(runs, half, high, in), to_spare);
    }))
  }

private:
  static constexpr extent block = 8, together = extent(1) << 11, worth_a_cut = 64;

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

  /// Items that begin at i, to positions [first, last) on the other side.
  KOKKOS_FUNCTION void move_all(extent i, extent first, extent last, bool to_spare) const
  {
    move_column(items_of(!to_spare), i, items_of(to_spare), first, last);
    if constexpr (valued) move_column(values_of(!to_spare), i, values_of(to_spare), first, last);
  }

  template <class In, class Out>
  ONEPASS_FUNCTION static void move_column(In const& in, extent i, Out const& out, extent first, extent last)
  {
    if constexpr (is_contiguous<In>::value && is_contiguous<Out>::value) {
      KOKKOS_IF_ON_HOST(
          (std::memcpy(static_cast<void*>(out.data + first), in.data + i, std::size_t(last - first) * sizeof(*in.data));
           return;))
    }
    for (extent k = first; k < last; ++k) out(k) = in(i + (k - first));
  }

  /// Items [i, i_end) of one run and [j, j_end) of the next, which become positions [k, k_end).
  struct part_of_merge {
    extent i, i_end, j, j_end, k, k_end;

    /// From both ends at once so many steps come to no end of either run.
    ONEPASS_FUNCTION extent steps() const { return i_end - i < j_end - j ? i_end - i : j_end - j; }
    ONEPASS_FUNCTION void advance(extent s) { k += s, k_end -= s; }
  };

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

  /// One step u at both ends.
  ONEPASS_FUNCTION void step(part_of_merge& p, extent u, bool to_spare) const
  {
    auto const in     = items_of(!to_spare);
    bool const second = less(in(p.j), in(p.i));
    move(second ? p.j : p.i, p.k + u, to_spare);
    p.j += second, p.i += !second;
    bool const last = !less(in(p.j_end - 1), in(p.i_end - 1));
    move((last ? p.j_end : p.i_end) - 1, p.k_end - 1 - u, to_spare);
    p.j_end -= last, p.i_end -= !last;
  }
  ONEPASS_FUNCTION void move(extent i, extent k, bool to_spare) const
  {
    item_at(to_spare, k) = item_at(!to_spare, i);
    if constexpr (valued) value_at(to_spare, k) = value_at(!to_spare, i);
  }

  KOKKOS_FUNCTION void merge_part(part_of_merge p, bool to_spare) const
  {
    for (extent s; (s = p.steps()) > 0; p.advance(s))
      for (extent u = 0; u < s; ++u) step(p, u, to_spare);
    move_all(p.i < p.i_end ? p.i : p.j, p.k, p.k_end, to_spare);
  }
  KOKKOS_FUNCTION void merge_parts(part_of_merge p, part_of_merge q, bool to_spare) const
  {
    for (extent s; (s = p.steps() < q.steps() ? p.steps() : q.steps()) > 0; p.advance(s), q.advance(s))
      for (extent u = 0; u < s; ++u) step(p, u, to_spare), step(q, u, to_spare);
    merge_part(p, to_spare);
    merge_part(q, to_spare);
  }
  /// Two whole merges of neighbours; looking first whether they are needed costs as much as some steps.
  KOKKOS_FUNCTION void merge_two(two_runs<extent> const& a, two_runs<extent> const& b, bool look, bool to_spare) const
  {
    auto const in    = items_of(!to_spare);
    auto const mixed = [&](two_runs<extent> const& p) {
      return less(in(p.middle), in(p.middle - 1)) && !less(in(p.end - 1), in(p.begin));
    };
    if (!look || (mixed(a) && mixed(b)))
      return merge_parts({a.begin, a.middle, a.middle, a.end, a.begin, a.end},
                         {b.begin, b.middle, b.middle, b.end, b.begin, b.end}, to_spare);
    merge(a, a.begin, a.end, to_spare);
    merge(b, b.begin, b.end, to_spare);
  }

  /// Without a second end, which would take registers that a device's team wants for more threads.
  KOKKOS_FUNCTION void merge_forward(part_of_merge p, bool to_spare) const
  {
    auto const in = items_of(!to_spare);
    for (; p.i < p.i_end && p.j < p.j_end; ++p.k) {
      bool const second = less(in(p.j), in(p.i));
      move(second ? p.j : p.i, p.k, to_spare);
      p.j += second, p.i += !second;
    }
    move_all(p.i < p.i_end ? p.i : p.j, p.k, p.k_end, to_spare);
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
