// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>

namespace onepass::ONEPASS_ABI {

// clang-format off
/// A program of shape mapped whose items are made, and whose results are used, by user code alone. Host threads let it
/// walk its items by itself, one after another, since nothing of them is in memory that a thread could bring nearer:
///   kept                                    what a thread keeps of an item from reading to writing; nothing: nothing
///   aggregate read(first, last, kept*)      items [first, last) combined
///   aggregate write(first, last, before, kept const*)   their results, given everything before; returns that and them
///   aggregate walk(first, last, before)     both at once
template <class P>
concept walks = item_program<P> && requires(P const p, extent i, typename P::aggregate_type const& before,
                                            typename P::kept* kept) {
  { p.read(i, i, kept) } -> std::same_as<typename P::aggregate_type>;
  { p.write(i, i, before, kept) } -> std::same_as<typename P::aggregate_type>;
  { p.walk(i, i, before) } -> std::same_as<typename P::aggregate_type>;
};
// clang-format on

/// A program that counts: its memos are 0 or 1, and its total is their sum.
template <class P>
concept tallies = requires
{
  requires P::tallies;
};

/// A program that calls a user's function for each item, of which nothing but a call tells what it costs.
template <class P>
concept calls_users = walks<P> || tallies<P> || !(pure_program<P> || reads_flags<P> || flags_changes<P>);

/// A program as a walking thread holds it: a copy, which no store of the user's code can change. A functor of many
/// Views stays where it is, since copying them takes as long as many items do.
template <class Program>
using walked_program = std::conditional_t<(sizeof(Program) > 1024), Program const&, Program const>;

/// A program whose items are flags that user code makes, and whose memos are the items.
template <class P>
concept items_are_flags = requires
{
  requires P::items_are_flags;
};

/// The serial schedule of such a program.
template <walks Program>
[[gnu::noinline]] void run_serially(Program const& given, extent n)
{
  walked_program<Program> program = given;
  program.finish(program.walk(0, n, program.initial()), n);
}

}  // namespace onepass::ONEPASS_ABI
