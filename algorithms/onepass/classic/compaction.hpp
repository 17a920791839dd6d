// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/classic/programs/compaction.hpp>
#include <onepass/scan.hpp>
#include <onepass/select.hpp>

namespace onepass::ONEPASS_ABI::classic {

/// \defgroup classic_compaction Classic compaction and run-length encoding
/// Compaction and run-length encoding as done before single-pass scans: baselines for measurements, implemented with
/// equal care. They take the same arguments as select_if() and run_length_encode(), but do not work in place; inputs
/// have fewer than 2^32 items. All of them call user code more than once per item, and keep arrays in the workspace
/// between their kernels.
///
/// - compact_by_blocks(): count each block's kept items, scan the counts, find the position of each kept item by
///   ballots: reads the input twice
/// - compact_by_scatter(): scan the flags, scatter: one position per item is written and read
/// - compact_by_gather(): scan the flags, then a binary search for each output item: log n dependent reads each
/// - encode_by_four_kernels(): mask, scan, compact, scatter, all through global memory
/// - encode_by_blocks(): the same with the mask and ranks of a block in shared memory
/// - encode_in_sequence(): one loop on the calling thread
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert and counts of fewer than 4 bytes.
/// Throws precondition_error, before anything is queued, if memory is shared or there are 2^32 items or more; the
/// functions that scan flags also throw for sizes known only on the device.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
/// \{

namespace detail {

inline void require_small(char const* operation, extent n)
{
  require(n < extent(1) << 32, operation, ": ", n, " items; the classic forms take less than 2^32");
}

template <class Scratch>
position* memory_for(Scratch& scratch, extent positions)
{
  return scratch.template plain_of<position>(positions);
}

inline constexpr extent room_of_blocks(extent n) { return 2 * div_up(n, 256); }

/// Runs the three phases. `total` receives the number of kept items; `memory` has room for room_of_blocks(n) positions.
template <class Place, class Keep, class Write, class Total>
void by_blocks(Place const& where, item_count n, Keep const& keep, Write const& write, Total const& total,
               position* memory)
{
  using exec    = space_of<Place>;
  using machine = blocks<exec, Keep, Write>;
  static_assert(machine::items == 256);
  extent const teams = div_up(n.limit, machine::items);
  require(teams < extent(1) << 31, where.label, ": more blocks than one launch has");
  machine const m{n, keep, write, memory, memory + teams};
  positions<exec> const counts(memory, std::size_t(teams)), offsets(memory + teams, std::size_t(teams));
  if (teams > 0) m.template queue<typename machine::count>(where.space, where.label + " (count)");
  onepass::exclusive_scan<typename Total::value_type>(where.step(" (scan)"), counts, offsets, plus{},
                                                      typename Total::value_type(0), total);
  if (teams > 0) m.template queue<typename machine::place>(where.space, where.label + " (place)");
}

template <class Where, class In, class Out, class Count>
constexpr void check_compaction()
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_output<exec, Out, item_t<In>>();
  check_count<exec, Count>();
  static_assert(sizeof(typename Count::value_type) >= sizeof(position),
                "onepass: the classic forms count in integers of at least 4 bytes");
}

}  // namespace detail

/// out = the items x with predicate(x), by counts per block, a scan of the counts, and ballots. `out` is a View of rank
/// 1, which may be too short; `count` a View of rank 0 of an integral type, which receives the number of kept items.
/// Three kernels, and those of the scan: n items are read twice, each kept item is written once.
///
/// Source: Billeter et al. 2009; counting by ballots, Harris & Garland 2012; see docs/references.md.
template <place_like Where, class In, class Out, class Count, class Predicate>
void compact_by_blocks(Where const& where, In const& in, Out const& out, Count const& count, Predicate predicate)
{
  detail::check_compaction<Where, In, Out, Count>();
  auto const from = as_input(in);
  auto const to   = as_sequence(out);
  detail::require_small("compact_by_blocks", from.size);
  onepass::require_disjoint("compact_by_blocks", from, to);
  onepass::require_result_apart("compact_by_blocks", count, from, held_count(in), to);
  with_workspace(where, "compact_by_blocks", [&](auto const& place, auto& scratch) {
    auto* const memory = detail::memory_for(scratch, detail::room_of_blocks(from.size));
    detail::by_blocks(place, count_of(in), detail::keep_item<decltype(as_input(in)), Predicate>{from, predicate},
                      detail::write_item_to<decltype(as_input(in)), decltype(as_sequence(out))>{from, to}, count,
                      memory);
  });
}

namespace detail {

/// Scans the flags of `in` into `positions` (exclusive), counts them, and calls then(place, positions).
template <class Where, class In, class Count, class Keep, class Then>
void with_scanned_flags(char const* label, Where const& where, In const& in, Count const& count, Keep const& keep,
                        Then const& then)
{
  using exec         = space_of<Where>;
  using T            = typename Count::value_type;
  item_count const n = count_of(in);
  require_small(label, n.limit);
  require(n.actual == nullptr, label,
          ": a size that is known on the device; the classic forms that scan flags take sizes of the host");
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    auto* const memory = memory_for(scratch, n.limit);
    positions<exec> const before(memory, std::size_t(n.limit));
    onepass::exclusive_scan<T>(place.step(" (scan)"), flags<Keep>{keep, n.limit}, before, plus{}, T(0), count);
    then(place, memory);
  });
}

}  // namespace detail

/// out = the items x with predicate(x), by a scan of the flags and a scatter. n items are read twice, n positions of 4
/// bytes written and read, each kept item written once.
///
/// Source: Sengupta et al. 2007; see docs/references.md.
template <place_like Where, class In, class Out, class Count, class Predicate>
void compact_by_scatter(Where const& where, In const& in, Out const& out, Count const& count, Predicate predicate)
{
  detail::check_compaction<Where, In, Out, Count>();
  auto const from = as_input(in);
  auto const to   = as_sequence(out);
  onepass::require_disjoint("compact_by_scatter", from, to);
  onepass::require_result_apart("compact_by_scatter", count, from, held_count(in), to);
  using keep  = detail::keep_item<decltype(as_input(in)), Predicate>;
  using write = detail::write_item_to<decltype(as_input(in)), decltype(as_sequence(out))>;
  detail::with_scanned_flags("compact_by_scatter", where, in, count, keep{from, predicate},
                             [&](auto const& place, detail::position const* before) {
                               onepass::run_each(place.step(" (scatter)"),
                                                 detail::scatter<keep, write>{{from, predicate}, {from, to}, before},
                                                 from.size, "");
                             });
}

/// out = the items x with predicate(x), by a scan of the flags and a binary search for each output. n items are read
/// once for the flags, n positions of 4 bytes written, and log n of them read for each kept item.
///
/// Source: Horn 2005; see docs/references.md.
template <place_like Where, class In, class Out, class Count, class Predicate>
void compact_by_gather(Where const& where, In const& in, Out const& out, Count const& count, Predicate predicate)
{
  detail::check_compaction<Where, In, Out, Count>();
  auto const from = as_input(in);
  auto const to   = as_sequence(out);
  onepass::require_disjoint("compact_by_gather", from, to);
  onepass::require_result_apart("compact_by_gather", count, from, held_count(in), to);
  using keep  = detail::keep_item<decltype(as_input(in)), Predicate>;
  using write = detail::write_item_to<decltype(as_input(in)), decltype(as_sequence(out))>;
  detail::with_scanned_flags("compact_by_gather", where, in, count, keep{from, predicate},
                             [&](auto const& place, detail::position const* before) {
                               onepass::run_each(place.step(" (gather)"),
                                                 detail::gather<write, typename Count::value_type>{
                                                     from.size, {from, to}, before, count.data()},
                                                 from.size, "");
                             });
}

namespace detail {

/// Queues the encoders' last kernel; `begins` has the position where every run begins.
template <class Place, class In, class Symbols, class Lengths, class Runs>
void queue_write_runs(Place const& place, In const& in, position const* begins, Symbols const& symbols,
                      Lengths const& lengths, Runs const& runs)
{
  using last = write_runs<decltype(as_input(in)), decltype(as_sequence(symbols)), decltype(as_sequence(lengths)),
                          typename Runs::value_type>;
  onepass::run_each(place.step(" (write)"),
                    last{as_input(in), count_of(in), begins, as_sequence(symbols), as_sequence(lengths), runs.data()},
                    as_input(in).size, "");
}

template <class Where, class In, class Symbols, class Lengths, class Runs>
void check_encoder(char const* label, In const& in, Symbols const& symbols, Lengths const& lengths, Runs const& runs)
{
  check_compaction<Where, In, Symbols, Runs>();
  check_output<space_of<Where>, Lengths, extent>();
  require_small(label, as_input(in).size);
  onepass::require_disjoint(label, as_input(in), as_sequence(symbols), as_sequence(lengths));
  onepass::require_disjoint(label, as_sequence(symbols), as_sequence(lengths));
  onepass::require_result_apart(label, runs, as_input(in), held_count(in), as_sequence(symbols), as_sequence(lengths));
}

}  // namespace detail

/// symbols(k), lengths(k) of the k-th run by four kernels that pass everything through global memory: a mask of heads,
/// its scan, the positions where runs begin, and each run from two of these. Three arrays of n positions of 4 bytes are
/// written and read.
///
/// Source: Balevic (PARLE); see docs/references.md.
template <place_like Where, class In, class Symbols, class Lengths, class Runs>
void encode_by_four_kernels(Where const& where, In const& in, Symbols const& symbols, Lengths const& lengths,
                            Runs const& runs)
{
  detail::check_encoder<Where, In, Symbols, Lengths, Runs>("encode_by_four_kernels", in, symbols, lengths, runs);
  item_count const n = count_of(in);
  require(n.actual == nullptr, "encode_by_four_kernels: a size that is known on the device; give the size on the host");
  with_workspace(where, "encode_by_four_kernels", [&](auto const& place, auto& scratch) {
    using T            = typename Runs::value_type;
    using all          = detail::positions<space_of<Where>>;
    using keep         = detail::starts_run<decltype(as_input(in))>;
    auto* const mask   = detail::memory_for(scratch, 3 * n.limit);
    auto* const rank   = mask + n.limit;
    auto* const begins = rank + n.limit;
    onepass::run_each(place.step(" (mask)"), detail::write_mask<keep>{{as_input(in)}, mask}, n.limit, "");
    onepass::inclusive_scan<T>(place.step(" (scan)"), all(mask, std::size_t(n.limit)), all(rank, std::size_t(n.limit)),
                               plus{}, T(0), runs);
    onepass::run_each(place.step(" (compact)"), detail::write_begins{rank, begins}, n.limit, "");
    detail::queue_write_runs(place, in, begins, symbols, lengths, runs);
  });
}

/// The same with the mask and the ranks of a block in shared memory: only the positions where runs begin and the counts
/// of blocks pass through global memory. n items are read twice.
template <place_like Where, class In, class Symbols, class Lengths, class Runs>
void encode_by_blocks(Where const& where, In const& in, Symbols const& symbols, Lengths const& lengths,
                      Runs const& runs)
{
  detail::check_encoder<Where, In, Symbols, Lengths, Runs>("encode_by_blocks", in, symbols, lengths, runs);
  item_count const n = count_of(in);
  with_workspace(where, "encode_by_blocks", [&](auto const& place, auto& scratch) {
    auto* const begins = detail::memory_for(scratch, n.limit + detail::room_of_blocks(n.limit));
    detail::by_blocks(place, n, detail::starts_run<decltype(as_input(in))>{as_input(in)}, detail::write_begin{begins},
                      runs, begins + n.limit);
    detail::queue_write_runs(place, in, begins, symbols, lengths, runs);
  });
}

/// A sequential loop over host memory. Returns the number of runs; runs that do not fit are not written. Nothing is
/// queued or allocated; all is done when it returns.
template <class In, class Symbols, class Lengths>
extent encode_in_sequence(In const& in, Symbols const& symbols, Lengths const& lengths)
{
  check_input<Kokkos::DefaultHostExecutionSpace, In>();
  check_output<Kokkos::DefaultHostExecutionSpace, Symbols, item_t<In>>();
  check_output<Kokkos::DefaultHostExecutionSpace, Lengths, extent>();
  auto const from       = as_input(in);
  auto const to_symbols = as_sequence(symbols);
  auto const to_lengths = as_sequence(lengths);
  extent runs           = 0;
  for (extent i = 0, begin = 0; i < from.size; ++i)
    if (i + 1 == from.size || !(from(i) == from(i + 1))) {  // the last run ends at the last item
      if (runs < to_symbols.size) to_symbols(runs) = from(i);
      if (runs < to_lengths.size) to_lengths(runs) = static_cast<item_t<Lengths>>(i + 1 - begin);
      ++runs;
      begin = i + 1;
    }
  return runs;
}

/// \}

}  // namespace onepass::ONEPASS_ABI::classic
