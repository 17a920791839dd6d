// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_tiles.hpp>
#include <onepass/merge_sort.hpp>
#include <onepass/programs/by_bits.hpp>
#include <onepass/programs/checked.hpp>
#include <onepass/programs/few_segments.hpp>
#include <onepass/programs/segment_tiles.hpp>
#include <onepass/programs/segmented_sort.hpp>
#include <onepass/radix_sort.hpp>

#include <bit>
#include <limits>

namespace onepass::ONEPASS_ABI {

namespace detail {

/// Sorts the segments of a cargo, each by itself, into to_in(memory), where the call's memory is such that these parts
/// and what the sort needs behind them fit. Returns the memory.
template <class Where, class Scratch, class From, class ToIn, class Segments, class Less>
std::byte* sort_segments_behind(plain_parts parts, char const* label, Where const& place, Scratch& scratch,
                                From const& from, ToIn const& to_in, Segments const& segments, Less const& less)
{
  using spare        = spare_cargo<From>;
  using program      = segment_sort_program<From, decltype(to_in(nullptr)), typename spare::type, Segments, Less>;
  extent const n     = from.items.size;
  extent const tiles = round_tiles_of<program>(place, n).first;
  bool const spares  = tiles > 1 || on_host<space_of<Where>>;
  spare const room(parts, spares ? n : 0);
  auto const bounds       = parts.add<shared_segment>(spares ? tiles : 0),
             progress     = parts.add<round_progress>(spares ? 1 : 0);
  std::byte* const memory = scratch.plain(parts.bytes());
  onepass::run(place,
               program{{{from, to_in(memory), room.in(memory), less},
                        segments,
                        n,
                        reinterpret_cast<round_progress*>(memory + progress),
                        reinterpret_cast<shared_segment*>(memory + bounds)}},
               label);
  return memory;
}

/// The same into another cargo, which may be the same memory.
template <class Where, class From, class To, class Segments, class Less>
void sort_segments_by_merging(char const* label, Where const& where, From const& from, To const& to,
                              Segments const& segments, Less const& less)
{
  extent const n = from.items.size;
  if (n == 0) return;
  if constexpr (!on_host<space_of<Where>>) {
    using few = sort_few_segments<decltype(from.items), decltype(to.items), Segments, Less>;
    if (n <= few::most && segments.number() <= few::most)
      return onepass::run(where, few{{}, from.items, to.items, segments, n, less}, label);
  }
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    sort_segments_behind(
        plain_parts(), label, place, scratch, from, [&](std::byte*) { return to; }, segments, less);
  });
}

/// Sorts the segments of a program together, each by itself.
template <class Where, class In, class Out, class Offsets>
void sort_segments_by_digits(Where const& where, segmented_sort_program<In, Out, Offsets> program)
{
  char const* const label = "segmented_sort";
  extent const n          = program.in.size;
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    plain_parts parts(private_order_bytes(place, program, n));
    extent const places  = segment_index::size(n);
    auto const index     = parts.add<std::uint32_t>(places);
    auto* const memory   = scratch.plain(parts.bytes());
    program.index.counts = places > 0 ? reinterpret_cast<std::uint32_t*>(memory + index) : nullptr;
    onepass::run_each(place.step(" (index)"), index_segments<Offsets>{program.index, program.offsets}, places, label);
    onepass::run(place, program, item_count{n}, label);
  });
}

}  // namespace detail

/// Sorts every segment of the keys by itself: out[offsets(s), offsets(s + 1)) = the keys of `in` there, sorted, for
/// every s. Equal keys keep their order.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`, `out`: Views of rank 1 of integers, bool, enumerations or floats, of one type; `out` may be `in` itself
/// - `offsets`: a View of rank 1 of integers that do not decrease, one more than there are segments, fewer than 2^32;
///   segments may be empty. Keys before the first offset and from the last one on are not moved. `on(exec).checked()`
///   checks the offsets first, waits for the result, and throws precondition_error if they decrease
/// - `order`: as in radix_sort()
///
/// Compile-time errors: memory that the space cannot reach, keys of other types and offsets that are not integers.
/// Throws precondition_error, before anything is queued, if `out` is too short or overlaps, there are too many offsets,
/// or a key lacks the bits that `order` names.
///
/// Cost: host threads sort each segment as radix_sort() does, some segments at a time. On devices and by the kokkos
/// backend each tile of some thousand keys, with the segments that begin in it, is sorted in shared memory, 2 n;
/// segments longer than a tile are then merged two runs at a time, 2 n of their keys for each doubling from a tile's
/// length to theirs. On devices one kernel for what fits a tile, else two, whatever the segments are. Workspace
/// memory: n keys, and 32 bytes a tile. On CUDA runs of 512 keys are sorted in registers, but in tiles with a -0.0, and
/// by orders of some bits. There up to some 10^4 keys are instead compared with those of their segment, by all
/// multiprocessors at once: one kernel without a workspace, or two in place, with n keys. Where segments have more than
/// some 10^5 keys on average, the number of a segment is instead sorted as part of every key: as radix_sort() of pairs,
/// with a pass more for each 8 bits of the number.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: segments by a merge sort, Baxter 2013; in registers by classes of lengths, Hou et al. 2017; see
/// docs/references.md.
///
/// \ingroup sorts
template <place_like Where, class In, class Out, class Offsets>
  requires Kokkos::is_view_v<Offsets>
void segmented_sort(Where const& where, In const& in, Out const& out, Offsets const& offsets,
                    sort_order const& order = {})
{
  using exec = space_of<Where>;
  using key  = item_t<In>;
  check_input<exec, In>();
  check_input<exec, Offsets>();
  static_assert(simple_key<key>, "onepass: segmented_sort takes keys of integers, bool, enumerations or floats");
  static_assert(std::is_integral_v<item_t<Offsets>>, "onepass: the offsets of segments must be integers");
  auto const from  = as_input(in);
  auto const to    = detail::sorted_output<exec, key>(out);
  auto const heads = as_input(offsets);
  onepass::require_room("segmented_sort", from, to);
  onepass::require_no_overlap("segmented_sort", from, to);
  onepass::require_disjoint("segmented_sort", heads, to);
  require(heads.size < extent(1) << 32, "segmented_sort: ", heads.size, " offsets are too many; give less than 2^32");
  detail::require_bits("segmented_sort", order, key_bits<key>);
  int const end = order.end_of(key_bits<key>);
  detail::require_offsets("segmented_sort", where, heads, item_count{extent(heads.size)}, from.size);
  using all_offsets = offset_segments<decltype(as_input(offsets))>;
  all_offsets const segments{heads, from.size};
  if constexpr (has_relays<Where>)
    if (auto const tuned = segment_rank_tuning_for<tuning_of<Where>>(sizeof(key));
        tuned.wanted(from.size, heads.size - 1, begin_alike(from, to))) {
      using coded = by_some_bits<key>;
      return detail::sort_by_ranks(
          "segmented_sort", where,
          codes_of<decltype(from), coded>{from, {order.begin_bit, end, order.descending}, from.size},
          cargo{from, nothing{}}, cargo{to, nothing{}}, ranked_segments<all_offsets>{segments}, begin_alike(from, to),
          tuned);
    }
  if constexpr (sorts_segments<Where>)
    run_in_segments(where,
                    sort_program<decltype(as_input(in)), decltype(as_sequence(out)), nothing, nothing, unchanged>{
                        from, to, {}, {}, {}, begin_alike(from, to), order.descending, order.begin_bit, end},
                    segments, from.size, "segmented_sort");
  else {
    if (digits_for<segment_key<key>>(where).wanted(from.size, heads.size)
        && heads.size <= extent(std::numeric_limits<segment_number<key>>::max()))
      detail::sort_segments_by_digits(
          where,
          segmented_sort_program<decltype(as_input(in)), decltype(as_sequence(out)), decltype(as_input(offsets))>{
              from,
              to,
              heads,
              {},
              int(std::bit_width(std::uint64_t(heads.size))),
              order.descending,
              order.begin_bit,
              end});
    else {
      auto const sort = [&](auto const& less) {
        detail::sort_segments_by_merging("segmented_sort", where, cargo{from, nothing{}}, cargo{to, nothing{}},
                                         segments, less);
      };
      by_some_bits<key> const by_bits(order.begin_bit, end, order.descending);
      if (by_bits.is_whole()) sort(by_codes{});
      else sort(by_bits);
    }
  }
}

}  // namespace onepass::ONEPASS_ABI
