// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/items/running.hpp>
#include <onepass/engine/items/unmoved.hpp>

namespace onepass::ONEPASS_ABI {

/// What a compacting program writes of item i, given everything before it. `Fits`: its places are inside of the
/// columns, and no thread reads there meanwhile.
template <bool Fits = false, class Program>
ONEPASS_FUNCTION void write_kept(Program const& program, extent i, typename Program::item_type const& item,
                                 typename Program::memo_type const& memo,
                                 typename Program::aggregate_type const& before)
{
  each_column<Program>([&]<int c>(std::integral_constant<int, c>) __attribute__((always_inline)) {
    if (!program.template keeps<c>(memo)) return;
    auto to = program.template column<c>();
    if (extent const at = program.template position<c>(i, before);
        Fits || (at >= 0 && at < to.size && !unmoved<c>(program, i, at)))
      to(at) = program.template value<c>(i, item, memo, before);
  });
}

/// Whether n items fit each column.
template <class Program>
bool columns_hold(Program const& p, extent n)
{
  bool all = true;
  each_column<Program>([&]<int c>(std::integral_constant<int, c>) { all = all && p.template column<c>().size >= n; });
  return all;
}

/// Whether an item is still needed once something may have been written where it was read: where a column follows one
/// that receives something else than the item.
template <class Program>
constexpr bool outlives_its_place = false;
template <class Program>
  requires(Program::shape == output_shape::compacted)
constexpr bool outlives_its_place<Program> = Program::columns > 1 && !copies_in_all_columns<Program>;

/// A program whose memos are numbers of three parts, each with a column.
template <class Program>
concept in_parts = counts_parts<Program> && Program::shape == output_shape::compacted;

/// Items [first, n) one after another; `prefix` precedes them. Then calls then(program, what precedes item n), to which
/// a struct passes in registers, as it does not to a caller. `Fits`: as of write_kept().
template <bool Fits = false, class Program, class Then>
[[gnu::always_inline]] inline void one_after_another(Program const& given, extent first, extent n,
                                                     typename Program::aggregate_type prefix, Then const& then)
{
  Program program = given;  // a copy, which no store to the output can change; not const: see sequences.hpp
  auto in         = program.input();
  // Where items lie in memory the one before is read again: in place too it is there still, but for what a map wrote.
  constexpr bool keeps_previous =
      looks_behind<Program> && (Program::shape == output_shape::mapped || !lies_in_memory<input_of<Program>>);
  [[maybe_unused]] std::conditional_t<keeps_previous, typename Program::item_type, nothing> previous{};
  if constexpr (keeps_previous)
    if (first > 0) previous = in(first - 1);

  // Where an item is written if its flag is set, each branch knows the flag, as it does the number of a part.
  constexpr bool branches =
      Program::shape == output_shape::compacted && std::is_same_v<typename Program::memo_type, bool>;

  // To copy a struct of many words takes more than all the rest. In a map all is made before anything is written.
  using item_type       = typename Program::item_type;
  constexpr bool is_map = Program::shape == output_shape::mapped;
  using held            = std::conditional_t<outlives_its_place<Program>, item_type const, item_type const&>;

  using now        = running<Program>;
  auto const place = [&](extent i) __attribute__((always_inline))
  {
    return [&, i ](auto const& made) __attribute__((always_inline))
    {
      if constexpr (is_map) program.output()(i) = made;
      else (void)i;
    };
  };
  auto const held_step = [&](auto kept, auto fits, auto& before, extent i) __attribute__((always_inline))
  {
    using keeps   = decltype(kept);
    held item     = in(i);
    auto const& m = [&]() __attribute__((always_inline))->decltype(auto)
    {
      if constexpr (!looks_behind<Program>) return evaluated(program, i, item, item);
      else if constexpr (keeps_previous) return evaluated(program, i, item, i ? previous : item);
      else return evaluated(program, i, item, in(i > 0 ? i - 1 : i));
    }
    ();
    auto const take = [&](auto const& memo) __attribute__((always_inline))
    {
      if constexpr (is_map) keeps::step(program, before, i, item, memo, place(i));
      else {
        if constexpr (Program::shape == output_shape::compacted)
          write_kept<fits.value>(program, i, item, memo, keeps::whole(before));
        keeps::add(program, before, i, item, memo);
      }
    };
    if constexpr (keeps_previous && is_map) previous = item;
    if constexpr (in_parts<Program>) {
      using memo = typename Program::memo_type;
      if (m == 0) take(memo(0));
      else if (m == 1) take(memo(1));
      else take(m);
    } else if constexpr (!branches) take(m);
    else if (m) take(true);
    else take(false);
    if constexpr (keeps_previous && !is_map) previous = item;
  };
  auto const step = [&](auto kept, [[maybe_unused]] auto fits, auto& before, extent i) __attribute__((always_inline))
  {
    // Keys are not written, so that they and their values may be read where they lie, and pairs need not be made.
    if constexpr (is_map && holds_values<Program> && looks_behind<Program> && lies_in_memory<input_of<Program>>) {
      auto const m = evaluated(program, i, in(i), in(i > 0 ? i - 1 : 0));
      decltype(kept)::step(program, before, i, in(i), m, place(i));
    } else held_step(kept, fits, before, i);
  };
  if (first == n) return then(program, prefix);
  // The first item apart where nothing precedes it, since behind it an operator without identity has had items; and in
  // a compaction, since what is written once the next one is there has no place yet.
  constexpr std::bool_constant<Fits> fits{};
  auto all = now::of(prefix);
  extent i = first;
  if (!now::holds(prefix)) {
    auto none = Program::identity();  // of which the compiler knows, as of no `prefix`, that it has no value
    step(running_aggregate<Program>{}, std::false_type{}, none, i++);
    all = now::of(none);
  } else if (Program::shape == output_shape::compacted) step(now{}, std::false_type{}, all, i++);
  auto const next = [&](extent k) __attribute__((always_inline))
  {
    if constexpr (std::is_class_v<item_type>) asm("");  // else g++ shuffles parts of several
    step(now{}, fits, all, k);
  };
  if constexpr (sizeof(typename now::type) <= 16 && !in_parts<Program>)  // wider ones would pass through the stack
    for (; i + 4 <= n; i += 4)  // a loop over single items takes one cycle or two each, depending on its alignment
      next(i), next(i + 1), next(i + 2), next(i + 3);
  for (; i < n; ++i) next(i);
  then(program, now::whole(all));
}

/// All items, to the end.
template <bool Fits = false, class Program>
[[gnu::always_inline]] inline void all_one_after_another(Program const& program, extent n)
{
  one_after_another<Fits>(
      program, 0, n,
      program.initial(), [n](auto const& p, auto const& all) __attribute__((always_inline)) { p.finish(all, n); });
}

/// The same for so few items that a call, and a program in memory, would take as long. False, and nothing is done,
/// where they may not fit a column.
template <class Program>
[[gnu::always_inline]] inline bool run_on_the_spot(Program const& program, extent n)
{
  constexpr bool compacts = Program::shape == output_shape::compacted;
  if constexpr (compacts)
    if (!columns_hold(program, n)) return false;
  all_one_after_another<compacts>(program, n);
  return true;
}

/// The serial schedule, the reference for all others: one item after another on the calling thread. Never inlined: in a
/// large caller the values of the loop would be spilled from registers.
template <class Program>
[[gnu::noinline]] void run_serially(Program const& program, extent n)
{
  if constexpr (Program::shape == output_shape::compacted)
    if (columns_hold(program, n)) return all_one_after_another<true>(program, n);
  all_one_after_another(program, n);
}

}  // namespace onepass::ONEPASS_ABI
