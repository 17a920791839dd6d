// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/splits.hpp>

#include <Kokkos_BitManipulation.hpp>

namespace onepass::ONEPASS_ABI {

/// Two neighbouring sorted runs, [begin, middle) and [middle, end). The second may be empty.
template <class Index>
struct two_runs {
  Index begin = 0, middle = 0, end = 0;
};

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
/// much. Each merge moves items from the output to spare memory, or back. And what one thread does with them.
template <class From, class To, class Spare, class Less>
struct merged_cargo {
  using item                   = typename decltype(From::items)::value_type;
  using value                  = typename decltype(From::values)::value_type;
  static constexpr bool valued = !is_nothing<decltype(From::values)>;
  static constexpr extent few  = 16;  ///< items that are sorted without merges

  From from;
  To to;
  Spare spare;
  Less less;

  ONEPASS_FUNCTION auto items_of(bool in_spare) const { return one_of(to.items, spare.items, in_spare); }
  ONEPASS_FUNCTION auto values_of(bool in_spare) const { return one_of(to.values, spare.values, in_spare); }
  ONEPASS_FUNCTION item& item_at(bool in_spare, extent i) const { return items_of(in_spare)(i); }
  ONEPASS_FUNCTION value& value_at(bool in_spare, extent i) const { return values_of(in_spare)(i); }

  /// Items [begin, end) in order: into spare memory or into the output, by way of the other.
  KOKKOS_FUNCTION void sort(extent begin, extent end, bool to_spare) const
  {
    if (end - begin > few) {
      extent const middle = begin + (end - begin) / 2;
      sort(begin, middle, !to_spare);
      sort(middle, end, !to_spare);
      merge({begin, middle, end}, begin, end, to_spare);
    } else insert(begin, end, to_spare);
  }

  /// The same for few items: each is inserted among those before it.
  KOKKOS_FUNCTION void insert(extent begin, extent end, bool to_spare) const
  {
    auto const out = items_of(to_spare);
    for (extent i = begin; i < end; ++i) {
      item const x = from.items(i);
      auto const v = [&] {
        if constexpr (valued) return from.values(i);
        else return nothing{};
      }();
      extent j = i;
      for (; j > begin && less(x, out(j - 1)); --j) {
        out(j) = out(j - 1);
        if constexpr (valued) value_at(to_spare, j) = value_at(to_spare, j - 1);
      }
      out(j) = x;
      if constexpr (valued) value_at(to_spare, j) = v;
    }
  }

  /// Positions [low, high) of the merge of two runs.
  KOKKOS_FUNCTION void merge(two_runs<extent> const& runs, extent low, extent high, bool to_spare) const
  {
    extent const begin = runs.begin, middle = runs.middle, end = runs.end;
    auto const in = items_of(!to_spare), out = items_of(to_spare);
    auto const move = [&](extent i, extent k) {
      out(k) = in(i);
      if constexpr (valued) value_at(to_spare, k) = value_at(!to_spare, i);
    };
    if (high - low == end - begin && middle < end && middle > begin && !less(in(middle), in(middle - 1))) {
      for (extent k = low; k < high; ++k) move(k, k);
      return;
    }
    extent i =
        begin
        + split_of_merge(
            low - begin, middle - begin, end - middle, less, [&](extent k) -> item const& { return in(begin + k); },
            [&](extent k) -> item const& { return in(middle + k); });
    extent j = middle + (low - i), k = low;
    for (; k < high && i < middle && j < end; ++k) {  // without a branch that nobody could predict
      bool const second = less(in(j), in(i));
      move(second ? j : i, k);
      j += second;
      i += !second;
    }
    for (; k < high; ++k) move(i < middle ? i++ : j++, k);
  }

private:
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

/// The number of bits of x, without zeros before them.
template <class Index>
ONEPASS_FUNCTION int bits_of(Index x)
{
  return 8 * int(sizeof(Index)) - Kokkos::Experimental::countl_zero_builtin(std::make_unsigned_t<Index>(x));
}

}  // namespace onepass::ONEPASS_ABI
