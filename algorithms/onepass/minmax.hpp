// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/minmax.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup extremes Extreme items
/// The positions of the smallest and the largest item. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1, or of 2, where positions count along its rows; a sequence; or `first(items, count)`
///   with a size known only on the device
/// - `index`, `smallest`, `largest`: Views of rank 0, or variables of the host, of an integral type that holds n, which
///   receive positions. For an empty input the position is 0, its size
/// - `less`: `less(a, b)`, a strict weak order. Default: <, with NaNs after all numbers: min_element finds one only if
///   there is nothing else, and max_element finds the first NaN if there is one
///
/// Ties are resolved as by std: min_element gives the first smallest, max_element the first largest, and
/// minmax_element the first smallest and the last largest.
///
/// Compile-time errors: memory that the space cannot reach, indices that are not integers, a
/// comparator that does not fit, and items that are not trivially copyable or, with their positions, have more than 64
/// bytes. Throws precondition_error, before anything is queued, where an index is too narrow or goes where the number
/// of items is.
///
/// Cost: one pass; n items are read once.
///
/// Queued on the instance without a fence; waits only where a position is a variable. Allocates nothing if the place
/// has a large enough workspace.
///
/// Source: the library's own, docs/decisions/0035-queries.md.
/// \{

namespace detail {

template <class Aggregate>
constexpr void check_placed()
{
  static_assert(std::is_trivially_copyable_v<Aggregate>, "onepass: the items must be trivially copyable");
  static_assert(sizeof(Aggregate) <= 64, "onepass: the extreme items with their positions may have at most 64 bytes");
}

template <class Rule, class Less, class Where, class In, class Index>
void find_extreme(char const* label, Where const& where, In const& in, Index const& index, Less const& less)
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_kept<item_t<In>>();
  check_index<exec, Index>();
  check_comparator<Less, item_t<In>, item_t<In>>();
  onepass::require_index<typename Index::value_type>(label, as_input(in).size);
  onepass::require_result_apart(label, index, held_count(in));
  onepass::with_input(in, [&](auto from) {
    using program = extreme_program<decltype(from), Rule, typename Index::value_type>;
    check_placed<typename program::aggregate_type>();
    onepass::run(where, program{from, {less}, index.data()}, count_of(in), label);
  });
}

template <class Where, class In, class Smallest, class Largest, class Less>
void find_extremes(char const* label, Where const& where, In const& in, Smallest const& smallest,
                   Largest const& largest, Less const& less)
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_kept<item_t<In>>();
  check_index<exec, Smallest>();
  check_index<exec, Largest>();
  check_comparator<Less, item_t<In>, item_t<In>>();
  onepass::require_index<typename Smallest::value_type>(label, as_input(in).size);
  onepass::require_index<typename Largest::value_type>(label, as_input(in).size);
  onepass::require_result_apart(label, smallest, held_count(in));
  onepass::require_result_apart(label, largest, held_count(in));
  onepass::with_input(in, [&](auto from) {
    using program = extremes_program<decltype(from), Less, typename Smallest::value_type, typename Largest::value_type>;
    check_placed<typename program::aggregate_type>();
    onepass::run(where, program{from, less, smallest.data(), largest.data()}, count_of(in), label);
  });
}

}  // namespace detail

/// index() = the position of the first item that no item is less than.
template <place_like Where, class In, class Index, class Less = less>
void min_element(Where const& where, In const& in, Index&& index, Less less = {})
{
  onepass::with_result(where, std::forward<Index>(index), [&](auto const& at, auto const& to) {
    detail::find_extreme<first_smallest<Less>>("min_element", at, in, to, less);
  });
}

/// index() = the position of the first item that is less than none.
template <place_like Where, class In, class Index, class Less = less>
void max_element(Where const& where, In const& in, Index&& index, Less less = {})
{
  onepass::with_result(where, std::forward<Index>(index), [&](auto const& at, auto const& to) {
    detail::find_extreme<first_largest<Less>>("max_element", at, in, to, less);
  });
}

/// smallest() = the position of the first item that no item is less than, largest() = that of the last item that is
/// less than none.
template <place_like Where, class In, class Smallest, class Largest, class Less = less>
void minmax_element(Where const& where, In const& in, Smallest&& smallest, Largest&& largest, Less less = {})
{
  onepass::with_result<0>(where, std::forward<Smallest>(smallest), [&](auto const& place, auto const& first) {
    onepass::with_result<1>(place, std::forward<Largest>(largest), [&](auto const& at, auto const& last) {
      detail::find_extremes("minmax_element", at, in, first, last, less);
    });
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
