// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_ranges.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/search_on_devices.hpp>

#include <bit>

namespace onepass::ONEPASS_ABI {

/// \defgroup searches Searches
/// The positions of many needles in sorted items. Common to both:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `sorted`: items in the order of `less`: a View of rank 1, a sequence, or `first(items, count)` with a size known
///   only on the device
/// - `needles`: the same, in any order; near each other in memory they search faster where they are near each other in
///   order
/// - `positions`: a View of rank 1 of an integral type that holds the number of items, at least as long as `needles`,
///   which may be `needles` itself
/// - `less`: a strict weak order of items and needles, as `sorted` has it. Default: <, with NaNs after all numbers
///
/// If the items are not sorted, the positions are meaningless, but are between 0 and the number of items.
///
/// Compile-time errors: memory that the space cannot reach, positions that are not integers, a
/// comparator that does not fit and Views of rank 2. Throws precondition_error, before anything is queued, if
/// `positions` is too short, too narrow, or shares memory in another way than above.
///
/// Cost: one kernel; each needle is read once and finds its place by log2(n) + 3 items at most. On devices a team looks
/// for each of up to 1024 needles, at 64 places at once.
///
/// Queued on the instance without a fence. Allocates nothing.
///
/// Source: first steps in a tree by levels, Khuong & Morin 2017; see docs/references.md. Searches side by side are the
/// library's own, docs/decisions/0035-queries.md.
/// \{

namespace detail {

/// Comparisons of searches that the calling thread of a host makes by itself.
inline constexpr extent few_comparisons = 8192;

template <class Before, class Where, class Sorted, class Needles, class Positions, class Less>
void search(char const* label, Where const& where, Sorted const& sorted, Needles const& needles,
            Positions const& positions, Less const& less)
{
  using exec = space_of<Where>;
  check_counted_input<exec, Sorted>();
  check_counted_input<exec, Needles>();
  check_kept<item_t<Needles>>();
  check_output<exec, Positions, extent>();
  static_assert(std::is_integral_v<item_t<Positions>>, "onepass: positions must be integers");
  static_assert(item_rank<Sorted> == 1 && item_rank<Needles> == 1 && Positions::rank() == 1,
                "onepass: a search takes and gives Views of rank 1");
  auto const items = as_input(sorted);
  auto const asked = as_input(needles);
  auto const to    = as_sequence(positions);
  onepass::require_room(label, asked, to);
  onepass::require_index<item_t<Positions>>(label, items.size);
  onepass::require_no_overlap(label, asked, to);
  onepass::require_disjoint(label, to, items, held_count(sorted), held_count(needles));
  using tuning = tuning_of<Where>;
  using each   = search_each<sequence_of<Sorted>, sequence_of<Needles>, decltype(as_sequence(positions)), Before>;
  each const one{items, count_of(sorted), asked, count_of(needles), to, {less}};
  if constexpr (!on_host<exec>) {
    if (searches_by_teams<tuning>(items.size, asked.size))
      return onepass::run(where, search_by_teams<each>{{one}}, asked.size, label);
    if (searches_side_by_side<tuning>(items.size, asked.size)) {
      constexpr int item     = sizeof(item_t<Sorted>);
      constexpr int bytes    = sizeof(item_t<Needles>),
                    together = bytes < 4     ? 4
                               : bytes <= 16 ? 2
                                             : 1,
                    few      = bytes <= 4 ? 4 : 2;
      if constexpr (item <= 8 && bytes <= 8
                    && std::is_trivially_copyable_v<
                        item_t<Sorted>> && std::is_trivially_copy_assignable_v<item_t<Sorted>>)
        if (begins_in_a_tree<tuning>(items.size, item, asked.size))
          return onepass::run(where, search_from_tree<each, few>{{{one}}}, asked.size, label);
      if constexpr (together == 2)
        if (are_far<tuning>(items.size * item, asked.size))
          return onepass::run(where, search_side_by_side<each, 1>{{one}}, asked.size, label);
      return onepass::run(where, search_side_by_side<each, together>{{one}}, asked.size, label);
    }
  }
  extent const comparisons = asked.size * (extent(std::bit_width(std::uint64_t(items.size))) + 1);
  onepass::run_each(where, one, asked.size, label, comparisons <= few_comparisons ? asked.size : 0);
}

}  // namespace detail

/// positions(i) = the first position whose item is not less than needles(i), or the number of items; `less(item,
/// needle)`.
template <place_like Where, class Sorted, class Needles, class Positions, class Less = less>
void lower_bound(Where const& where, Sorted const& sorted, Needles const& needles, Positions const& positions,
                 Less less = {})
{
  check_comparator<Less, item_t<Sorted>, item_t<Needles>>();
  detail::search<before_lower_bound<Less>>("lower_bound", where, sorted, needles, positions, less);
}

/// positions(i) = the first position whose item needles(i) is less than, or the number of items; `less(needle, item)`.
template <place_like Where, class Sorted, class Needles, class Positions, class Less = less>
void upper_bound(Where const& where, Sorted const& sorted, Needles const& needles, Positions const& positions,
                 Less less = {})
{
  check_comparator<Less, item_t<Needles>, item_t<Sorted>>();
  detail::search<before_upper_bound<Less>>("upper_bound", where, sorted, needles, positions, less);
}

/// \}

}  // namespace onepass::ONEPASS_ABI
