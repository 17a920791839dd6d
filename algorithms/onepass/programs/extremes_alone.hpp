// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/unmoved.hpp>
#include <onepass/engine/number_less.hpp>
#include <onepass/key_codec.hpp>
#include <onepass/sequences.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// An item and its position; nothing yet where that is negative.
template <class T>
struct placed_item {
  T item;
  extent at;
};

/// The smallest and the largest.
template <class T>
struct placed_extremes {
  T smallest, largest;
  extent smallest_at, largest_at;
};

// Which of the items [first, last) is the extreme one, by one thread. Numbers in the library's own order are taken a
// block at a time: what its extreme number is, compilers find in vectors; where it lies is asked once, of the block
// that had it. A rule says whether one item is strictly more extreme than another, beyond(a, b), and whether the last
// of the most extreme counts, `last`.

/// Whether a newer item is the extreme one in the place of an older.
template <class Rule, class T>
ONEPASS_FUNCTION bool replaces(Rule const& rule, T const& newer, T const& older)
{
  if constexpr (Rule::last) return !rule.beyond(older, newer);
  else return rule.beyond(newer, older);
}

/// The same rule by another comparator.
template <template <class> class Rule, class Less, class Other>
auto rule_by(Rule<Less> const&, Other const& other)
{
  return Rule<Other>{other};
}

/// Rules and items of which blocks are taken.
template <class Rule, class In>
concept extreme_in_lanes =
    is_contiguous<In>::value && std::is_arithmetic_v<typename In::value_type> && sizeof(typename In::value_type) <= 8
    && std::is_same_v<decltype(Rule::less), less>;

/// The most extreme of n numbers, at least `lanes`; so many of them that a compiler keeps the loop over them.
template <class T>
inline constexpr int extreme_lanes = sizeof(T) == 1 ? 64 : 32;
template <class Rule, class T>
[[gnu::always_inline]] inline T extreme_number(Rule const& rule, T const* x, extent n)
{
  constexpr int lanes = extreme_lanes<T>;
  T most[lanes];
  for (int k = 0; k < lanes; ++k) most[k] = x[k];
  for (extent i = lanes; i + lanes <= n; i += lanes)
    for (int k = 0; k < lanes; ++k) most[k] = rule.beyond(x[i + k], most[k]) ? x[i + k] : most[k];
  for (int k = 0; k < lanes; ++k) most[k] = rule.beyond(x[n - lanes + k], most[k]) ? x[n - lanes + k] : most[k];
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) most[k] = rule.beyond(most[k + half], most[k]) ? most[k + half] : most[k];
  return most[0];
}

/// Where the first of n numbers lies, or the last, that is as extreme as `most`. One of them is.
template <class Rule, class T>
[[gnu::always_inline]] inline extent position_of_extreme(Rule const& rule, T const* x, extent n, T most)
{
  using lane            = unsigned_of<sizeof(T)>;
  constexpr extent some = 64;
  auto const is         = [&](extent i) { return !rule.beyond(most, x[i]); };
  auto const among      = [&](extent i) {
    lane any = 0;
    for (extent k = 0; k < some; ++k) any |= lane(is(i + k));
    return any != 0;
  };
  if constexpr (Rule::last) {
    while (n >= some && !among(n - some)) n -= some;
    do --n;
    while (!is(n));
    return n;
  } else {
    extent i = 0;
    while (i + some <= n && !among(i)) i += some;
    while (!is(i)) ++i;
    return i;
  }
}

/// One item after another.
template <class Rule, class In>
[[gnu::always_inline]] inline auto extreme_of_few(Rule const& rule, In const& in, extent first, extent last)
{
  using T       = typename In::value_type;
  auto const by = rule_by(rule, one_by_one(rule.less));
  T most(in(first));
  extent at = first;
  for (extent i = first + 1; i < last; ++i) {
    if constexpr (lies_in_memory<In>)
      while (!replaces(by, in(i), most))  // a loop of its own, in which no item waits for the one before
        if (++i == last) return placed_item<T>{most, at};
    T const x(in(i));
    if (lies_in_memory<In> || replaces(by, x, most)) most = x, at = i;
  }
  return placed_item<T>{most, at};
}

template <class Rule, class In>
[[gnu::always_inline]] inline auto extreme_alone(Rule const& rule, In const& in, extent first, extent last)
{
  using T = typename In::value_type;
  if constexpr (extreme_in_lanes<Rule, In>) {
    constexpr extent block = 8192 / extent(sizeof(T)), lanes = extreme_lanes<T>;
    if (last - first < lanes) return extreme_of_few(rule, in, first, last);
    auto const by = rule_by(rule, without_branch(rule.less));
    placed_item<T> most{};
    extent size = 0;
    for (extent begin = first, end; begin < last; begin = end) {
      end          = last - begin < block + lanes ? last : begin + block;
      T const here = extreme_number(by, in.data + begin, end - begin);
      if (size == 0 || replaces(by, here, most.item)) most = {here, begin}, size = end - begin;
    }
    extent const at = most.at + position_of_extreme(by, in.data + most.at, size, most.item);
    return placed_item<T>{in.data[at], at};
  } else if constexpr (extreme_in_lanes<Rule, contiguous<T const>> && has_stretches<In>) {
    placed_item<T> most{T{}, -1};
    each_stretch(in, first, last, [&]<class Row>(Row const& row, extent from, extent to) {
      auto here = most;
      if constexpr (std::is_same_v<Row, In>) here = extreme_of_few(rule, in, from, to);
      else {
        here = extreme_alone(rule, contiguous<T const>{row.data, to - from}, 0, to - from);
        here.at += from;
      }
      if (most.at < 0 || replaces(rule_by(rule, without_branch(rule.less)), here.item, most.item)) most = here;
    });
    return most;
  } else return extreme_of_few(rule, in, first, last);
}

/// Both at once, of two neighbours at a time: one comparison tells which of them may be the smallest, and which the
/// largest.
template <class Less, class In>
[[gnu::always_inline]] inline auto extremes_of_few(Less const& given, In const& in, extent first, extent last)
{
  using T         = typename In::value_type;
  auto const less = one_by_one(given);
  T smallest(in(first)), largest(smallest);
  extent smallest_at = first, largest_at = first;
  auto const meet = [&](T const& low, extent low_at, T const& high, extent high_at) __attribute__((always_inline))
  {
    if (less(low, smallest)) smallest = low, smallest_at = low_at;
    if (!less(high, largest)) largest = high, largest_at = high_at;
  };
  extent i = first + 1;
  for (; i + 2 <= last; i += 2) {
    auto const &a = in(i), &b = in(i + 1);
    if (less(b, a)) meet(b, i + 1, a, i);
    else meet(a, i, b, i + 1);
  }
  if (i < last) {
    auto const& a = in(i);
    meet(a, i, a, i);
  }
  return placed_extremes<T>{smallest, largest, smallest_at, largest_at};
}

}  // namespace onepass::ONEPASS_ABI
