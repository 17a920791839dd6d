// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_bins.hpp>
#include <onepass/programs/checked.hpp>
#include <onepass/programs/histogram.hpp>

#include <cmath>

namespace onepass::ONEPASS_ABI {

/// \defgroup histograms Histograms
/// How many items fall into each bin. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1 or 2, or a sequence
/// - `counts`: a View of rank 1 of integers of 4 or 8 bytes, one per bin, 1 to 2^20 bins; overwritten on the device
///
/// Items outside all bins are not counted; NaN is in no bin.
///
/// Compile-time errors: memory that the space cannot reach, other counts, and a `bin_of` that does not fit. Throws
/// precondition_error, before anything is queued, if there are no bins or too many, memory is shared, or bins have no
/// width.
///
/// Cost: one pass; n items are read once. Each team counts in its shared memory and adds its counts to the result at
/// the end. Where there are more bins than counters, those that a team meets first have counters, and items of other
/// bins are added to the result one by one; or a few teams read the same items, each for a part of the bins.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: the library's own, docs/decisions/0022-bins.md; bins of equal width by Granlund & Montgomery 1994, see
/// docs/references.md.
/// \{

namespace detail {

template <class Where, class In, class Counts, class BinOf>
[[gnu::always_inline]] inline void count_bins(char const* label, Where const& where, In const& in, Counts const& counts,
                                              BinOf bin_of)
{
  using exec = space_of<Where>;
  check_input<exec, In>();
  using count = typename Counts::value_type;
  static_assert(Counts::rank() == 1 && reachable<exec, Counts>,
                "onepass: the counts of a histogram must be a View of rank 1 that the execution space reaches");
  static_assert(std::is_integral_v<count> && !std::is_const_v<count> && (sizeof(count) == 4 || sizeof(count) == 8),
                "onepass: the counts of a histogram must be integers of 4 or 8 bytes");
  static_assert(!Counts::memory_traits::is_atomic,
                "onepass: the counts of a histogram must not have the Atomic memory trait");
  auto to = as_sequence(counts);
  require(1 <= to.size && to.size <= most_bins, label, ": there are ", to.size, " bins; give 1 to 2^20");
  onepass::require_disjoint(label, as_input(in), to);
  onepass::with_input<true>(in, [&](auto from) {
    histogram_program<decltype(from), decltype(as_sequence(counts)), BinOf> program{from, to, bin_of};
    onepass::run(where, program, item_count{extent(from.size)}, label);
  });
}

}  // namespace detail

/// counts(b) = the number of items x with bin_of(x) == b. bin_of returns an integer of at most 8 bytes
/// (onepass::unchanged where items are their own bins); items for which it is not a bin are not counted.
template <place_like Where, class In, class Counts, class BinOf>
void histogram(Where const& where, In const& in, Counts const& counts, BinOf const& bin_of)
{
  using bin = std::invoke_result<BinOf const, item_t<In> const&>;
  static_assert(std::is_invocable_v<BinOf const, item_t<In> const&>,
                "onepass: bin_of must be callable with an item and give an integer");
  using bin_index = std::remove_cvref_t<typename bin::type>;
  static_assert(std::is_integral_v<bin_index> && sizeof(bin_index) <= 8,
                "onepass: bin_of must be callable with an item and give an integer of at most 8 bytes");
  detail::count_bins("histogram", where, in, counts, bin_of);
}

/// Bins of equal width between low and high: item x is in bin floor((x - low) bins / (high - low)) where low <= x <
/// high. For floats bins / (high - low) is rounded to their type first, and so is the product; an item that rounds up
/// to the end is counted in the last bin. Integers have at most 8 bytes. `low < high`, and a bin's width must not round
/// to zero in the items' type, else precondition_error is thrown.
template <place_like Where, class In, class Counts>
void histogram_even(Where const& where, In const& in, Counts const& counts, item_t<In> const& low,
                    item_t<In> const& high)
{
  static_assert(std::is_arithmetic_v<item_t<In>> && !std::is_same_v<item_t<In>, bool>,
                "onepass: histogram_even takes items that are numbers, and no bool");
  static_assert(!std::is_integral_v<item_t<In>> || sizeof(item_t<In>) <= 8,
                "onepass: histogram_even takes integers of at most 8 bytes");
  require(low < high, "histogram_even: its bins end at ", high, ", which is not above ", low, ", where they begin");
  using T           = item_t<In>;
  extent const bins = extent(counts.extent(0));
  even_bins<T> bin_of(low, high, bins);
  if constexpr (std::is_floating_point_v<T>)
    require(bins == 0 || (bin_of.scale > 0 && std::isfinite(bin_of.scale)), "histogram_even: ", bins, " bins from ",
            low, " to ", high, " are too wide or too narrow for their type");
  detail::count_bins("histogram_even", where, in, counts, bin_of);
}

/// Bins between levels: counts(b) = the number of items x with levels(b) <= x < levels(b + 1). `levels`, a View of rank
/// 1 or a sequence, has one element more than there are bins, else precondition_error is thrown, and does not decrease:
/// `on(exec).checked()` checks that first, waits for the result, and throws if it does. Finding an item's bin takes
/// log2(bins) steps.
template <place_like Where, class In, class Counts, class Levels>
void histogram_range(Where const& where, In const& in, Counts const& counts, Levels const& levels)
{
  check_input<space_of<Where>, Levels>();
  auto const cuts = as_input(levels);
  require(cuts.size == extent(counts.extent(0)) + 1, "histogram_range: there are ", cuts.size, " levels for ",
          counts.extent(0), " bins; give one more than bins");
  onepass::require_disjoint("histogram_range", cuts, as_sequence(counts));
  detail::require_on_device("histogram_range", where, "level", cuts.size, detail::falls<sequence_of<Levels>>{cuts},
                            "is less than the one before it; give levels that never decrease");
  detail::count_bins("histogram_range", where, in, counts, level_bins<item_t<In>, sequence_of<Levels>>{cuts});
}

/// \}

}  // namespace onepass::ONEPASS_ABI
