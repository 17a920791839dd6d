// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>

namespace onepass::ONEPASS_ABI {

/// How many outputs a program writes for each item it reads.
enum class output_shape {
  none,      ///< none; only a total
  mapped,    ///< one, at the same position
  compacted  ///< at most one, after all that were written before
};

// clang-format off
/// An algorithm over items that every backend can run: what one item contributes, how contributions combine, and what
/// is written for an item once everything before it is known. Tiles and schedule are the backend's choice.
///
///   input()                               the items, a sequence
///   memo      evaluate(i, item)           what is computed of an item once; the backend keeps it until it is needed
///             evaluate(i, item, previous) where looks_behind: also from the item before (of item 0: itself)
///   pure                                  evaluate() may be called more than once per item, so no memo need be kept
///   aggregate lift(i, item, memo)         what the item contributes; cheap and pure, may be called again
///   aggregate combine(older, newer)       associates; `identity()` is its neutral value and is made by no item
///   aggregate combine_all(older, newer)   optional: the same of an array of newer ones, in their order
///   items_at_once                         optional: how many ones it is best given, if there are so many
///   commutes                              combine() may also be given the newer operand first
///   aggregate initial()                   precedes item 0; read where the program runs
///   void      finish(all, n)              once, with initial and all n items combined
///
///   inside                                optional: what threads exchange in a tile (inside.hpp), else aggregates
///
/// shape mapped:
///   output()                              a sequence
///   output    result(item, memo, before)  the item written; `before` combines initial and all earlier items
///
/// shape compacted, for each column C < columns:
///   column<C>()                           a sequence; positions outside of it are not written
///   bool      keeps<C>(memo)              the item is written; static and constexpr
///   extent    position<C>(i, before)      where item i goes if kept; the same for all items between two kept ones
///   value     value<C>(i, item, memo, before)
///   bool      copies<C>                   optional: column C receives the kept items themselves; static and constexpr
template <class P>
concept item_program = requires(P const p, extent i, typename P::item_type const& item,
                                typename P::memo_type const& memo, typename P::aggregate_type const& a) {
  { P::shape } -> std::convertible_to<output_shape>;
  { P::pure } -> std::convertible_to<bool>;
  { P::commutes } -> std::convertible_to<bool>;
  { p.input() } -> sequence;
  { p.lift(i, item, memo) } -> std::convertible_to<typename P::aggregate_type>;
  { p.combine(a, a) } -> std::convertible_to<typename P::aggregate_type>;
  { P::identity() } -> std::convertible_to<typename P::aggregate_type>;
  { p.initial() } -> std::convertible_to<typename P::aggregate_type>;
  p.finish(a, i);
};
// clang-format on

template <class P, int N>
concept combines_all = requires(P const p, typename P::aggregate_type const (&newer)[N])
{
  p.combine_all(newer[0], newer);
};

/// One aggregate and N newer ones, combined.
template <class P, class Aggregate, int N>
ONEPASS_FUNCTION Aggregate combined(P const& program, Aggregate older, Aggregate const (&newer)[N])
{
  if constexpr (combines_all<P, N>) return program.combine_all(older, newer);
  else {
    ONEPASS_UNROLL for (int k = 0; k < N; ++k) older = program.combine(older, newer[k]);
    return older;
  }
}

/// Whether the memo of an item also depends on the item before it, as in an adjacent difference.
template <class P>
concept looks_behind = requires
{
  requires P::looks_behind;
};

template <class P>
ONEPASS_FUNCTION decltype(auto) evaluated(P const& program, extent i, typename P::item_type const& item,
                                          [[maybe_unused]] typename P::item_type const& previous)
{
  if constexpr (looks_behind<P>) return program.evaluate(i, item, previous);
  else return program.evaluate(i, item);
}

// clang-format off
/// A program that is not pure, and whose memos are flags that are already in memory as bits, may give their address, so
/// that a backend loads many of them at once:
///   std::uint32_t const* flag_words()   the flag of item i is bit i % 32 of word i / 32; one more word follows the
///                                       last. The words are padded to whole packs and aligned as packs are
template <class P>
concept reads_flags = !P::pure && std::same_as<typename P::memo_type, bool> && requires(P const p) {
  { p.flag_words() } -> std::same_as<std::uint32_t const*>;
};
// clang-format on

/// Whether an item's flag says that it differs from the one before, as == has it; or where the program has changing(),
/// that the item of this sequence does.
template <class P>
concept flags_changes = P::looks_behind && requires
{
  requires P::flags_changes;
};

/// What says which flag an item has: the item itself, where a program names nothing else.
template <class Program>
struct what_decides {
  using type = typename Program::item_type;
};
template <class Program>
  requires requires { typename Program::deciding_type; }
struct what_decides<Program> {
  using type = typename Program::deciding_type;
};

template <class P>
using input_of = std::remove_cvref_t<decltype(std::declval<P const&>().input())>;

/// The items whose changes are flagged.
template <flags_changes P>
auto changing_items(P const& program)
{
  if constexpr (requires { program.changing(); }) return program.changing();
  else return program.input();
}

/// The type of the items of column C.
template <class P, int C>
using column_item = typename decltype(std::declval<P const&>().template column<C>())::value_type;

/// Whether column C receives the kept items themselves.
template <class P, int C>
constexpr bool copies_items = false;
template <class P, int C>
  requires requires { P::template copies<C>; }
constexpr bool copies_items<P, C> = P::template copies<C>;

/// Whether every column does.
template <class P>
constexpr bool copies_in_all_columns = []<int... C>(std::integer_sequence<int, C...>)
{
  return (copies_items<P, C> && ...);
}
(std::make_integer_sequence<int, P::columns>{});

/// Calls f(std::integral_constant<int, C>) for every column.
template <class P, class F>
ONEPASS_FUNCTION void each_column(F const& f)
{
  [&]<int... C>(std::integer_sequence<int, C...>) __attribute__((always_inline))
  {
    (f(std::integral_constant<int, C>{}), ...);
  }
  (std::make_integer_sequence<int, P::columns>{});
}

/// Whether evaluate() calls no user code, so that a backend may call it twice instead of keeping the memo.
template <class P>
concept pure_program = P::pure;

/// A scan whose memos are numbers that only an operator combines, so that a backend may compute it in vector registers.
/// Such a program also names
///   using operation = Op;             combine() is Op, identity() its neutral value; lift(), result() change nothing
///   static constexpr bool inclusive;  an item belongs to its own result
template <class P>
concept plain_scan = std::is_arithmetic_v<typename P::memo_type> && requires(P const p)
{
  typename P::operation;
  requires std::same_as<typename P::aggregate_type, typename P::memo_type>;
  requires P::shape == output_shape::none
      || (std::same_as<typename P::output_type, typename P::memo_type> && is_contiguous<decltype(p.output())>::value);
};

namespace detail {
template <class P, int... C>
constexpr std::size_t widest_column(std::integer_sequence<int, C...>)
{
  std::size_t widest = 0;
  ((widest = sizeof(column_item<P, C>) > widest ? sizeof(column_item<P, C>) : widest), ...);
  return widest;
}
}  // namespace detail

/// Bytes of a tile's memory that an item takes when it is written: those of the widest column.
template <class P>
constexpr std::size_t bytes_per_output = []() -> std::size_t {
  if constexpr (P::shape == output_shape::mapped) return sizeof(typename P::output_type);
  else if constexpr (P::shape == output_shape::compacted)
    return detail::widest_column<P>(std::make_integer_sequence<int, P::columns>{});
  else return 0;
}();

/// Bytes of a tile's memory that an item takes: when it is read or when it is written, whichever is more.
template <class P>
constexpr std::size_t bytes_per_item = std::max(bytes_of_item<input_of<P>>, bytes_per_output<P>);

}  // namespace onepass::ONEPASS_ABI
