// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/chained.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/look_ahead/look_ahead.hpp>
#include <onepass/engine/items/walk.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

template <class Tuning, tile_size Size, class Program>
void queue_chained(Kokkos::Cuda const& exec, std::string const& label, Program const& program, item_count count,
                   workspace<Kokkos::Cuda>& scratch, int anchor, bool exchanges)
{
  using shape        = chained<Program, Tuning, Size>;
  extent const tiles = tiles_of(count.limit, shape::items);
  require_one_launch(label, tiles, count.limit, "items");
  require_shared(exec, label, shape::shared, bytes_per_item<Program>, "give smaller items, or positions of them");
  auto board            = scratch.make_board<shared_words>(tiles * shape::words);
  board.anchor          = anchor;
  board.memory          = {exchanges};
  extent const resident = extent(card_of(exec).multiprocessors) * shape::numbers.min_teams;
  extent const blocks   = shape::numbers.persistent && resident < tiles ? resident : tiles;
  launch(exec, label, onepass_chained<Program, Tuning, Size>, int(blocks), shape::numbers.threads, shape::shared,
         program, count, board);
}

/// Whether an array that begins `lead` items earlier begins at a 16-byte word.
template <class T>
bool is_aligned(contiguous<T> const& s, int lead)
{
  return (reinterpret_cast<std::uintptr_t>(s.data) - std::size_t(lead) * sizeof(T)) % 16 == 0;
}
template <class First, class Second>
bool is_aligned(zipped<First, Second> const& s, int lead)
{
  return is_aligned(s.first, lead) && is_aligned(s.second, lead);
}

/// At which position of the first tile the look-ahead schedule has the first item; -1: there is none.
template <class Program, class Tuning>
int lead_of(Program const& program)
{
  constexpr int most = look_ahead_shape<Program, Tuning>::shifts ? 16 : 1;
  for (int lead = 0; lead < most; ++lead)
    if (is_aligned(program.input(), lead)) return lead;
  return -1;
}

template <class Tuning, class Program>
void queue_look_ahead(Kokkos::Cuda const& exec, std::string const& label, Program const& program, item_count count,
                      workspace<Kokkos::Cuda>& scratch)
{
  using shape        = look_ahead<Program, Tuning>;
  int const lead     = lead_of<Program, Tuning>(program);
  extent const tiles = tiles_of(count.limit + lead, shape::items), blocks = card_of(exec).multiprocessors;
  auto const board = scratch.make_board<shared_words>(tiles * shape::words);
  launch(exec, label, onepass_look_ahead<Program, Tuning>, int(blocks < tiles ? blocks : tiles), shape::threads,
         shape::shared, program, count, lead, board);
}

/// Whether the look-ahead schedule can take these addresses on this device.
template <class Tuning, class Board = shared_board, class Program>
bool fits_look_ahead(Kokkos::Cuda const& exec, Program const& program)
{
  bool fits = has_sm_90_code(exec) && look_ahead<Program, Tuning, Board>::shared <= card_of(exec).most_shared
              && lead_of<Program, Tuning>(program) >= 0;
  if constexpr (Program::shape == output_shape::mapped)
    fits = fits && reinterpret_cast<std::uintptr_t>(program.output().data) % sizeof(typename Program::output_type) == 0;
  return fits;
}

template <class Where>
void require_schedule(Where const& where)
{
  require(where.chosen == schedule::automatic || where.chosen == schedule::chained
              || where.chosen == schedule::look_ahead,
          where.label, ": the CUDA backend has no ", name_of(where.chosen),
          " schedule; it has chained and look-ahead (portably(exec) has two-pass)");
}

/// Whether what says which flag an item has is wider than the item.
template <class Program>
constexpr bool flags_are_wider = sizeof(typename what_decides<Program>::type) > sizeof(typename Program::item_type);

template <item_program Program, class Tuning>
void queue_program(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, item_count count,
                   workspace<Kokkos::Cuda>& scratch)
{
  require_schedule(where);
  constexpr item_thresholds from = item_thresholds_for<Tuning>(counts_flags<Program> || splits_items<Program>);
  extent const bytes             = count.limit * extent(sizeof(typename Program::item_type));
  if constexpr (looks_ahead<Program, Tuning>()) {
    // Chained tiles take less where values may be missing and each is scanned (.72 to .99), and where flags that are
    // wider than their items are not zipped with them: one squad waits for these (.39 of CUB's speed, chained .82).
    constexpr bool pays =
        (Program::shape != output_shape::mapped || !present<inside_of<Program>>::may_miss) && !flags_are_wider<Program>;
    bool const wanted = where.chosen == schedule::look_ahead
                        || (pays && where.chosen == schedule::automatic && bytes >= from.look_ahead_from);
    if (wanted && fits_look_ahead<Tuning>(where.space, program)) {
      queue_look_ahead<Tuning>(where.space, where.label, program, count, scratch);
      return;
    }
  }
  require(where.chosen != schedule::look_ahead, where.label,
          ": the look-ahead schedule needs sm_90 (code that is compiled for it, too), contiguous items (of pairs, "
          "arrays that begin alike within 16 bytes), and user code that leaves at most one bit an item; use chained");

  bool const exchanges = bytes >= from.exchange_from;
  auto const queue     = [&]<tile_size Size>(std::integral_constant<tile_size, Size>) {
    queue_chained<Tuning, Size>(where.space, where.label, program, count, scratch, where.anchor, exchanges);
  };
  if constexpr (calls_users<Program>)
    if (count.limit <= from.single_to) return queue(std::integral_constant<tile_size, tile_size::single>{});
  if constexpr (from.middle_from > 0)
    if (bytes < from.middle_from) return queue(std::integral_constant<tile_size, tile_size::small>{});
  if constexpr (from.large_from > from.middle_from)
    if (bytes < from.large_from) return queue(std::integral_constant<tile_size, tile_size::middle>{});
  queue(std::integral_constant<tile_size, tile_size::large>{});
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
