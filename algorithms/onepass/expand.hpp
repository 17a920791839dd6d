// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_ranges.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/expand.hpp>

namespace onepass {

/// Expands runs: out = symbols(0) lengths(0) times, symbols(1) lengths(1) times, and so on; the inverse of
/// run_length_encode.
///
///   symbols   a View of rank 1, a sequence (counting gives positions), or first(symbols, runs) with a device-resident
///             number of runs
///   lengths   integers, one a symbol at least; runs of length 0 are fine, negative lengths count as 0
///   out       shares no memory with the others; it may be shorter than the sum: then what does not fit is not written
///   total     a View of rank 0 of an integral type: the sum of all lengths, also where that is more than `out` holds
///
/// Queued on the instance in a few kernels; the lengths are read twice, everything else moves once. The cost is by item
/// of the output, whether the runs are of one length or one of them is all. Positions have 64 bits. Needs 1/8 byte of
/// the workspace a run, and on devices 8 a tile. Throws precondition_error, before anything is queued, if there are too
/// few lengths or memory is shared.
template <where Where, class Symbols, class Lengths, class Out, class Total>
void run_length_decode(Where const& where, Symbols const& symbols, Lengths const& lengths, Out const& out,
                       Total const& total)
{
  using exec = space_of<Where>;
  check_input<exec, Symbols>();
  check_input<exec, Lengths>();
  check_output<exec, Out, item_t<Symbols>>();
  check_count<exec, Total>();
  static_assert(Out::rank() == 1, "onepass: expanded runs need a View of rank 1");
  static_assert(std::is_integral_v<item_t<Lengths>>, "onepass: the lengths of runs must be integers");
  auto const from     = as_input(symbols);
  auto const how_long = as_input(lengths);
  auto const to       = as_sequence(out);
  auto const count    = count_of(symbols);
  require(how_long.size >= count.limit, "run_length_decode: there are ", how_long.size, " lengths for ", count.limit,
          " symbols; give one a symbol");
  require_disjoint("run_length_decode", from, to);
  require_disjoint("run_length_decode", how_long, to);

  with_workspace(where, "run_length_decode", [&](auto const& place, auto& scratch) {
    using lengths_type  = decltype(as_input(lengths));
    using sums          = group_sums<lengths_type>;
    using expand        = expansion<decltype(as_input(symbols)), lengths_type, decltype(as_sequence(out))>;
    extent const groups = div_up(count.limit, runs_of_group), tiles = range_tiles<expand>(place, to.size);
    auto* const sum = reinterpret_cast<extent*>(scratch.plain(std::size_t(2 + groups + tiles) * sizeof(extent)));
    contiguous<extent> const begins{sum + 2, groups};  // at 16 bytes
    run(place.named(place.label + " (sums)"), sums{how_long, count, begins}, groups, "");
    run(place.named(place.label + " (begins)"), group_begins<typename Total::value_type>{begins, sum, total.data()},
        item_count{groups}, "");
    run(place, expand{from, how_long, count, begins.data, sum, begins.data + groups, to}, to.size, "run_length_decode");
  });
}

}  // namespace onepass
