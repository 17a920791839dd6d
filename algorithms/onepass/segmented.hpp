// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_ranges.hpp>
#include <onepass/backends/run_relays.hpp>
#include <onepass/backends/run_tiles.hpp>
#include <onepass/programs/checked.hpp>
#include <onepass/programs/relayed_segment_sums.hpp>
#include <onepass/programs/segmented.hpp>
#include <onepass/programs/segmented_reduce.hpp>
#include <onepass/programs/small_segment_scans.hpp>
#include <onepass/programs/small_segment_sums.hpp>
#include <onepass/reduce.hpp>
#include <onepass/scan.hpp>
#include <onepass/select.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup segments Segmented scans and reductions
/// Scans and reductions of each of many segments, which are given by offsets. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1, or a sequence
/// - `offsets`: S + 1 integers for S segments, the first at least 0, which never decrease: items offsets(s) to
///   offsets(s + 1) - 1 are segment s, which may be empty; or `first(offsets, count)` where the number of offsets is
///   known only on the device
/// - `out`: a View of rank 1, at least as long as `in`, in whose item type the items are combined; it may be `in`
///   itself
/// - `op`: `op(older, newer)` must be associative; it need not be commutative. It never combines items of different
///   segments. Default: sums
/// - `init`: precedes the first item of every segment: a value, or a View of rank 0 that is read when the kernel runs
///
/// A scan takes the items before the first segment as one segment more; a reduction does not read them. Items after the
/// last segment are neither read nor written. If offsets decrease, results are meaningless, but nothing is written
/// outside the output; `on(exec).checked()` checks them first, waits for the result, and throws precondition_error.
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, offsets that are not integers,
/// items of rank 2, an operator that does not fit, and an exclusive scan or a reduction with neither an init nor an
/// identity. Throws precondition_error, before anything is queued, where an output is too short or shares memory.
///
/// Cost: one flat pass over the items, however long the segments are: n items are read once and n results written once.
/// Before a scan, one or two small kernels read the offsets and mark where segments begin, with one bit per item in the
/// workspace; a scan of few items is a single kernel. On devices a thread or a team of its own takes each segment of a
/// small input, if they are short on average.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: Blelloch 1990, Sengupta et al. 2007; in a single pass, Merrill & Garland 2016; see docs/references.md.
/// \{

namespace detail {

template <class Offsets>
constexpr void check_offsets()
{
  static_assert(std::is_integral_v<item_t<Offsets>>, "onepass: the offsets of segments must be integers");
}

/// What the marking gives to a segmented call: the head flags of the items, and the number of items.
struct marked_items {
  is_head heads;
  item_count count;
};

/// The memory that the marking needs: packs for one bit per item and an additional word; then extents for these and the
/// count.
inline constexpr extent words_of_heads(extent limit) { return 2 * packs_of_heads(limit) + 1; }

/// Queues the marking, in memory of words_of_heads(limit) extents.
template <class Place, class Offsets>
marked_items mark(Place const& place, segments<Offsets> const& all, extent limit, extent* memory)
{
  auto* const bits  = reinterpret_cast<std::uint32_t*>(memory);
  auto* const items = memory + 2 * packs_of_heads(limit);
  extent const most = all.most();
  clear_heads<Offsets> const clear{all, limit, items, reinterpret_cast<pack*>(memory)};
  mark_heads<Offsets> const set{all, limit, bits};
  constexpr auto few = few_segments_for<tuning_of<Place>>();
  if (limit <= few.items && most <= few.segments)
    onepass::run(place.step(" (mark heads)"), mark_few<Offsets>{{}, clear, set}, "");
  else {
    onepass::run_each(place.step(" (clear heads)"), clear, packs_of_heads(limit), "");
    onepass::run(place.step(" (mark heads)"), set, most, "");
  }
  return {{bits}, {limit, items}};
}

template <scan_kind Kind, class Where, class In, class Offsets, class Out, class Op, class Init>
void segmented_scan(char const* label, Where const& where, In const& in, Offsets const& offsets, Out const& out, Op op,
                    Init const& init)
{
  using exec  = space_of<Where>;
  using T     = item_t<Out>;
  using known = known_operator_t<Op, T>;
  check_input<exec, In>();
  check_counted_input<exec, Offsets>();
  check_offsets<Offsets>();
  check_output<exec, Out, T>();
  check_operator<known, T>();
  static_assert(item_rank<In> == 1 && Out::rank() == 1, "onepass: a segmented scan takes and gives Views of rank 1");
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(Kind != scan_kind::exclusive || has_init || has_identity<known, T>,
                "onepass: an exclusive scan with an operator that has no identity needs an init");
  auto from   = as_input(in);
  auto bounds = as_input(offsets);
  auto to     = as_sequence(out);
  onepass::require_room(label, from, to);
  onepass::require_no_overlap(label, from, to);
  onepass::require_disjoint(label, to, bounds, held_count(offsets));
  onepass::require_init_apart(label, init, to);
  detail::require_offsets(label, where, bounds, count_of(offsets), from.size);

  using base    = scan_program<Kind, decltype(as_input(in)), decltype(as_sequence(out)), T, known, unchanged>;
  using program = segmented_scan_program<base, is_head, has_init>;
  segments<decltype(as_input(offsets))> const all{bounds, count_of(offsets)};
  program scan{{from, to, {known_operator<T>(op)}, {}, given_init<T, exec>(init), has_init, nullptr}, {}};
  constexpr auto numbers = segment_tuning_for<tuning_of<Where>>();
  bool const is_few      = from.size + bounds.size <= numbers.few;
  if constexpr (returns_finished<Where> && !is_canonical<tuning_of<Where>>) {
    constexpr extent shares = 8;
    extent const share      = std::min(std::max(from.size / shares, numbers.few), numbers.steps_alone);
    return onepass::run(where,
                        scan_segments_alone<program, decltype(as_input(offsets))>{
                            {}, scan, all, from.size, std::max<extent>(is_few ? from.size : share, 1)},
                        label);
  }
  if constexpr (!on_host<exec> && !is_canonical<tuning_of<Where>>)
    if (extent const most = bounds.size > 0 ? bounds.size - 1 : 0; numbers.scans_alone(from.size, most))
      return onepass::run(
          where, small_segment_scans<base, decltype(as_input(offsets))>{scan.base, all, 4 * numbers.mean_scanned},
          most + 1, label);
  if (is_few)
    return onepass::run(where, scan_few<program, decltype(as_input(offsets))>{{}, scan, all, from.size}, label);
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    auto* const memory = scratch.template plain_of<extent>(words_of_heads(from.size));
    auto const items   = mark(place, all, from.size, memory);
    scan.heads         = items.heads;
    onepass::run(place, scan, items.count, label);
  });
}

/// segmented_reduce by one kernel: in a single tile, or in several.
template <class Tiles, class T, class Where, class In, class Offsets, class Sums, class Op>
void add_segments(Where const& where, In const& in, segments<Offsets> const& all, Sums const& sums, Op const& op,
                  given<T> init, bool has_init)
{
  using program = segment_sums_program<In, Offsets, Sums, Op, T, Tiles, tuning_of<Where>>;
  onepass::run(where, program{{}, {in, all, sums, {op}, init, has_init}}, "segmented_reduce");
}

/// segmented_reduce as a scan, whose order is that of the canonical tree: sums are the last results of segments.
template <class T, class Where, class In, class Offsets, class Sums, class Op>
void scan_then_take_sums(Where const& where, In const& in, segments<Offsets> const& all, Sums const& sums, Op const& op,
                         given<T> init, bool has_init)
{
  using algebra = monoid<Op, T>;
  using program = scan_program<scan_kind::inclusive, In, contiguous<T>, T, Op, unchanged>;
  if (!has_init) init.value = algebra::value(algebra::initial());
  extent const most = all.most(), words = div_up(words_of_heads(in.size), 8) * 8;
  with_workspace(where, "segmented_reduce", [&](auto const& place, auto& scratch) {
    auto* const memory = reinterpret_cast<extent*>(
        scratch.plain(std::size_t(words) * sizeof(extent) + std::size_t(in.size) * sizeof(T)));
    contiguous<T> const scanned{reinterpret_cast<T*>(memory + words), in.size};
    auto const items = mark(place, all, in.size, memory);
    onepass::run(
        place,
        segmented_scan_program<program, is_head, true>{{in, scanned, {op}, {}, init, true, nullptr}, items.heads},
        items.count, "segmented_reduce");
    onepass::run_each(place.step(" (take)"), last_of_segment<Offsets, contiguous<T>, Sums>{all, scanned, init, sums},
                      most, "");
  });
}

/// segmented_reduce in either way.
template <class T, class Where, class In, class Offsets, class Sums, class Op>
void reduce_segments(Where const& where, In const& in, segments<Offsets> const& all, Sums const& sums, Op const& op,
                     given<T> const& init, bool has_init)
{
  constexpr auto numbers = segment_tuning_for<tuning_of<Where>>();
  extent const most      = all.most();
  if (in.size + most <= numbers.few) add_segments<single_tile, T>(where, in, all, sums, op, init, has_init);
  else add_segments<several_tiles, T>(where, in, all, sums, op, init, has_init);
}

/// Whether a thread takes a segment of a small input.
template <class Where, class In>
bool takes_by_threads(Where const&, In const& in, extent most)
{
  constexpr auto numbers = segment_tuning_for<tuning_of<Where>>();
  return in.size * extent(sizeof(typename In::value_type)) <= most * numbers.mean_short;
}

/// segmented_reduce of a small input, on a device: by one kernel without waits.
template <class T, class Where, class In, class Offsets, class Sums, class Op>
void reduce_small_segments(Where const& where, In const& in, segments<Offsets> const& all, Sums const& sums,
                           Op const& op, given<T> const& init, bool has_init)
{
  constexpr auto numbers = segment_tuning_for<tuning_of<Where>>();
  extent const most      = all.most();
  auto const queue       = [&]<bool Short>(std::bool_constant<Short>) {
    using program = small_segment_sums<In, Offsets, Sums, Op, T, Short>;
    onepass::run(where, program{{{in, all, sums, {op}, init, has_init}}, numbers.longest}, most, "segmented_reduce");
  };
  if (takes_by_threads(where, in, most)) queue(std::true_type{});
  else queue(std::false_type{});
}

/// Whether an input is so small.
template <class Where, class In>
bool is_small(Where const&, In const& in)
{
  constexpr auto numbers = segment_tuning_for<tuning_of<Where>>();
  return in.size * extent(sizeof(typename In::value_type)) <= numbers.small;
}

/// reduce_rows of a matrix whose rows lie side by side.
template <class T, class Where, class In, class Sums, class Op>
void reduce_side_by_side(Where const& where, In const& in, Sums const& sums, Op const& op, given<T> const& init,
                         bool has_init)
{
  using base        = scan_program<scan_kind::total_only, In, nothing, T, Op, unchanged>;
  using program     = sums_side_by_side<base, Sums>;
  extent const rows = in.size / in.columns, parts = detail::parts_of_rows(where, rows, in.columns);
  program sides{{{in, {}, {op}, {}, init, has_init, nullptr}, rows, parts, nullptr}, sums};
  if (parts == 1) return onepass::run(where, sides, rows, "segmented_reduce");
  with_workspace(where, "segmented_reduce", [&](auto const& place, auto& scratch) {
    using aggregate       = typename program::aggregate;
    constexpr extent each = add_up_parts<program>::each;
    auto* some            = reinterpret_cast<aggregate*>(
        scratch.plain(std::size_t(rows * (parts + 2 * div_up(parts, each))) * sizeof(aggregate)));
    sides.put_by = some;
    onepass::run(place, sides, rows * parts, "segmented_reduce");
    for (extent left = parts; left > 1; left = div_up(left, each)) {
      sides.put_by = left > each ? some + rows * left : nullptr;
      onepass::run_each(place.step(" (parts)"), add_up_parts<program>{sides, some, left}, rows * div_up(left, each),
                        "");
      some += rows * left;
    }
  });
}

/// segmented_reduce by turns, where relay programs run.
template <class T, class Where, class In, class Offsets, class Sums, class Op>
void relay_segments(Where const& where, In const& in, segments<Offsets> const& all, Sums const& sums, Op const& op,
                    given<T> init, bool has_init)
{
  constexpr auto widths = width_tuning_for<tuning_of<Where>>(sizeof(typename In::value_type));
  relayed_by_width(sums_of_segments<In, Offsets, Sums, Op, T>{in, all, sums, {op}, init, has_init}, widths,
                   [&](auto const& program) { onepass::run(where, program, "segmented_reduce"); });
}

/// segmented_reduce under exactly(): sums that three doubles do not hold are made anew.
template <class Where, class In, class Offsets, class Sums, class Init>
void reduce_segments_exactly(Where const& where, In const& in, segments<Offsets> const& all, Sums const& sums,
                             Init const& init)
{
  static_assert(!Kokkos::is_view_v<Init>, "onepass: exact sums of segments take an init that is a value");
  double first = 0;
  if constexpr (!std::is_same_v<Init, no_init>)
    first = static_cast<double>(static_cast<typename Sums::value_type>(init));
  auto const place = on(where).or_named("segmented_reduce");
  using term       = exact_number<unchanged>;
  using open       = open_segments<segments<Offsets>, Sums>;
  reduce_segments<held_sum>(place, in, all, sums, hold_plus{}, given<held_sum>{held_sum(first), nullptr}, true);
  onepass::run(place.step(" (digits)"), make_sums_anew<In, term, open>{in, {}, {all, in.size, sums, first}},
               all.count.limit, "");
}

}  // namespace detail

/// out(i) = init · in(b) · … · in(i-1), where b is the first item of the segment of i; out(b) = init, or the identity.
template <place_like Where, class In, class Offsets, class Out, class Op = plus, class Init = no_init>
void exclusive_segmented_scan(Where const& where, In const& in, Offsets const& offsets, Out const& out, Op op = {},
                              Init const& init = {})
{
  detail::segmented_scan<scan_kind::exclusive>("exclusive_segmented_scan", where, in, offsets, out, op, init);
}

/// out(i) = init · in(b) · … · in(i), where b is the first item of the segment of i.
template <place_like Where, class In, class Offsets, class Out, class Op = plus, class Init = no_init>
void inclusive_segmented_scan(Where const& where, In const& in, Offsets const& offsets, Out const& out, Op op = {},
                              Init const& init = {})
{
  detail::segmented_scan<scan_kind::inclusive>("inclusive_segmented_scan", where, in, offsets, out, op, init);
}

/// sums(s) = init · the items of segment s, in the item type of `sums`, a View of rank 1 with one item per segment. The
/// sum of an empty segment is init, or the operator's identity; an operator without an identity needs an init. No
/// memory may be shared.
///
/// Cost: one kernel reads the items and the offsets once and writes the sums; long segments cost what it takes to read
/// their items. On devices a segment is taken by a thread, a warp or a team, as long as it is. Under canonically(exec)
/// it is a scan into the workspace, from which sums are taken.
template <place_like Where, class In, class Offsets, class Sums, class Op = plus, class Init = no_init>
void segmented_reduce(Where const& where, In const& in, Offsets const& offsets, Sums const& sums, Op op = {},
                      Init const& init = {})
{
  using exec  = space_of<Where>;
  using T     = item_t<Sums>;
  using known = known_operator_t<Op, T>;
  check_input<exec, In>();
  check_counted_input<exec, Offsets>();
  detail::check_offsets<Offsets>();
  check_operator<known, T>();
  static_assert(item_rank<In> == 1, "onepass: segmented_reduce takes items of rank 1");
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(has_init || has_identity<known, T>,
                "onepass: a reduction with an operator that has no identity needs an init");
  auto from         = as_input(in);
  auto bounds       = as_input(offsets);
  auto to           = detail::checked_output<exec, T>(sums);
  extent const most = bounds.size > 0 ? bounds.size - 1 : 0;
  require(to.size >= most, "segmented_reduce: the output has ", to.size, " items for ", most,
          " segments; give one a segment");
  onepass::require_disjoint("segmented_reduce", to, from, bounds, held_count(offsets));
  onepass::require_init_apart("segmented_reduce", init, to);
  detail::require_offsets("segmented_reduce", where, bounds, count_of(offsets), from.size);

  using offsets_type = decltype(as_input(offsets));
  segments<offsets_type> const all{bounds, count_of(offsets)};
  known const combines = known_operator<T>(op);
  auto first           = detail::given_init<T, exec>(init);
  if constexpr (is_canonical<tuning_of<Where>>)
    detail::scan_then_take_sums<T>(where, from, all, to, combines, first, has_init);
  else if constexpr (!is_exact_place<Where>) {
    if constexpr (is_by_rows<decltype(as_input(in))> && std::is_same_v<Offsets, multiples>)  // reduce_rows
      if (offsets.step == from.columns && onepass::lies_side_by_side(from, detail::sides_of<Where>.added)
          && (on_host<exec> || !detail::is_small(where, from)))
        return detail::reduce_side_by_side<T>(where, from, to, combines, first, has_init);
    if constexpr (has_relays<Where>) return detail::relay_segments<T>(where, from, all, to, combines, first, has_init);
    else if constexpr (!on_host<exec>)
      if (detail::is_small(where, from))
        return detail::reduce_small_segments<T>(where, from, all, to, combines, first, has_init);
    detail::reduce_segments<T>(where, from, all, to, combines, first, has_init);
  } else if constexpr (detail::adds_floats_exactly<T, Op>())
    detail::reduce_segments_exactly(steps_of(where), from, all, to, init);
  else detail::reduce_segments<T>(steps_of(where), from, all, to, combines, first, has_init);
}

/// totals(r) = init · the items of row r of `in`, a View of rank 2: the totals of a scan by rows. The total of an empty
/// row is init, or the operator's identity. `totals` is a View of rank 1 with one item per row, in whose item type the
/// items are combined. Works like segmented_reduce(), but needs no offsets in memory.
template <place_like Where, class In, class Totals, class Op = plus, class Init = no_init>
void reduce_rows(Where const& where, In const& in, Totals const& totals, Op op = {}, Init const& init = {})
{
  static_assert(Kokkos::is_view_v<In> && item_rank<In> == 2, "onepass: reduce_rows takes a View of rank 2");
  check_input<space_of<Where>, In>();
  extent const rows = extent(in.extent(0)), columns = extent(in.extent(1));
  onepass::with_input(in, [&](auto from) {
    onepass::segmented_reduce(on(where).or_named("reduce_rows"), from, multiples{columns, rows + 1}, totals, op, init);
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
