// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_orders.hpp>
#include <onepass/backends/run_relays.hpp>
#include <onepass/checks.hpp>
#include <onepass/execution/cell_tuning.hpp>
#include <onepass/execution/plain_parts.hpp>
#include <onepass/programs/cell_runs.hpp>
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
  extent const each = returns_finished<Where> ? cell_tuning_for<tuning_of<Where>>().offsets : 1;
  find_each_offset<Ids, Offsets> const find{ids, count, offsets, each};
  onepass::run_each(where, find, find.calls(), label, few_short_calls / each);
}

/// How the items of all cells are counted at once on a host.
struct cell_counting {
  extent threads;   ///< 0: items are sorted instead
  bool asks_ahead;  ///< for counters that are gone to at random, and are in no cache
};
template <class Where, class Cells>
cell_counting cell_counting_for(Where const& where, Cells const& cells, extent number)
{
  constexpr cell_tuning numbers = cell_tuning_for<tuning_of<Where>>();
  extent const n                = cells.size;
  if (n < numbers.from) return {n > 0 && number <= n * numbers.cells_each ? 1 : 0, false};
  extent const threads = instance_of(where).concurrency(), sharing = std::clamp<extent>(n / numbers.share, 1, threads);
  bool const all = number * sharing * numbers.items_each <= n, one = threads <= numbers.helpers && number <= n;
  if (n > extent(std::numeric_limits<std::uint32_t>::max()) || !(all || one)) return {0, false};
  extent const counting = all ? sharing : 1;
  bool const few = number * counting <= numbers.at_random, cached = number <= numbers.cached;
  bool const near = (few && cached) || neighbours_are_near(cells, numbers.pairs, numbers.near);
  return {few || near ? counting : 0, !near};
}

/// Bits of the number of a cell.
template <class Cells>
int bits_of_cells(extent number)
{
  return std::min(int(std::bit_width(std::uint64_t(number > 0 ? number - 1 : 0))),
                  std::numeric_limits<typename Cells::value_type>::digits);
}

/// Whether the device is asked how many runs there are: not where values are costly, since they would be stored for
/// the other way, and not where one pass sorts, or every few items are of another cell even in order.
template <class Where, class Cells, class Values>
constexpr bool may_sort_runs = has_relays<Where>&& has_counted_orders<Where> && !is_costly<Values>;
template <class Where, class Cells>
bool asks_for_runs(Cells const& cells, extent number)
{
  constexpr auto numbers = run_tuning_for<tuning_of<Where>>();
  int const bits         = bits_of_cells<Cells>(number);
  return cells.size >= numbers.from && cells.size <= extent(std::numeric_limits<std::int32_t>::max())
         && bits > one_digit && bits <= 32 - run_words::count_bits && number * numbers.share <= cells.size;
}

/// Both ways are queued, of which the device takes one: memory is that of either.
template <class Where, class Cells, class Offsets, class Values, class To>
void order_by_runs(char const* label, Where const& where, Cells const& cells, Offsets const& offsets,
                   Values const& values, To const& to, workspace<space_of<Where>>& scratch)
{
  using cell                  = typename Cells::value_type;
  using word                  = std::uint32_t;
  using index                 = counting<word>;
  using runs                  = contiguous<word const>;
  using sort_runs             = sort_program<runs, contiguous<word>, index, contiguous<word>, unchanged>;
  using sort_items            = sort_program<Cells, contiguous<cell>, Values, To, unchanged>;
  constexpr auto numbers      = run_tuning_for<tuning_of<Where>>();
  constexpr extent most_warps = 32;  // of a team
  extent const n = cells.size, number = offsets.size - 1, most = n / numbers.share;
  int const bits = bits_of_cells<Cells>(number);

  sort_runs by_cell{{nullptr, most}, {nullptr, most}, {0, most}, {nullptr, most}, {}, false, false, 0, bits};
  sort_items by_digits{cells, {nullptr, n}, values, to, {}, false, false, 0, bits};
  cell_stretches<Cells> all{cells,  std::min(number, extent(1) << bits),  // no item is of a cell behind that
                            {bits}, std::max<extent>(where.space.concurrency() / (256 * numbers.resident), 1),
                            {},     {},
                            {},     {},
                            {},     numbers.most_in_ten};
  std::size_t const by_digits_takes = private_order_bytes(where, by_digits, n);
  plain_parts parts(private_order_bytes(where, by_cell, most));
  auto const found = parts.add<word>(n), begins = parts.add<word>(all.count()),
             counts = parts.add<word>(all.teams * most_warps), firsts = parts.add<word>(all.teams * most_warps),
             joined = parts.add<word>(most);
  // Read at the end, so behind the tables that the other sort clears even if it has nothing to do.
  plain_parts kept(std::max(parts.bytes(), by_digits_takes));
  auto const sorted = kept.add<word>(most), order = kept.add<word>(most), places = kept.add<word>(most);
  plain_parts others(by_digits_takes);
  auto const own = others.add<cell>(n);
  plain_parts both(std::max(kept.bytes(), others.bytes()));
  auto const choice       = both.add<run_choice>(1);
  std::byte* const memory = scratch.plain(both.bytes());
  reserve_for_order(where, by_digits, counted_items<false>{{n, nullptr}}, scratch);
  auto const words = [&](std::size_t at) { return reinterpret_cast<word*>(memory + at); };
  all.found = words(found), all.begins = words(begins), all.counts = words(counts), all.firsts = words(firsts);
  all.choice = reinterpret_cast<run_choice*>(memory + choice);

  onepass::run(where.step(" (sample)"), sample_runs<Cells>{{all}}, label);
  onepass::run(where.step(" (find runs)"), find_runs<Cells>{{all}}, label);
  onepass::run(where.step(" (join runs)"), join_runs<Cells>{{all}, {words(joined), most}}, label);
  by_cell.in.data = words(joined), by_cell.out.data = words(sorted), by_cell.companions_out.data = words(order);
  onepass::run(where.step(" (sort runs)"), by_cell, counted_items<true>{{most, &all.choice->runs}}, label);
  onepass::run(where.step(" (add up)"),
               scan_program<scan_kind::exclusive, items_of_runs, places_of_runs, word, plus, unchanged>{
                   {words(sorted), most, {bits}}, {words(places), words(order), most}, {}, {}, {}, false, nullptr},
               item_count{most, &all.choice->runs}, label);
  onepass::run(where.step(" (place)"), place_runs<Cells, Values, To>{{all}, words(places), values, to}, label);
  by_digits.out.data = reinterpret_cast<cell*>(memory + own);
  onepass::run(where.step(" (sort)"), by_digits, counted_items<false>{{n, &all.choice->items}}, label);
  onepass::run_each(where.step(" (offsets)"),
                    find_offset_by_choice<cell, Offsets>{
                        all.choice, {bits}, words(sorted), words(order), words(places), by_digits.out.data, n, offsets},
                    offsets.size, label);
}

/// to = the values in the order of their cells, and where each begins, by counters of all cells, on a host.
template <class Where, class Cells, class Offsets, class Values, class To>
void order_by_counts(char const* label, Where const& where, cell_counting const& way, Cells const& cells,
                     Offsets const& offsets, Values const& values, To const& to)
{
  using offset            = typename Offsets::value_type;
  extent const number     = offsets.size - 1;
  std::size_t const bytes = std::size_t(number * way.threads) * sizeof(std::uint32_t);
  auto const counters_in  = [&](std::byte* memory) {
    return cell_counters{reinterpret_cast<std::uint32_t*>(memory), number, way.threads, cells.size, way.asks_ahead};
  };
  if (way.threads == 1)
    return with_plain_memory(where, label, bytes, [&](std::byte* memory) {
      order_by_counts_alone(cells, offsets, values, to, counters_in(memory));
    });
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    auto const counters = counters_in(scratch.plain(bytes));

    onepass::run_each(place.step(" (count)"), count_cells<Cells>{cells, counters}, way.threads, label);
    onepass::run(place.step(" (add up)").by(schedule::automatic),
                 scan_program<scan_kind::exclusive, items_of_cells, Offsets, offset, plus, unchanged>{
                     {counters, number}, offsets, {}, {}, {}, false, &offsets(number)},
                 item_count{number}, label);
    onepass::run_each(place.step(" (begin)"), begin_cells<Offsets>{offsets, counters}, number, label, few_short_calls);
    onepass::run_each(place.step(" (place)"), place_by_cell<Cells, Values, To>{cells, values, to, counters},
                      way.threads, label);
  });
}

/// to = the values in the order of their cells, and where each cell begins.
template <class Where, class Cells, class Offsets, class Values, class To>
void order_by_cell(char const* label, Where const& where, Cells const& cells, Offsets const& offsets,
                   Values const& values, To const& to)
{
  using cell     = typename Cells::value_type;
  extent const n = cells.size, number = offsets.size - 1;
  if constexpr (returns_finished<Where>)
    if (auto const way = cell_counting_for(where, cells, number); way.threads > 0)
      return order_by_counts(label, where, way, cells, offsets, values, to);
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    if constexpr (may_sort_runs<Where, Cells, Values>)
      if (asks_for_runs<Where>(cells, number)) return order_by_runs(label, place, cells, offsets, values, to, scratch);
    using moved    = values_to_move<Values>;
    using value    = typename Values::value_type;
    using program  = sort_program<Cells, contiguous<cell>, moved, To, unchanged>;
    int const bits = bits_of_cells<Cells>(number);
    program sort{cells, {nullptr, n}, {}, to, {}, false, false, 0, bits};
    plain_parts parts(private_order_bytes(place, sort, n));
    auto const own = parts.add<cell>(n), kept = parts.add<value>(is_costly<Values> ? n : 0);
    std::byte* const memory = scratch.plain(parts.bytes());
    sort.out.data           = reinterpret_cast<cell*>(memory + own);
    if constexpr (is_costly<Values>) {
      contiguous<value> const stored{reinterpret_cast<value*>(memory + kept), n};
      onepass::run_each(place.step(" (values)"), store_values<Values>{values, stored}, n, label, few_short_calls);
      sort.companions = read_only(stored);
    } else sort.companions = values;
    onepass::run(place.step(" (sort)"), sort, item_count{n}, label);
    find_offsets(place.step(" (offsets)"), contiguous<cell const>{sort.out.data, n}, {n}, offsets, label);
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
  detail::require_on_device(label, where, what, cells.size, leaves_range<Cells>{cells, number}, "is none of the ",
                            number,
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
/// values, and a search for each offset among the sorted cells. Hosts count and place few items instead, and those
/// whose neighbours are in near cells, or which are of few: cells are read twice, places written once. CUDA looks
/// how many runs there are: where few neighbouring items are of many cells, these are sorted in place of the items.
/// Workspace memory: that of the sort and n cells; where counted, 4 bytes for each cell and thread.
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
  onepass::require_room(label, from, to);
  detail::require_numbers<index>(label, n, "items");
  onepass::require_disjoint(label, from, begins, to);
  onepass::require_disjoint(label, begins, to);
  detail::require_cells(label, where, "cell of item", from, begins.size - 1);
  detail::order_by_cell(label, where, from, begins, counting<index>{0, n}, to);
}

}  // namespace onepass::ONEPASS_ABI
