// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/board.hpp>
#include <onepass/backends/host/compact_any.hpp>
#include <onepass/backends/host/flagged_tile.hpp>
#include <onepass/backends/host/neighbour_tile.hpp>
#include <onepass/backends/host/reduced_tile.hpp>
#include <onepass/backends/host/share_out.hpp>
#include <onepass/backends/host/shared_calls.hpp>
#include <onepass/backends/host/shared_walk.hpp>
#include <onepass/backends/host/tally.hpp>
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/vector_tile.hpp>
#include <onepass/backends/host/walked_tile.hpp>
#include <onepass/engine/items/chained.hpp>
#include <onepass/engine/items/serial.hpp>
#include <onepass/engine/lookback.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

template <class Program>
bool streams(extent n)
{
  if constexpr (Program::shape == output_shape::none || pairs_neighbours<Program>) return false;
  else return worth_streaming(std::size_t(n) * (sizeof(typename Program::item_type) + bytes_per_output<Program>));
}

/// A compacting program whose items are wider than what vectors compress. Lists of such items are gathered and then
/// copied, which threads that do not know yet where to write have a use for; one thread has if branches are guessed
/// wrong, and of fewer items they are mostly remembered from the last time.
template <class Program>
concept moves_wide_items = lists_flags<Program> && !compressible<typename Program::item_type>;

/// One whose flags tell neighbours apart, by a comparison of many steps: mostly a branch, which is then taken once for
/// the flag and once more for what the flag is for.
template <class Program>
concept compares_wide_items = moves_wide_items<Program> && looks_behind<Program> && lies_in_memory<input_of<Program>>;

/// Some of its items one after another, in a function of its own for the registers of the loop.
template <compares_wide_items Program>
[[gnu::noinline]] typename Program::aggregate_type walk_some_wide(Program const& program, extent first, extent last,
                                                                  typename Program::aggregate_type const& before)
{
  ONEPASS_ASSUME(first >= 0);  // so that behind the first item there is one before
  auto all = before;
  one_after_another<true>(
      program, first, last,
      before, [&](Program const&, auto const& up_to_last) __attribute__((always_inline)) { all = up_to_last; });
  return all;
}

/// Such a program on the calling thread. Some items at a time go one after another as long as nearly all or hardly any
/// of those before had flags, as branches then are guessed right, and by lists where flags come as they like.
template <compares_wide_items Program>
[[gnu::noinline]] void walk_or_list(Program const& program, extent n, bool stream)
{
  bool const fits = columns_hold(program, n);
  bool guessed    = true;
  auto all        = program.initial();
  for (extent first = 0, last; first < n; first = last) {
    last               = std::min(first + listed_together, n);
    extent const place = program.template position<0>(first, all);
    all = fits && guessed ? walk_some_wide(program, first, last, all) : through_tile(program, first, last, all, stream);
    extent const flags = program.template position<0>(last, all) - place, rare = (last - first) / guessed_among;
    guessed = flags <= rare || flags >= last - first - rare;
  }
  if (stream) release_streams();
  program.finish(all, n);
}

/// Its total, by the calling thread.
template <folds_memos Program>
[[gnu::noinline]] void add_up_alone(Program const& given, extent n)
{
  Program program = given;  // a copy, which no store can change
  auto all        = program.initial();
  if (n > 0 || Program::holds(all)) all = total_of(program, all, 0, n);  // of most operators a value is always there
  program.finish(all, n);
}

/// Fewer items are faster one after another.
template <class Program>
constexpr extent fewest_at_once =
    moves_wide_items<Program>                                               ? fewest_forgotten
    : lists_parts<Program>                                                  ? fewest_in_lists_of_parts
    : folds_memos<Program> || tallies<Program> || pairs_neighbours<Program> ? fewest_added_in_vectors
                                                                            : fewest_in_vectors;

/// Runs a program on the calling thread, each item read from memory once.
template <extent Size, class Program>
void run_by_one(Program const& program, extent n)
{
  if constexpr (sums_up_to_flags<Program>) return sum_up_to_flags(program, n);
  if constexpr (folds_memos<Program>)
    if (!vectorised<Program> || n < fewest_added_in_vectors) return add_up_alone(program, n);
  if (n < fewest_at_once<Program>) return run_serially(program, n);
  if constexpr (shares_out<Program>)
    if (columns_hold(program, n) && !may_be_in_place(program)) return share_out_alone(program, n);
  bool const stream = streams<Program>(n);
  if constexpr (compares_wide_items<Program>) return walk_or_list(program, n, stream);
  auto all = program.initial();
  if constexpr (direct<Program>) {
    auto const* in = program.input().data;
    if constexpr (Program::shape == output_shape::none) all = program.combine(all, leaf<Program>::reduce(in, n));
    else leaf<Program>::scan(in, program.output().data, n, all, in, stream);
  } else if constexpr (lists_flags<Program> || lists_parts<Program>) {
    constexpr extent size = lists_parts<Program> ? std::min(Size, 2 * listed_together) : Size;
    for (extent first = 0; first < n; first += size)
      all = through_tile(program, first, std::min(first + size, n), all, stream);
  } else if constexpr (Program::shape == output_shape::none) {
    for (extent first = 0; first < n; first += Size)
      all = program.combine(all, cached_tile<Program>(program, first, std::min(first + Size, n)).upsweep());
  } else if constexpr (pairs_in_vectors<Program>) {
    cached_tile<Program> mine(program, 0, n), none(program, n, n);
    mine.downsweep(all, none, stream);
  } else return run_serially(program, n);
  if (stream) release_streams();
  program.finish(all, n);
}

/// Whether a place leaves the schedule to this backend, which has one.
template <place_like Where>
bool may_tile(Where const& where)
{
  auto const chosen = schedule_of(where);
  return chosen == schedule::automatic || chosen == schedule::tiled;
}

/// Few items are taken one after another where the call is: a partition of one takes half as long.
template <place_like Where, item_program Program>
  requires(!is_canonical<tuning_of<Where>>)
[[gnu::always_inline]] inline bool finished_on_the_spot(backend, Where const& where, Program const& program,
                                                        item_count count)
{
  constexpr extent fewest = std::min(fewest_at_once<Program>, fewest_in_vectors);
  if (is_tiny<tuning_of<Where>> || !may_tile(where)) return false;
  extent const n = count();
  return n < fewest && run_on_the_spot(program, n);
}

/// A call that waking threads would delay is done by the calling one.
template <place_like Where, item_program Program>
  requires(!is_canonical<tuning_of<Where>> && !shares_calls<Program>)
bool finished_at_once(backend, Where const& where, Program const& program, item_count count)
{
  constexpr item_tuning numbers = item_tuning_for<tuning_of<Where>>();
  if (!may_tile(where)) return false;
  extent const n = count();
  if (n * extent(bytes_per_item<Program>) >= numbers.alone_from) return false;
  if constexpr (shares_walks<Program>)  // what user code costs is not known yet
    if (n > walk_tuning_for<tuning_of<Where>>().alone_items && !inside_kernel(instance_of(where))) return false;
  run_by_one<numbers.items(bytes_per_item<Program>)>(program, n);
  return true;
}

/// The same of a program whose calls may be dear, which wants a label where threads share them.
template <place_like Where, shares_calls Program>
  requires(!is_canonical<tuning_of<Where>>)
bool finished_at_once(backend, Where const& where, Program const& program, item_count count, char const* label)
{
  using tuning                   = tuning_of<Where>;
  constexpr call_numbers numbers = call_tuning_for<tuning>();
  constexpr extent size          = item_tuning_for<tuning>().items(bytes_per_item<Program>);
  if (!may_tile(where)) return false;
  extent const n = count(), bytes = n * extent(bytes_per_item<Program>);
  if (bytes >= numbers.few_bytes) return false;
  auto const named = [&] { return on(where).or_named(label).label; };
  if (luck_with<Program>.template keeps_alone<tuning>(n) || !share_calls<tuning>(named, instance_of(where), program, n))
    run_by_one<size>(program, n);
  return true;
}

/// A walk of few items wants no workspace, and a label only where threads share it.
template <place_like Where, shares_walks Program>
  requires(!is_canonical<tuning_of<Where>>)
bool finished_at_once(backend, Where const& where, Program const& program, item_count count, std::string_view label)
{
  extent const n = count(), bytes = n * extent(bytes_per_item<Program>);
  if (!may_tile(where) || bytes >= walk_tuning_for<tuning_of<Where>>().few_bytes) return false;
  walk_few<tuning_of<Where>>(label, instance_of(where), program, n, bytes);
  return true;
}

/// The tiled schedule: cache-sized tiles on the threads of a host space. Tickets make every wait finite, whatever
/// number of threads the runtime provides: the tiles before a tile are finished, or belong to running threads.
///
/// Source: decoupled look-back, Merrill & Garland 2016; see docs/references.md. Tiles scanned from the cache while the
/// next is reduced are the library's own.
template <class Exec, item_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, item_count count,
                   workspace<Exec>& scratch)
{
  require(may_tile(where), where.label, ": the host backend has no ", name_of(where.chosen),
          " schedule; it has tiled (portably(exec) has chained and two-pass)");
  constexpr item_tuning numbers = item_tuning_for<Tuning>();
  constexpr extent size         = numbers.items(bytes_per_item<Program>);
  constexpr int words           = descriptor<typename Program::aggregate_type>::words;
  constexpr bool reads_once =
      (Program::shape == output_shape::none && pure_program<Program>) || pairs_neighbours<Program>;
  extent const n     = count();
  extent const taken = reads_once ? numbers.items_read_once(n, size) : size;
  extent const tiles = tiles_of(n, int(taken)), bytes = n * extent(bytes_per_item<Program>);
  if constexpr (shares_walks<Program>)
    if (bytes < walk_tuning_for<Tuning>().few_bytes && !inside_kernel(where.space))
      return walk_few<Tuning>(where.label, where.space, program, n, bytes);
  extent const threads = threads_for(where.space, bytes, numbers.alone_from);

  // A kernel's thread works alone whatever the tuning says: inside of kernels Kokkos neither allocates nor frees.
  if (threads == 1 && (numbers.alone_from > 0 || inside_kernel(where.space))) return run_by_one<size>(program, n);
  auto board        = scratch.template make_board<shared_words>(tiles * words);
  board.anchor      = where.anchor;
  bool const stream = streams<Program>(n);

  auto const worker = [=](int) {
    auto const draw = [&] { return shared_board::ticket(board.draw(tiles + threads, tiles * words)); };
    auto const tile = [&](shared_board::ticket const& t) {
      extent const first = std::min(t.index * taken, n);
      return cached_tile<Program>(program, first, std::min(first + taken, n));
    };
    auto ticket = draw();
    auto mine   = tile(ticket);
    auto total  = mine.upsweep();
    while (ticket.index < tiles) {
      if (ticket.index > 0) board.publish(ticket, tile_status::aggregate, total);
      auto const prefix    = ticket.index > 0 ? look_back(board, ticket, program) : program.initial();
      auto const inclusive = program.combine(prefix, total);
      board.publish(ticket, tile_status::inclusive_prefix, inclusive);
      if (ticket.index == tiles - 1) program.finish(inclusive, n);

      // The next ticket is drawn before this tile is written, so that the two can overlap. Waits stay finite: until the
      // next tile's aggregate is published, this thread waits for no other.
      auto const next = draw();
      auto ahead      = tile(next);
      total           = mine.downsweep(prefix, ahead, stream);
      ticket          = next;
      mine            = ahead;
    }
    release_streams();
  };
  on_threads(where.label, where.space, threads, worker);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
