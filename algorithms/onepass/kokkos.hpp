// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/adjacent_difference.hpp>
#include <onepass/bin_sort.hpp>
#include <onepass/count.hpp>
#include <onepass/find.hpp>
#include <onepass/merge_sort.hpp>
#include <onepass/minmax.hpp>
#include <onepass/partition.hpp>
#include <onepass/programs/kokkos_calls.hpp>
#include <onepass/programs/kokkos_teams.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/reduce.hpp>
#include <onepass/scan.hpp>
#include <onepass/select.hpp>
#include <onepass/unique.hpp>

#include <Kokkos_Sort.hpp>

/// The names of Kokkos::Experimental, Kokkos::sort and Kokkos::BinSort, with Kokkos' arguments and results, so that a
/// code is moved by a namespace. Algorithms that onepass has no call for are Kokkos' own, seen through this namespace;
/// so are all calls by a team.
namespace onepass::ONEPASS_ABI::kokkos {

// No directive: calls that find this namespace by one would find Kokkos' functions of the same names beside ours.
using ::Kokkos::BinOp1D;
using ::Kokkos::BinOp3D;
using ::Kokkos::Experimental::adjacent_find;
using ::Kokkos::Experimental::begin;
using ::Kokkos::Experimental::cbegin;
using ::Kokkos::Experimental::cend;
using ::Kokkos::Experimental::copy;
using ::Kokkos::Experimental::copy_backward;
using ::Kokkos::Experimental::copy_n;
using ::Kokkos::Experimental::distance;
using ::Kokkos::Experimental::end;
using ::Kokkos::Experimental::equal;
using ::Kokkos::Experimental::fill;
using ::Kokkos::Experimental::fill_n;
using ::Kokkos::Experimental::find_end;
using ::Kokkos::Experimental::find_first_of;
using ::Kokkos::Experimental::for_each;
using ::Kokkos::Experimental::for_each_n;
using ::Kokkos::Experimental::generate;
using ::Kokkos::Experimental::generate_n;
using ::Kokkos::Experimental::is_partitioned;
using ::Kokkos::Experimental::is_sorted;
using ::Kokkos::Experimental::is_sorted_until;
using ::Kokkos::Experimental::iter_swap;
using ::Kokkos::Experimental::lexicographical_compare;
using ::Kokkos::Experimental::mismatch;
using ::Kokkos::Experimental::move;
using ::Kokkos::Experimental::move_backward;
using ::Kokkos::Experimental::partition_point;
using ::Kokkos::Experimental::replace;
using ::Kokkos::Experimental::replace_copy;
using ::Kokkos::Experimental::replace_copy_if;
using ::Kokkos::Experimental::replace_if;
using ::Kokkos::Experimental::reverse;
using ::Kokkos::Experimental::reverse_copy;
using ::Kokkos::Experimental::rotate;
using ::Kokkos::Experimental::rotate_copy;
using ::Kokkos::Experimental::search;
using ::Kokkos::Experimental::search_n;
using ::Kokkos::Experimental::shift_left;
using ::Kokkos::Experimental::shift_right;
using ::Kokkos::Experimental::sort_by_key_team;
using ::Kokkos::Experimental::sort_by_key_thread;
using ::Kokkos::Experimental::sort_team;
using ::Kokkos::Experimental::sort_thread;
using ::Kokkos::Experimental::swap_ranges;
using ::Kokkos::Experimental::transform;

/// \defgroup kokkos_names Names of Kokkos
/// Algorithms of Kokkos in one pass. Common to all of them:
///
/// - a label may come first, then an execution space instance, or a place (`on(exec).with(workspace)`)
/// - *items* is a View of rank 1, or two iterators of Kokkos, first and last; *results* is a View or one iterator.
///   Where an iterator names an output, it is taken to be as long as the items, so that less memory behind it than that
///   must not belong to another argument; give a View then
/// - functions are called as Kokkos calls them. Values are combined in the type of an init, or of the items
/// - results are returned: values, or iterators of the type that was given, those of Views by begin()
///
/// What differs from Kokkos: items and values are trivially copyable and have at most 64 bytes (56 for extremes and
/// differences); operators may be ones that do not commute; NaNs lie after all numbers for extremes and in merge sorts,
/// and those with a sign before all of them in radix sorts, which order by bits; a label names the kernels of onepass.
/// docs/migration.md has the list.
///
/// Compile-time errors and precondition_error: those of the call of onepass that each is made of.
///
/// Cost: that of the call of onepass. In place, a space without progress between teams copies the items first.
///
/// Waits, as Kokkos' own calls do, but for sort() and sort_by_key() on an instance. Allocates nothing if the place has
/// a large enough workspace.
/// \{

/// results(i) = init · item(0) · … · item(i-1): (items, results, init[, operator]). Returns the results' end.
template <class... Args>
auto exclusive_scan(Args const&... args)
{
  return detail::ask(
      []<class Init>(auto const& at, auto const& in, auto const& out, Init const& init, auto const&... op) {
        return detail::mapped(at, in, out, [&](auto const& from, auto const& to) {
          if constexpr (sizeof...(op) > 0) onepass::exclusive_scan<Init>(at, from, to, op..., init);
          else onepass::exclusive_scan<Init>(at, from, to, plus{}, init);
        });
      },
      args...);
}

/// results(i) = init · item(0) · … · item(i): (items, results[, operator[, init]]). Returns the results' end.
template <class... Args>
auto inclusive_scan(Args const&... args)
{
  return detail::ask(
      []<class In>(auto const& at, detail::items<In> const& in, auto const& out, auto const&... op_and_init) {
        using T = detail::scanned_t<In, std::remove_cvref_t<decltype(op_and_init)>...>;
        return detail::mapped(at, in, out, [&](auto const& from, auto const& to) {
          onepass::inclusive_scan<T>(at, from, to, op_and_init...);
        });
      },
      args...);
}

/// results(i) = init · f(item(0)) · … · f(item(i-1)): (items, results, init, operator, f). Returns the results' end.
template <class... Args>
auto transform_exclusive_scan(Args const&... args)
{
  return detail::ask(
      []<class Init>(auto const& at, auto const& in, auto const& out, Init const& init, auto const& op, auto const& f) {
        return detail::mapped(at, in, out, [&](auto const& from, auto const& to) {
          onepass::transform_exclusive_scan<Init>(at, from, to, f, op, init);
        });
      },
      args...);
}

/// results(i) = init · f(item(0)) · … · f(item(i)): (items, results, operator, f[, init]). Returns the results' end.
template <class... Args>
auto transform_inclusive_scan(Args const&... args)
{
  return detail::ask(
      []<class In>(auto const& at, detail::items<In> const& in, auto const& out, auto const& op, auto const& f,
                   auto const&... init) {
        using T = detail::scanned_t<In, std::remove_cvref_t<decltype(op)>, std::remove_cvref_t<decltype(init)>...>;
        return detail::mapped(at, in, out, [&](auto const& from, auto const& to) {
          onepass::transform_inclusive_scan<T>(at, from, to, f, op, init...);
        });
      },
      args...);
}

/// results(0) = item(0), results(i) = op(item(i), item(i-1)): (items, results[, op]). Returns the results' end. Without
/// op, differences are taken in the type of the results.
template <class... Args>
auto adjacent_difference(Args const&... args)
{
  return detail::ask(
      []<class In, class Out>(auto const& at, detail::items<In> const& in, detail::items<Out> const& out,
                              auto const&... op) {
        return detail::mapped(at, in, out, [&](auto const& from, auto const& to) {
          using difference = detail::difference<typename In::value_type, typename Out::value_type>;
          if constexpr (sizeof...(op) > 0) onepass::adjacent_difference(at, from, to, op...);
          else onepass::adjacent_difference(at, from, to, difference{});
        });
      },
      args...);
}

/// init · item(0) · … · item(n-1): (items[, init[, operator]]).
template <class... Args>
auto reduce(Args const&... args)
{
  return detail::ask([](auto const& at, auto const& in,
                        auto const&... init_and_op) { return detail::total_of(at, in, init_and_op...); },
                     args...);
}

/// init · f(item(0)) · … · f(item(n-1)): (items, init, operator, f); or of f(item, other): (items, others, init[,
/// operator, f]), which without f multiplies them in the type of init.
template <class... Args>
auto transform_reduce(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const&... others_init_op_and_f) {
        return detail::total_of(at, in, others_init_op_and_f...);
      },
      args...);
}

/// The items that satisfy a predicate: (items, results, predicate). Returns the results' end.
template <class... Args>
auto copy_if(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const& out, auto const& predicate) {
        return detail::compacted(in, out, [&](auto const& from, auto const& to, extent& kept) {
          onepass::select_if(at, from, to, kept, predicate);
        });
      },
      args...);
}

/// The items that do not satisfy a predicate: (items, results, predicate). Returns the results' end.
template <class... Args>
auto remove_copy_if(Args const&... args)
{
  return detail::ask(
      []<class Predicate>(auto const& at, auto const& in, auto const& out, Predicate const& predicate) {
        return detail::compacted(in, out, [&](auto const& from, auto const& to, extent& kept) {
          onepass::select_if(at, from, to, kept, unless<Predicate>{predicate});
        });
      },
      args...);
}

/// The items that do not equal a value: (items, results, value). Returns the results' end.
template <class... Args>
auto remove_copy(Args const&... args)
{
  return detail::ask(
      []<class T>(auto const& at, auto const& in, auto const& out, T const& value) {
        return detail::compacted(in, out, [&](auto const& from, auto const& to, extent& kept) {
          onepass::select_if(at, from, to, kept, unless<detail::equals<T>>{{value}});
        });
      },
      args...);
}

/// Keeps the items that do not satisfy a predicate, in place: (items, predicate). Returns their end.
template <class... Args>
auto remove_if(Args const&... args)
{
  return detail::ask(
      []<class Predicate>(auto const& at, auto const& in, Predicate const& predicate) {
        return detail::compacted_in_place(at, in, [&](auto const& from, auto const& to, extent& kept) {
          onepass::select_if(at, from, to, kept, unless<Predicate>{predicate});
        });
      },
      args...);
}

/// Keeps the items that do not equal a value, in place: (items, value). Returns their end.
template <class... Args>
auto remove(Args const&... args)
{
  return detail::ask(
      []<class T>(auto const& at, auto const& in, T const& value) {
        return detail::compacted_in_place(at, in, [&](auto const& from, auto const& to, extent& kept) {
          onepass::select_if(at, from, to, kept, unless<detail::equals<T>>{{value}});
        });
      },
      args...);
}

/// Keeps the first of every run of equal items, in place: (items[, equal]). Returns their end.
template <class... Args>
auto unique(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const&... equal) {
        return detail::compacted_in_place(at, in, [&](auto const& from, auto const& to, extent& kept) {
          onepass::unique(at, from, to, kept, equal...);
        });
      },
      args...);
}

/// The first of every run of equal items: (items, results[, equal]). Returns the results' end.
template <class... Args>
auto unique_copy(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const& out, auto const&... equal) {
        return detail::compacted(in, out, [&](auto const& from, auto const& to, extent& kept) {
          onepass::unique(at, from, to, kept, equal...);
        });
      },
      args...);
}

/// The items that satisfy a predicate to one output, the rest to another: (items, results, results, predicate). Returns
/// the ends of both as a Kokkos::pair.
template <class... Args>
auto partition_copy(Args const&... args)
{
  return detail::ask(
      []<class Kept, class Others>(auto const& at, auto const& in, detail::items<Kept> const& kept,
                                   detail::items<Others> const& others, auto const& predicate) {
        extent count = 0;
        onepass::partition_if(at, in.all(), kept.up_to(in.size), others.up_to(in.size), count, predicate);
        return ::Kokkos::pair<Kept, Others>(kept.first + count, others.first + (in.size - count));
      },
      args...);
}

/// How many items satisfy a predicate: (items, predicate).
template <class... Args>
auto count_if(Args const&... args)
{
  return detail::ask(
      []<class In>(auto const& at, detail::items<In> const& in, auto const& predicate) {
        typename In::difference_type count = 0;
        onepass::count_if(at, in.all(), count, predicate);
        return count;
      },
      args...);
}

/// How many items equal a value: (items, value).
template <class... Args>
auto count(Args const&... args)
{
  return detail::ask(
      []<class In, class T>(auto const& at, detail::items<In> const& in, T const& value) {
        typename In::difference_type count = 0;
        onepass::count_if(at, in.all(), count, detail::equals<T>{value});
        return count;
      },
      args...);
}

/// The first item that satisfies a predicate, or the end: (items, predicate). Returns an iterator.
template <class... Args>
auto find_if(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const& predicate) {
        return detail::found(in,
                             [&](auto const& from, extent& place) { onepass::find_if(at, from, place, predicate); });
      },
      args...);
}

/// The first item that does not satisfy a predicate, or the end: (items, predicate). Returns an iterator.
template <class... Args>
auto find_if_not(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const& predicate) {
        return detail::found(
            in, [&](auto const& from, extent& place) { onepass::find_if_not(at, from, place, predicate); });
      },
      args...);
}

/// The first item that equals a value, or the end: (items, value). Returns an iterator.
template <class... Args>
auto find(Args const&... args)
{
  return detail::ask(
      []<class T>(auto const& at, auto const& in, T const& value) {
        return detail::found(
            in, [&](auto const& from, extent& place) { onepass::find_if(at, from, place, detail::equals<T>{value}); });
      },
      args...);
}

/// Whether all items satisfy a predicate; true of none: (items, predicate).
template <class... Args>
auto all_of(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const& predicate) {
        bool answer = false;
        onepass::all_of(at, in.all(), answer, predicate);
        return answer;
      },
      args...);
}

/// Whether an item satisfies a predicate; false of none: (items, predicate).
template <class... Args>
auto any_of(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const& predicate) {
        bool answer = false;
        onepass::any_of(at, in.all(), answer, predicate);
        return answer;
      },
      args...);
}

/// Whether no item satisfies a predicate; true of none: (items, predicate).
template <class... Args>
auto none_of(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const& predicate) {
        bool answer = false;
        onepass::none_of(at, in.all(), answer, predicate);
        return answer;
      },
      args...);
}

/// The first smallest item, or the end: (items[, less]). Returns an iterator.
template <class... Args>
auto min_element(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const&... less) {
        return detail::found(in,
                             [&](auto const& from, extent& place) { onepass::min_element(at, from, place, less...); });
      },
      args...);
}

/// The first largest item, or the end: (items[, less]). Returns an iterator.
template <class... Args>
auto max_element(Args const&... args)
{
  return detail::ask(
      [](auto const& at, auto const& in, auto const&... less) {
        return detail::found(in,
                             [&](auto const& from, extent& place) { onepass::max_element(at, from, place, less...); });
      },
      args...);
}

/// The first smallest and the last largest item: (items[, less]). Returns iterators as a Kokkos::pair.
template <class... Args>
auto minmax_element(Args const&... args)
{
  return detail::ask(
      []<class In>(auto const& at, detail::items<In> const& in, auto const&... less) {
        extent smallest = 0, largest = 0;
        onepass::minmax_element(at, in.all(), smallest, largest, less...);
        return ::Kokkos::pair<In, In>(in.first + smallest, in.first + largest);
      },
      args...);
}

/// Sorts a View of rank 1, stable: numbers, and enumerations without a < of their own, by radix_sort(), anything else
/// that has < by merge_sort().
template <place_like Where, detail::view Items>
void sort(Where const& where, Items const& items)
{
  if constexpr (detail::sorted_by_code<typename Items::non_const_value_type>) onepass::radix_sort(where, items);
  else onepass::merge_sort(where, items, items);
}

/// Sorts a View of rank 1 in the order of `less`, stable.
template <place_like Where, detail::view Items, class Less>
void sort(Where const& where, Items const& items, Less const& less)
{
  onepass::merge_sort(where, items, items, less);
}

/// Sorts the items [first, last) of a View of rank 1.
template <place_like Where, detail::view Items>
void sort(Where const& where, Items const& items, std::size_t first, std::size_t last)
{
  require(first <= last && last <= items.extent(0), "kokkos::sort: the items from ", first, " to ", last, " of ",
          items.extent(0), " are no range of the View; give one that is");
  kokkos::sort(where, ::Kokkos::subview(items, std::pair(first, last)));
}

/// Each of these without an instance: on the default one of the View's space, fenced before and after.
template <detail::view Items, class... Rest>
void sort(Items const& items, Rest const&... rest)
{
  typename Items::execution_space const exec;
  ::Kokkos::fence("onepass::kokkos::sort");
  kokkos::sort(exec, items, rest...);
  exec.fence("onepass::kokkos::sort");
}

/// What is no View, such as a DynamicView, is sorted by Kokkos itself.
template <class... Args>
  requires(!(detail::view<Args> || ...))
void sort(Args const&... args) { ::Kokkos::sort(args...); }

/// Sorts keys in place, stable, and moves the values with them; both are Views of rank 1.
template <place_like Where, detail::view Keys, detail::view Values>
void sort_by_key(Where const& where, Keys const& keys, Values const& values)
{
  if constexpr (detail::sorted_by_code<typename Keys::non_const_value_type>)
    onepass::radix_sort_by_key(where, keys, values);
  else onepass::merge_sort_by_key(where, keys, values, keys, values);
}

/// The same in the order of `less`.
template <place_like Where, detail::view Keys, detail::view Values, class Less>
void sort_by_key(Where const& where, Keys const& keys, Values const& values, Less const& less)
{
  onepass::merge_sort_by_key(where, keys, values, keys, values, less);
}

/// \}

}  // namespace onepass::ONEPASS_ABI::kokkos
