// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_orders.hpp>
#include <onepass/checks.hpp>
#include <onepass/execution/cell_tuning.hpp>
#include <onepass/execution/plain_parts.hpp>
#include <onepass/programs/checked.hpp>
#include <onepass/programs/radix_sort.hpp>
#include <onepass/programs/scan.hpp>
#include <onepass/programs/sort_by_cell.hpp>

#include <bit>
#include <limits>

namespace onepass::ONEPASS_ABI {

namespace detail {

/// offsets(c) = the first place among sorted ids whose id is not below c, for each c up to offsets.size - 1.
template <class Where, class Ids, class Offsets>
void find_offsets(Where const& where, Ids const& ids, item_count count, Offsets const& offsets, char const* label)
{
  extent const each = returns_finished<Where> ? cell_tuning_for<typename place_of<Where>::tuning>().offsets : 1;
  find_each_offset<Ids, Offsets> const find{ids, count, offsets, each};
  run_each(where, find, find.calls(), label);
}

/// Whether a host counts the items of all cells at once.
template <class Where, class Cells>
bool counts_cells(Where const& where, Cells const& cells, extent number)
{
  constexpr cell_tuning numbers = cell_tuning_for<typename place_of<Where>::tuning>();
  extent const n = cells.size, threads = on(where).space.concurrency();
  return n >= numbers.from && n <= extent(std::numeric_limits<std::uint32_t>::max())
         && number * threads * numbers.items_each <= n
         && (number <= numbers.at_random || neighbours_are_near(cells, numbers.pairs, numbers.near));
}

/// to = the values in the order of their cells, and where each cell begins.
template <class Where, class Cells, class Offsets, class Values, class To>
void order_by_cell(char const* label, Where const& where, Cells const& cells, Offsets const& offsets,
                   Values const& values, To const& to)
{
  using cell     = typename Cells::value_type;
  using offset   = typename Offsets::value_type;
  extent const n = cells.size, number = offsets.size - 1;
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    auto const named = [&](char const* what) { return place.named(place.label + what); };
    if constexpr (returns_finished<Where>)
      if (counts_cells(place, cells, number)) {
        extent const threads = place.space.concurrency();
        cell_counters const counters{
            reinterpret_cast<std::uint32_t*>(scratch.plain(std::size_t(number * threads) * sizeof(std::uint32_t))),
            number, threads, n};
        run_each(named(" (count)"), count_cells<Cells>{cells, counters}, threads, label);
        run(named(" (add up)").by(schedule::automatic),
            scan_program<scan_kind::exclusive, items_of_cells, Offsets, offset, plus, unchanged>{
                {counters, number}, offsets, {}, {}, {}, false, &offsets(number)},
            item_count{number}, label);
        run_each(named(" (begin)"), begin_cells<Offsets>{offsets, counters}, number, label);
        run_each(named(" (place)"), place_by_cell<Cells, Values, To>{cells, values, to, counters}, threads, label);
        return;
      }
    using moved   = values_to_move<Values>;
    using value   = typename Values::value_type;
    using program = sort_program<Cells, contiguous<cell>, moved, To, unchanged>;
    int const bits =
        std::min(int(std::bit_width(std::uint64_t(number > 0 ? number - 1 : 0))), std::numeric_limits<cell>::digits);
    program sort{cells, {nullptr, n}, {}, to, {}, false, false, 0, bits};
    plain_parts parts(private_order_bytes(place, sort, n));
    auto const own = parts.add<cell>(n), kept = parts.add<value>(is_costly<Values> ? n : 0);
    std::byte* const memory = scratch.plain(parts.bytes());
    sort.out.data           = reinterpret_cast<cell*>(memory + own);
    if constexpr (is_costly<Values>) {
      contiguous<value> const stored{reinterpret_cast<value*>(memory + kept), n};
      run_each(named(" (values)"), store_values<Values>{values, stored}, n, label);
      sort.companions = read_only(stored);
    } else sort.companions = values;
    run(named(" (sort)"), sort, item_count{n}, label);
    find_offsets(named(" (offsets)"), contiguous<cell const>{sort.out.data, n}, {n}, offsets, label);
  });
}

/// Offsets of cells, checked: a View of rank 1 of one more than there are cells, whose items hold n.
template <class Exec, class Offsets>
auto offsets_output(char const* label, Offsets const& offsets, extent n)
{
  check_output<Exec, Offsets, extent>();
  static_assert(Offsets::rank() == 1 && std::is_integral_v<item_t<Offsets>>,
                "onepass: offsets must be a View of rank 1 of integers");
  auto const to = as_sequence(offsets);
  require(to.size > 0, label, ": there are no offsets; give one more than there are cells, rows or ids");
  require(std::uint64_t(n) <= std::uint64_t(Kokkos::Experimental::finite_max_v<item_t<Offsets>>), label, ": ", n,
          " items do not fit the type of the offsets; give wider ones");
  return to;
}

/// At run time, before anything is queued: the numbers of n of something, from 0 on, fit Index.
template <class Index>
void require_numbers(char const* label, extent n, char const* what)
{
  require(n == 0 || std::uint64_t(n - 1) <= std::uint64_t(Kokkos::Experimental::finite_max_v<Index>), label,
          ": the numbers of ", n, " ", what, " do not fit the type of their output; give it a wider one");
}

/// At the checked level: throws unless each cell is one of `number`.
template <place_like Where, class Cells>
void require_cells(char const* label, Where const& where, char const* what, Cells const& cells, extent number)
{
  require_on_device(label, where, what, cells.size, leaves_range<Cells>{cells, number}, "is none of the ", number,
                    " that the offsets tell; give numbers from 0 on, and one offset more than there are");
}

}  // namespace detail

/// Items in the order of their cells: permutation = the positions of the items of cell 0, then of cell 1, and so on, in
/// each cell in input order; offsets(c) = the first place of cell c in that order, and the last offset is n.
/// apply_permutation() then moves any number of arrays.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `cells`: a View of rank 1, or a sequence, of integers: the cell of each of n items, from 0 on
/// - `offsets`: a View of rank 1 of an integral type that can represent n, with one item more than there are cells
/// - `permutation`: a View of rank 1 of an integral type that can represent n - 1, at least as long as `cells`
///
/// A cell that there is not makes the results meaningless, but nothing is written outside the outputs;
/// `on(exec).checked()` checks this first, waits for the result, and throws precondition_error.
///
/// Compile-time errors: memory that the space cannot reach, cells, offsets and permutations that are not integers, and
/// Views of rank 2. Throws precondition_error, before anything is queued, if there are no offsets, or none but one for
/// some items, an output is too short or too narrow, or memory is shared.
///
/// Cost: that of radix_sort_by_key() of as many bits as the number of cells has, with positions that are generated as
/// values, and a search for each offset among the sorted cells. Host threads that see neighbours in near cells, or few
/// cells, count and place them instead: cells are read twice, the permutation is written once. Workspace memory: that
/// of the sort and n cells; where counted, 4 bytes for each cell and thread.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: Adinets & Merrill 2022 for the sort; see docs/references.md.
/// \ingroup permutations
template <place_like Where, class Cells, class Offsets, class Permutation>
void sort_by_cell(Where const& where, Cells const& cells, Offsets const& offsets, Permutation const& permutation)
{
  using exec  = space_of<Where>;
  using index = item_t<Permutation>;
  check_input<exec, Cells>();
  check_output<exec, Permutation, extent>();
  static_assert(item_rank<Cells> == 1 && Permutation::rank() == 1,
                "onepass: sort_by_cell takes and gives Views of rank 1");
  static_assert(std::is_integral_v<item_t<Cells>>, "onepass: cells must be integers");
  static_assert(std::is_integral_v<index>, "onepass: a permutation must be a View of an integral type");
  char const* const label = "sort_by_cell";
  auto const from         = as_input(cells);
  extent const n          = from.size;
  auto const begins       = detail::offsets_output<exec>(label, offsets, n);
  auto const to           = as_sequence(permutation);
  require(n == 0 || begins.size > 1, label, ": there are ", n,
          " items and no cells; give one offset more than there are cells");
  require_room(label, from, to);
  detail::require_numbers<index>(label, n, "items");
  require_disjoint(label, from, begins);
  require_disjoint(label, from, to);
  require_disjoint(label, begins, to);
  detail::require_cells(label, where, "cell of item", from, begins.size - 1);
  detail::order_by_cell(label, where, from, begins, counting<index>{0, n}, to);
}

}  // namespace onepass::ONEPASS_ABI
