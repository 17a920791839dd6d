// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <algorithm>
#include <concepts>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

// What backends read and write: a View reduced to what they use (so that views which differ only in traits share one
// kernel), or items that need no memory at all.
//
// Where a call of few items passes, a copy of a sequence, or of a program that has some, is not const: g++ 12 keeps a
// const struct in memory. To read there by 16 bytes what has just been written by 8 takes as long as ten items.

/// Contiguous items in memory.
template <class T>
struct contiguous {
  using value_type = std::remove_const_t<T>;
  T* data;
  extent size;
  ONEPASS_FUNCTION T& operator()(extent i) const { return data[i]; }
};

/// Items `stride` apart in memory.
template <class T>
struct strided {
  using value_type = std::remove_const_t<T>;
  T* data;
  extent size, stride;
  ONEPASS_FUNCTION T& operator()(extent i) const { return data[i * stride]; }
};

/// The rows of a matrix, one after another.
template <class T>
struct by_rows {
  using value_type = std::remove_const_t<T>;
  T* data;
  extent size, columns, row_stride, column_stride;
  divisor by = divisor(columns, size);
  ONEPASS_FUNCTION T& operator()(extent i) const
  {
    extent const row = by.quotient(i);
    return data[row * row_stride + (i - row * columns) * column_stride];
  }

  /// The same items column by column, if neighbours in a column are nearer to each other than those in a row.
  by_rows as_they_lie() const
  {
    if (row_stride >= column_stride || columns >= size) return *this;
    return {data, size, size / columns, column_stride, row_stride};
  }
};

/// first, first + 1, first + 2, ...
template <class T>
struct counting {
  using value_type = T;
  T first;
  extent size;
  ONEPASS_FUNCTION T operator()(extent i) const { return static_cast<T>(first + static_cast<T>(i)); }
};
template <class Sequence>
constexpr bool is_counting = false;
template <class T>
constexpr bool is_counting<counting<T>> = true;

/// 0, step, 2 step, ...
struct multiples {
  using value_type = extent;
  extent step, size;
  ONEPASS_FUNCTION extent operator()(extent i) const { return i * step; }
};

/// The same value at every position.
template <class T>
struct constant {
  using value_type = T;
  T value;
  extent size;
  ONEPASS_FUNCTION T operator()(extent) const { return value; }
};

/// An item of two zipped sequences.
template <class First, class Second>
struct pair_item {
  First first;
  Second second;
};
template <class First, class Second>
struct zipped {
  using value_type = pair_item<typename First::value_type, typename Second::value_type>;
  First first;
  Second second;
  extent size = first.size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return {first(i), second(i)}; }
};

template <class S>
constexpr bool is_zipped = false;
template <class First, class Second>
constexpr bool is_zipped<zipped<First, Second>> = true;

/// Bytes that an item takes of a tile's memory; items of two zipped sequences lie in two arrays.
template <class S>
constexpr std::size_t bytes_of_item = sizeof(typename S::value_type);
template <class First, class Second>
constexpr std::size_t bytes_of_item<zipped<First, Second>> = bytes_of_item<First> + bytes_of_item<Second>;

/// The items of a stretch of a matrix's row, by their positions in the matrix.
template <class T>
struct row_stretch {
  using value_type = std::remove_const_t<T>;
  T* data;  ///< of the item at `first`
  extent first;
  ONEPASS_FUNCTION T& operator()(extent i) const { return data[i - first]; }
};

/// Whether each_stretch() finds stretches in a sequence.
template <class Sequence>
constexpr bool has_stretches = false;
template <class T>
constexpr bool has_stretches<by_rows<T>> = true;
template <class First, class Second>
constexpr bool has_stretches<zipped<First, Second>> = has_stretches<First> || has_stretches<Second>;

/// Calls f(items, first, last) for the items [first, last) of a sequence in their order: those of each row of a matrix
/// whose neighbours in a row are so in memory, which a loop then reads without a division for each, and in vectors.
template <class Sequence, class F>
[[gnu::always_inline]] inline void each_stretch(Sequence const& in, extent first, extent last, F const& f)
{
  f(in, first, last);
}
template <class T, class F>
[[gnu::always_inline]] inline void each_stretch(by_rows<T> const& in, extent first, extent last, F const& f)
{
  if (in.column_stride != 1) return f(in, first, last);
  for (extent end; first < last; first = end) {
    end = std::min(last, (in.by.quotient(first) + 1) * in.columns);
    f(row_stretch<T>{&in(first), first}, first, end);
  }
}
template <class First, class Second, class F>
  requires has_stretches<zipped<First, Second>>
[[gnu::always_inline]] inline void each_stretch(zipped<First, Second> const& in, extent first, extent last, F const& f)
{
  each_stretch(in.first, first, last, [&](auto const& a, extent from, extent to) {
    each_stretch(in.second, from, to, [&](auto const& b, extent i, extent end) {
      f(zipped<std::remove_cvref_t<decltype(a)>, std::remove_cvref_t<decltype(b)>>{a, b, end}, i, end);
    });
  });
}

/// No items at all: the output of an algorithm that writes only a total.
struct nothing {
  using value_type             = char;
  static constexpr extent size = 0;
};
template <class Sequence>
constexpr bool is_nothing = std::is_same_v<Sequence, nothing>;

template <class S>
struct is_contiguous : std::false_type {};
template <class T>
struct is_contiguous<contiguous<T>> : std::true_type {};

// clang-format off
template <class S>
concept sequence = !Kokkos::is_view_v<S> && requires(S const s, extent i) {
  typename S::value_type;
  { s.size } -> std::convertible_to<extent>;
  { s(i) } -> std::convertible_to<typename S::value_type>;
};
// clang-format on

namespace detail {
/// The items of a View, as those of type Item. The View itself is not copied: counting its owners takes as long as
/// fifty items.
template <class Item, class View>
ONEPASS_FUNCTION auto sequence_over(View const& view)
{
  if constexpr (View::rank() == 2) {
    extent const n = extent(view.size()), columns = extent(view.extent(1));
    return columns == 1 ? by_rows<Item>{view.data(), n, n, 0, extent(view.stride(0))}  // as one row
                        : by_rows<Item>{view.data(), n, columns, extent(view.stride(0)), extent(view.stride(1))};
  } else if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>)
    return strided<Item>{view.data(), extent(view.extent(0)), extent(view.stride(0))};
  else return contiguous<Item>{view.data(), extent(view.extent(0))};
}
}  // namespace detail

/// A rank-1 or rank-2 View (by rows) as a sequence; a sequence as it is.
template <class Items>
ONEPASS_FUNCTION auto as_sequence(Items const& items)
{
  if constexpr (Kokkos::is_view_v<Items>) return detail::sequence_over<typename Items::value_type>(items);
  else return items;
}

/// The same for reading only, so that const and non-const Views share one kernel.
template <class Items>
auto as_input(Items const& items)
{
  if constexpr (Kokkos::is_view_v<Items>) return detail::sequence_over<typename Items::const_value_type>(items);
  else return items;
}

/// The first items of a View or a sequence, as many as `count` (a View of rank 0 of onepass::extent) holds when the
/// kernel runs: what one algorithm counted on the device becomes the size of the next one's input.
template <class Items, class Count>
struct first_items {
  Items items;
  Count count;
};
template <class Items, class Count>
first_items<Items, Count> first(Items const& items, Count const& count)
{
  static_assert(std::is_same_v<typename Count::non_const_value_type, extent> && Count::rank() == 0,
                "onepass: a device-resident size must be a View of rank 0 of onepass::extent");
  return {items, count};
}

template <class T>
constexpr bool is_first_items = false;
template <class Items, class Count>
constexpr bool is_first_items<first_items<Items, Count>> = true;

template <class Items, class Count>
auto as_input(first_items<Items, Count> const& some)
{
  return as_input(some.items);
}

/// How many items an input has.
template <class Items>
item_count count_of(Items const& items)
{
  return {extent(as_input(items).size)};
}
template <class Items, class Count>
item_count count_of(first_items<Items, Count> const& some)
{
  return {extent(as_input(some.items).size), some.count.data()};
}

/// Where the device has the number of an input's items: one item, or none.
template <class Items>
contiguous<extent const> held_count(Items const& items)
{
  auto const* const actual = count_of(items).actual;
  return {actual, actual ? 1 : 0};
}

/// Whether the rows of a matrix follow each other, or its columns, if its span is contiguous.
template <class Items>
constexpr bool flat_rows = std::is_same_v<typename Items::array_layout, Kokkos::LayoutRight>;

template <class Items>
constexpr bool flat_columns = std::is_same_v<typename Items::array_layout, Kokkos::LayoutLeft>;

template <class Items>
auto as_flat(Items const& items)
{
  return contiguous<typename Items::value_type>{items.data(), extent(items.size())};
}

template <class Items>
auto as_flat_input(Items const& items)
{
  return as_flat(typename Items::const_type(items));
}

template <class Items>
constexpr int item_rank = []() {
  if constexpr (Kokkos::is_view_v<Items>) return int(Items::rank());
  else return 1;
}();

/// Calls f with an input's items for reading: those of a matrix whose rows follow each other in memory as such, and of
/// one whose columns do, if they may come in any order. If they may, those of columns with gaps go by columns as well.
template <bool AnyOrder = false, class Items, class F>
void with_input(Items const& in, F const& f)
{
  if constexpr (is_first_items<Items>) onepass::with_input(in.items, f);
  else if constexpr (item_rank<Items> == 2) {
    if constexpr (flat_rows<Items> || (AnyOrder && flat_columns<Items>))
      if (in.span_is_contiguous()) return f(as_flat_input(in));
    if constexpr (AnyOrder) f(as_input(in).as_they_lie());
    else f(as_input(in));
  } else f(as_input(in));
}

template <class Items>
using sequence_of = decltype(as_input(std::declval<Items const&>()));

/// The type of the items of a View or a sequence, without const.
template <class Items>
using item_t = typename sequence_of<Items>::value_type;

}  // namespace onepass::ONEPASS_ABI
