// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/key_codec.hpp>
#include <onepass/reduce.hpp>

#include <Kokkos_StdAlgorithms.hpp>

#include <string>

namespace onepass::ONEPASS_ABI::kokkos::detail {

// How calls with the arguments of Kokkos::Experimental become calls of onepass.

// clang-format off
template <class T>
concept view = ::Kokkos::is_view_v<T>;

template <class T>
concept iterator = requires(T const& it) {
  typename T::view_type;
  typename T::iterator_category;
  it.data();
  it.stride();
};

template <class T>
concept label = std::is_convertible_v<T, std::string>;

template <class T>
concept has_order_of_its_own = requires(T const& a) { operator<(a, a); } || requires(T const& a) { operator<=>(a, a); };
/// Keys in the order of their codes: all simple ones but enumerations that have an order of their own.
template <class T>
concept sorted_by_code = simple_key<T> && !(std::is_enum_v<T> && has_order_of_its_own<T>);
// clang-format on

/// Items from an iterator of Kokkos on, and how many; of an output that an iterator alone names, nobody knows.
template <class Iterator>
struct items {
  using item   = typename Iterator::view_type::value_type;
  using memory = typename Iterator::view_type::memory_space;

  static constexpr bool apart = std::is_same_v<typename Iterator::view_type::array_layout, ::Kokkos::LayoutStride>;
  using traits                = ::Kokkos::MemoryTraits<::Kokkos::Unmanaged>;
  using view_type             = std::conditional_t<apart, ::Kokkos::View<item*, ::Kokkos::LayoutStride, memory, traits>,
                                       ::Kokkos::View<item*, memory, traits>>;

  Iterator first;
  extent size;

  static constexpr extent unknown = -1;

  /// The first n, or as many as there are.
  view_type up_to(extent n) const
  {
    auto const have = std::size_t(size == unknown || n < size ? n : size);
    if constexpr (apart) return view_type(first.data(), ::Kokkos::LayoutStride(have, std::size_t(first.stride())));
    else return view_type(first.data(), have);
  }
  view_type all() const { return up_to(size); }
};

template <class T>
constexpr bool is_items = false;
template <class Iterator>
constexpr bool is_items<items<Iterator>> = true;

/// A View or an iterator as items; anything else as it is.
template <class T>
auto as_items(T const& x)
{
  if constexpr (view<T>) {
    auto const first = ::Kokkos::Experimental::begin(x);
    return items<std::remove_const_t<decltype(first)>>{first, extent(x.extent(0))};
  } else if constexpr (iterator<T>) return items<T>{x, items<T>::unknown};
  else return x;
}

/// Calls f(place, items, rest...) for the arguments of a call: [label,] a place, a View or two iterators, and the rest,
/// in which Views and iterators become items too.
template <class F, place_like Where, view In, class... Rest>
auto ask(F const& f, Where const& where, In const& in, Rest const&... rest)
{
  return f(on(where), as_items(in), as_items(rest)...);
}
template <class F, place_like Where, iterator In, class... Rest>
auto ask(F const& f, Where const& where, In const& first, In const& last, Rest const&... rest)
{
  extent const n = last - first;
  require(n >= 0, "onepass::kokkos: the last iterator is ", -n, " items before the first; give them in order");
  return f(on(where), items<In>{first, n}, as_items(rest)...);
}
template <class F, label Label, place_like Where, class... Rest>
auto ask(F const& f, Label const& name, Where const& where, Rest const&... rest)
{
  return detail::ask(f, on(where).named(name), rest...);
}

/// Waits, as Kokkos' own calls do.
template <class Place>
void wait(Place const& at)
{
  if constexpr (!returns_ended<Place>) at.space.fence("onepass::kokkos");
}

/// As many results as items, by write(from, to): where the results end.
template <class Place, class In, class Out, class Write>
Out mapped(Place const& at, items<In> const& in, items<Out> const& out, Write const& write)
{
  write(in.all(), out.up_to(in.size));
  wait(at);
  return out.first + in.size;
}

/// Some of the items, by write(from, to, kept): where they end.
template <class In, class Out, class Write>
Out compacted(items<In> const& in, items<Out> const& out, Write const& write)
{
  extent kept = 0;
  write(in.all(), out.up_to(in.size), kept);
  return out.first + kept;
}

/// The same in place; from a copy where a schedule reads its items twice.
template <class Place, class In, class Write>
In compacted_in_place(Place const& at, items<In> const& in, Write const& write)
{
  if (!takes_two_passes(at)) return detail::compacted(in, in, write);
  ::Kokkos::View<typename In::value_type*, typename items<In>::memory> const copy(
      ::Kokkos::view_alloc(at.space, ::Kokkos::WithoutInitializing, "onepass::kokkos"), std::size_t(in.size));
  ::Kokkos::deep_copy(at.space, copy, in.all());
  return detail::compacted(detail::as_items(copy), in, write);
}

/// An item by search(from, place): where it is.
template <class In, class Search>
In found(items<In> const& in, Search const& search)
{
  extent place = in.size;
  search(in.all(), place);
  return in.first + place;
}

/// Equality with a value; of two integers in the type that == takes too, but would warn of.
template <class T>
struct equals {
  T value;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(Item const& x) const
  {
    if constexpr (std::is_integral_v<Item> && std::is_integral_v<T>) {
      using both = std::common_type_t<Item, T>;
      return static_cast<both>(x) == static_cast<both>(value);
    } else return x == value;
  }
};

/// a * b in the type of the result.
template <class T>
struct product {
  template <class A, class B>
  ONEPASS_FUNCTION T operator()(A const& a, B const& b) const
  {
    return multiplies{}(static_cast<T>(a), static_cast<T>(b));
  }
};

/// x - previous in the type of the result.
template <class T>
struct difference_in {
  template <class Item>
  ONEPASS_FUNCTION T operator()(Item const& x, Item const& previous) const
  {
    return static_cast<T>(x - static_cast<T>(previous));
  }
};

/// What is between neighbours where no operator is given.
template <class Item, class T>
using difference = std::conditional_t<std::is_same_v<Item, T>, minus, difference_in<T>>;

/// f of two sequences, item by item.
template <class A, class B, class F>
struct of_both {
  using value_type =
      std::remove_cvref_t<std::invoke_result_t<F const, typename A::value_type const&, typename B::value_type const&>>;
  A a;
  B b;
  F f;
  extent size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return f(a(i), b(i)); }
};

/// The type in which Kokkos scans: that of an init, which follows an operator, or of the items.
template <class Iterator, class... OpAndInit>
struct scanned {
  using type = typename Iterator::value_type;
};
template <class Iterator, class Op, class Init>
struct scanned<Iterator, Op, Init> {
  using type = Init;
};
template <class Iterator, class... OpAndInit>
using scanned_t = typename scanned<Iterator, OpAndInit...>::type;

/// The combination of init and all f(item).
template <class Place, class In, class T, class Op = onepass::plus, class F = unchanged>
T total_of(Place const& at, items<In> const& in, T const& init, Op const& op = {}, F const& f = {})
{
  T total = init;
  onepass::transform_reduce(at, in.all(), total, f, op, init);
  return total;
}
template <class Place, class In>
auto total_of(Place const& at, items<In> const& in)
{
  return detail::total_of(at, in, typename In::value_type{});
}

/// The combination of init and all f(item, other).
template <class Place, class In, class Others, class T, class Op = onepass::plus, class F = product<T>>
T total_of(Place const& at, items<In> const& in, items<Others> const& others, T const& init, Op const& op = {},
           F const& f = {})
{
  check_input<space_of<Place>, decltype(in.all())>();
  check_input<space_of<Place>, decltype(others.all())>();
  auto const a = as_input(in.all());
  auto const b = as_input(others.up_to(in.size));
  onepass::require_values("kokkos::transform_reduce", a, b);
  T total = init;
  onepass::reduce(at, of_both<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(b)>, F>{a, b, f, a.size},
                  total, op, init);
  return total;
}

}  // namespace onepass::ONEPASS_ABI::kokkos::detail
