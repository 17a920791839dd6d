// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

#include <concepts>

namespace onepass {

/// How many items a program writes for each item it reads.
enum class output_shape {
  none,      ///< only a total
  mapped,    ///< one, at the same position
  compacted  ///< at most one, behind all those written before
};

/// What an algorithm is: what one item contributes, how contributions combine, and what an item becomes once
/// everything before it is known. Machines choose tiles, order and arrangement; a program knows none of them.
///
///   input(), output()                     sequences (output: unless shape is none)
///   memo      evaluate(i, item)           user code that must run once an item; the machine carries its result
///   aggregate lift(memo)                  what the item contributes; cheap and pure, may run again
///   aggregate combine(older, newer)       associates; `identity()` is neutral and made by no item
///   aggregate initial()                   precedes item 0; read where the program runs
///   pure                                  evaluate() may run more than once an item
///   commutes                              combine() may also take the newer operand first
///   output    result(item, memo, before)  mapped: the item written; `before` combines initial and all older items
///   void      finish(total)               once, with initial and all items combined
template <class P>
concept item_program = requires(P const p, extent i, typename P::item_type const& item, typename P::memo_type const& memo,
                                typename P::aggregate_type const& a) {
  { P::shape } -> std::convertible_to<output_shape>;
  { P::pure } -> std::convertible_to<bool>;
  { P::commutes } -> std::convertible_to<bool>;
  { p.input() } -> sequence;
  { p.evaluate(i, item) } -> std::convertible_to<typename P::memo_type>;
  { p.lift(memo) } -> std::convertible_to<typename P::aggregate_type>;
  { p.combine(a, a) } -> std::convertible_to<typename P::aggregate_type>;
  { P::identity() } -> std::convertible_to<typename P::aggregate_type>;
  { p.initial() } -> std::convertible_to<typename P::aggregate_type>;
  p.finish(a);
};

/// The program evaluates nothing of the user's, so a machine may do it twice instead of carrying the result.
template <class P>
concept pure_program = P::pure;

/// A program that is an operator over numbers side by side in memory and nothing else, so that a machine may run it in
/// vector registers. Such a program also names
///   using operation = Op;             combine is Op and identity its neutral value; the rest passes values on
///   static constexpr bool inclusive;  the item belongs to its own result
template <class P>
concept plain_scan = pure_program<P> && std::is_arithmetic_v<typename P::item_type> && requires(P const p) {
  typename P::operation;
  requires std::same_as<typename P::memo_type, typename P::item_type>;
  requires std::same_as<typename P::aggregate_type, typename P::item_type>;
  requires is_contiguous<decltype(p.input())>::value;
  requires P::shape == output_shape::none || (std::same_as<typename P::output_type, typename P::item_type> &&
                                              is_contiguous<decltype(p.output())>::value);
};

/// What an item takes of a tile's memory: as it is read, or as it is written.
template <class Program>
ONEPASS_FUNCTION constexpr std::size_t bytes_per_item()
{
  if constexpr (Program::shape != output_shape::mapped) return sizeof(typename Program::item_type);
  else {
    constexpr auto in = sizeof(typename Program::item_type), out = sizeof(typename Program::output_type);
    return in < out ? out : in;
  }
}

}  // namespace onepass
