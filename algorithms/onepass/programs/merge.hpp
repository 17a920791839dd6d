// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>
#include <onepass/engine/items/unmoved.hpp>
#include <onepass/engine/number_less.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/engine/two_ended_merge.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI {

// Two sorted inputs become one. How many of the first d items of the output come from `a` is found by a search over a
// diagonal of the grid that both span, so tiles of the output, all of one size, have nothing to tell each other; inside
// a tile threads part its positions in the same way.

template <class A, class B>
constexpr bool both_in_memory = [] {
  using of_a = std::invoke_result_t<A const&, extent>;
  return of_objects<A> && std::is_same_v<of_a, std::invoke_result_t<B const&, extent>>;
}();

/// out(k) = a(i) or, if `second`, b(j), of which both are there. Compilers have a move on condition for an integer; of
/// anything else in memory, and of a second item on the same condition, they would make a branch that nobody could
/// predict, so its address is computed.
template <bool FirstOfCondition, class A, class B, class Out>
ONEPASS_FUNCTION void move_one(bool second, A const& a, extent i, B const& b, extent j, Out const& out, extent k)
{
  using item    = typename Out::value_type;
  using in_both = typename A::value_type;
  if constexpr (both_in_memory<A, B> && !(FirstOfCondition && std::is_integral_v<in_both>)) {
    auto const first = reinterpret_cast<std::uintptr_t>(&a(i)), other = reinterpret_cast<std::uintptr_t>(&b(j));
    auto const from = first + ((other - first) & (std::uintptr_t(0) - second));
    out(k)          = static_cast<item>(*reinterpret_cast<in_both const*>(from));
  } else out(k) = second ? static_cast<item>(b(j)) : static_cast<item>(a(i));
}

/// Items of a or, if `second`, of b, from i on, to positions [k, end).
template <class A, class B, class Out>
ONEPASS_FUNCTION void move_run(bool second, A const& a, B const& b, extent i, Out const& out, extent k, extent end)
{
  if (second) move_column(b, i, out, k, end);
  else move_column(a, i, out, k, end);
}

/// What goes with the keys: nothing, or a value each.
struct keys_alone {
  ONEPASS_FUNCTION void from_a(extent, extent) const {}
  ONEPASS_FUNCTION void from_b(extent, extent) const {}
  ONEPASS_FUNCTION void move(bool, extent, extent, extent) const {}
  ONEPASS_FUNCTION void move_all(bool, extent, extent, extent) const {}
};
template <class A, class B, class Out>
struct values_beside {
  A a;
  B b;
  Out out;
  ONEPASS_FUNCTION void from_a(extent i, extent to) const { out(to) = static_cast<typename Out::value_type>(a(i)); }
  ONEPASS_FUNCTION void from_b(extent i, extent to) const { out(to) = static_cast<typename Out::value_type>(b(i)); }
  ONEPASS_FUNCTION void move(bool second, extent i, extent j, extent to) const
  {
    move_one<false>(second, a, i, b, j, out, to);
  }
  ONEPASS_FUNCTION void move_all(bool second, extent i, extent to, extent end) const
  {
    move_run(second, a, b, i, out, to, end);
  }
};

/// A range program over the output.
template <class A, class B, class Out, class Less, class Beside>
struct merge_program {
  using item   = typename A::value_type;
  using output = typename Out::value_type;

  static constexpr extent alone_at_a_time = extent(1) << 15;
  static constexpr extent few             = 192;  ///< items whose order a processor remembers, and guesses right
  static constexpr extent many            = sizeof(item) < 8 ? 128 : 64;  ///< items of one input for each of the other

  A a;
  B b;
  item_count a_count, b_count;
  Out out;
  Less less;
  Beside beside;
  extent* splits;  ///< of every tile: the items of `a` before it

  ONEPASS_FUNCTION extent size() const { return a_count() + b_count(); }

  /// Where nothing goes with the keys, threads keep what they merge.
  static constexpr bool keeps = std::is_same_v<Beside, keys_alone> && std::is_same_v<item, output>;

  /// The search for where a thread begins takes half as long as fifteen of its steps.
  static constexpr bool holds_positions = keeps && (sizeof(item) == 4 || sizeof(item) == 8);

  /// A stage holds a tile's items, those of each input as far after a boundary of 16 bytes as they are in memory, room
  /// for one that is read in vain, and, where items are not kept, for each position where in the stage its item is.
  /// Threads that have an odd number of words each do not meet in its banks.
  static constexpr int positions(team_tuning const& numbers)
  {
    int const each = numbers.items_per_thread(sizeof(item) + sizeof(std::uint16_t));
    if (numbers.threads == 1) return each;
    if (holds_positions && each >= 32) return numbers.threads * 31;
    return numbers.threads * (each >= 16 ? sizeof(item) < 4 ? 16 : 15 : (each - 1) | 1);
  }
  static constexpr int stage_words(int positions)
  {
    return words_to_stage(positions) + (keeps ? 0 : (positions + 1) / 2);
  }

  ONEPASS_FUNCTION void seek(extent tile, extent first) const
  {
    constexpr extent most = extent(1) << 27;  // bytes: searches for the tiles of more keep memory busy
    splits[tile]          = size() * extent(sizeof(item)) <= most ? split<true>(first) : split<false>(first);
  }

  /// By one thread.
  KOKKOS_FUNCTION void alone(extent first, extent last) const
  {
    if constexpr (has_number_less) { KOKKOS_IF_ON_HOST((return numbers_alone(first, last);)) }
    part_of_merge const all = part_between(first, split(first), last, split(last));
    if (appended(all)) return;
    KOKKOS_IF_ON_HOST((if (few_were_put(all)) return;))
    merge_all(*this, all);
  }

  /// Numbers in memory, which something that merges these takes.
  static constexpr bool of_numbers =
      keeps && std::is_arithmetic_v<item> && std::is_same_v<Less, onepass::less> && is_contiguous<A>::value
      && is_contiguous<B>::value && is_contiguous<Out>::value;
  template <class Merge>
  void alone_by(Merge const& merge, extent first, extent last) const
  {
    auto const take = [&](auto const& p, extent from, extent to) { p.numbers_by(merge, from, to); };
    if constexpr (has_number_less) numbers_then_nans(first, last, take);
    else take(*this, first, last);
  }
  template <class Merge>
  void numbers_by(Merge const& merge, extent first, extent last) const
  {
    part_of_merge const all = part_between(first, split(first), last, split(last));
    if (appended(all) || few_were_put(all)) return;
    merge(a.data + all.i, a.data + all.i_end, b.data + all.j, b.data + all.j_end, out.data + all.k);
    if constexpr (std::is_floating_point_v<item>) put_zeros(all);
  }

  /// Few items, one after another.
  [[gnu::always_inline]] inline void take_few(extent) const
  {
    if constexpr (has_number_less)
      if (has_no_nans()) return one_after_another(number_less{});
    one_after_another(one_by_one(less));
  }

  ONEPASS_FUNCTION bool second_first(extent i, extent j) const
  {
    KOKKOS_IF_ON_HOST((return without_branch(less)(b(j), a(i));))
    KOKKOS_IF_ON_DEVICE((return less(b(j), a(i));))
  }
  ONEPASS_FUNCTION void move(bool second, extent i, extent j, extent k) const
  {
    move_one<true>(second, a, i, b, j, out, k);
    beside.move(second, i, j, k);
  }
  ONEPASS_FUNCTION void move_all(bool second, extent i, extent k, extent end) const
  {
    move_run(second, a, b, i, out, k, end);
    beside.move_all(second, i, k, end);
  }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent tile, extent first, extent last) const
  {
    if constexpr (Team::threads == 1) alone(first, last);
    else {
      constexpr int each = Positions / Team::threads;
      auto const all     = part_between(first, splits[tile], last, last < size() ? splits[tile + 1] : a_count());
      int const count = int(last - first), as = int(all.i_end - all.i), bs = count - as;

      // Items of a, then those of b, all of them known by their bytes in the stage.
      constexpr int bytes = int(sizeof(item));
      char* const stage   = team.stage();
      auto const at       = [=](int byte) -> item& { return *reinterpret_cast<item*>(stage + byte); };
      int const a_begin = phase_of(a, all.i), a_end = a_begin + as * bytes;
      int const b_begin = (a_end + 15) / 16 * 16 + phase_of(b, all.j), b_end = b_begin + bs * bytes;
      auto* const which = reinterpret_cast<std::uint16_t*>(stage + 4 * words_to_stage(Positions));
      stage_alike<4>(team, a, all.i, as, &at(a_begin));
      stage_alike<4>(team, b, all.j, bs, &at(b_begin));
      team.barrier();

      int const here = team.rank() * each;
      register_items<item, each> kept;
      auto const merge = [&](auto const& is_less) {
        int const split = int(split_of_merge(
            here, as, bs, is_less, [&](extent k) { return at(a_begin + int(k) * bytes); },
            [&](extent k) { return at(b_begin + int(k) * bytes); }));
        int i = a_begin + split * bytes, j = b_begin + (here - split) * bytes;
        item x_a = at(i), x_b = at(j);
        ONEPASS_UNROLL for (int k = 0; k < each; ++k)
        {
          if (here + k >= count) break;
          bool const of_a = j >= b_end || (i < a_end && !is_less(x_b, x_a));
          if constexpr (keeps) kept.set(k, of_a ? x_a : x_b);
          else which[here + k] = std::uint16_t(of_a ? i : j);
          int const next = (of_a ? i : j) + bytes;  // one load, even if what it reads behind an end is not asked for
          item const x   = at(next);
          if (of_a) i = next, x_a = x;
          else j = next, x_b = x;
        }
      };
      if (here < count) {
        if constexpr (has_number_less) {
          auto const ends_in_nan = [&](int begin, int end) {
            return begin < end && at(end - bytes) != at(end - bytes);
          };
          if (ends_in_nan(a_begin, a_end) || ends_in_nan(b_begin, b_end)) merge(less);
          else merge(number_less{});  // NaNs are behind all numbers
        } else merge(less);
      }
      team.barrier();

      if constexpr (keeps) {
        auto* const merged = reinterpret_cast<item*>(stage);
        if (here < count) kept.store(merged + here);
        team.barrier();
        stage_out<Positions>(team, merged, out, first, count);
      } else ONEPASS_UNROLL for (int j = 0; j < each; ++j)
        {
          int const k = j * Team::threads + team.rank();
          if (k >= count) break;
          int const from = which[k];
          out(first + k) = static_cast<output>(at(from));
          if (from < a_end) beside.from_a(all.i + (from - a_begin) / bytes, first + k);
          else beside.from_b(all.j + (from - b_begin) / bytes, first + k);
        }
    }
  }

private:
  static constexpr bool has_number_less = std::is_floating_point_v<item> && std::is_same_v<Less, onepass::less>;

  /// All of both inputs, with a branch for each step.
  template <class Other>
  [[gnu::always_inline]] inline void one_after_another(Other const& is_less) const
  {
    extent const as = a_count(), bs = b_count();
    extent i = 0, j = 0;
    if (as > 0 && bs > 0 && is_less(b(0), a(as - 1))) do {
        extent const k = i + j;
        if (is_less(b(j), a(i))) {
          out(k) = static_cast<output>(b(j));
          beside.from_b(j++, k);
        } else {
          out(k) = static_cast<output>(a(i));
          beside.from_a(i++, k);
        }
      } while (i < as && j < bs);
    for (; i < as; ++i) out(i + j) = static_cast<output>(a(i)), beside.from_a(i, i + j);
    for (; j < bs; ++j) out(i + j) = static_cast<output>(b(j)), beside.from_b(j, i + j);
  }

  /// NaNs are behind all numbers.
  template <class In>
  static bool ends_in_nan(In const& in, extent n)
  {
    return n > 0 && in(n - 1) != in(n - 1);
  }
  bool has_no_nans() const
  {
    if constexpr (!std::is_floating_point_v<item>) return true;
    return !ends_in_nan(a, a_count()) && !ends_in_nan(b, b_count());
  }
  template <class In>
  static extent numbers_of(In const& in, extent n)
  {
    return ends_in_nan(in, n) ? partition_point(n, [&](extent i) { return in(i) == in(i); }) : n;
  }

  /// Positions [first, last): take(program, first, last) what has numbers, by the program that merges these alone, and
  /// behind them NaNs, which are alike.
  template <class Take>
  [[gnu::always_inline]] inline void numbers_then_nans(extent first, extent last, Take const& take) const
  {
    extent const as = numbers_of(a, a_count()), bs = numbers_of(b, b_count()), numbers = as + bs;
    if (first < numbers) {
      merge_program<A, B, Out, number_less, Beside> const other{
          a, b, item_count{as}, item_count{bs}, out, number_less{}, beside, splits};
      take(other, first, std::min(last, numbers));
    }
    if (last > numbers) move_nans(std::max(first, numbers), last, bs);
  }
  void numbers_alone(extent first, extent last) const
  {
    numbers_then_nans(first, last, [](auto const& p, extent from, extent to) { p.alone(from, to); });
  }
  void move_nans(extent first, extent last, extent bs) const
  {
    extent const middle = a_count() + bs;
    if (first < middle) move_all(false, first - bs, first, std::min(last, middle));
    if (last > middle) move_all(true, std::max(first, middle) - a_count(), std::max(first, middle), last);
  }

  /// What becomes positions [first, last), before which so many items of `a` are. An order that is none leads anywhere,
  /// but not out of the inputs.
  ONEPASS_FUNCTION part_of_merge part_between(extent first, extent from_a, extent last, extent end_a) const
  {
    extent const most = from_a + (last - first), to_a = end_a < from_a ? from_a : end_a < most ? end_a : most;
    return {from_a, to_a, first - from_a, last - to_a, first, last};
  }

  /// Whether one input had few items among many of the other, and they have been put there.
  bool few_were_put(part_of_merge const& p) const
  {
    extent const as = p.i_end - p.i, bs = p.j_end - p.j;
    if (as > bs * many) put_few<true>(p.j, p.j_end, p.i, p.i_end, p.k);
    else if (bs > as * many) put_few<false>(p.i, p.i_end, p.j, p.j_end, p.k);
    else return false;
    return true;
  }
  /// Items [x, x_end) of b or, unless `Second`, of a, to positions from k on among [y, y_end) of the other input: where
  /// each goes is searched from the last one on, and what lies between is moved as memory.
  template <bool Second>
  [[gnu::noinline]] void put_few(extent x, extent x_end, extent y, extent y_end, extent k) const
  {
    for (; x < x_end; ++x, ++k) {
      auto const before = [&](extent m) { return Second ? !second_first(m, x) : second_first(x, m); };
      extent to = y, step = many / 4;
      for (; to + step <= y_end && before(to + step - 1); step *= 2) to += step;
      to += partition_point(std::min(step, y_end - to), [&](extent m) { return before(to + m); });
      move_all(!Second, y, k, k + to - y);
      k += to - y, y = to;
      if constexpr (Second) out(k) = static_cast<output>(b(x)), beside.from_b(x, k);
      else out(k) = static_cast<output>(a(x)), beside.from_a(x, k);
    }
    move_all(!Second, y, k, k + y_end - y);
  }

  /// Zeros of both signs compare alike: those of `a`, then those of `b`.
  void put_zeros(part_of_merge const& p) const
  {
    item* const to = std::lower_bound(out.data + p.k, out.data + p.k_end, item(0));
    if (to == out.data + p.k_end || *to != item(0)) return;
    auto const [a_begin, a_end] = std::equal_range(a.data + p.i, a.data + p.i_end, item(0));
    auto const [b_begin, b_end] = std::equal_range(b.data + p.j, b.data + p.j_end, item(0));
    std::copy(b_begin, b_end, std::copy(a_begin, a_end, to));
  }

  /// Whether all items of one input come before those of the other, and so have been moved.
  ONEPASS_FUNCTION bool appended(part_of_merge const& p) const
  {
    bool const in_order = p.steps() == 0 || !second_first(p.i_end - 1, p.j);
    bool const turned   = !in_order && second_first(p.i, p.j_end - 1);
    if (in_order || turned) append(p, turned);
    return in_order || turned;
  }

  /// A part whose items of one input all come before those of the other.
  ONEPASS_FUNCTION void append(part_of_merge const& p, bool second_first) const
  {
    extent const middle = p.k + (second_first ? p.j_end - p.j : p.i_end - p.i);
    move_all(second_first, second_first ? p.j : p.i, p.k, middle);
    move_all(!second_first, second_first ? p.i : p.j, middle, p.k_end);
  }

  static constexpr int words_of_phases = 12;  ///< where both inputs may begin behind a boundary, and the second at one

  ONEPASS_FUNCTION static constexpr int words_to_stage(int positions)
  {
    return int((std::size_t(positions + 1) * sizeof(item) + 3) / 4) + words_of_phases;
  }

  template <bool ByQuarters = false>
  ONEPASS_FUNCTION extent split(extent d) const
  {
    auto const of_a = [&](extent k) -> item { return a(k); };
    auto const of_b = [&](extent k) -> item { return b(k); };
    if constexpr (ByQuarters) return split_of_merge_by_quarters(d, a_count(), b_count(), less, of_a, of_b);
    else return split_of_merge(d, a_count(), b_count(), less, of_a, of_b);
  }
};

}  // namespace onepass::ONEPASS_ABI
