// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/vector.hpp>
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/items/walk.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

// Which programs have a leaf, an innermost loop in vector registers (vector.cpp), and how it is called.

template <class Op>
struct fold_for {};
template <>
struct fold_for<plus> : std::integral_constant<fold, fold::sum> {};
template <>
struct fold_for<minimum> : std::integral_constant<fold, fold::smallest> {};
template <>
struct fold_for<maximum> : std::integral_constant<fold, fold::largest> {};

/// A leaf can scan the program's memos.
#ifdef ONEPASS_HIGHWAY
template <class Program>
concept vectorised = plain_scan<Program> && !tallies<Program> && requires
{
  fold_for<typename Program::operation>::value;
}
&&has_lane<typename Program::memo_type> && !std::is_same_v<typename Program::memo_type, bool>;
#else
template <class Program>
concept vectorised = false;
#endif

template <class Program>
concept memos_are_items = std::is_same_v<typename Program::item_type, typename Program::memo_type>;

/// The memos are the items themselves, so a leaf reads them directly.
template <class Program>
concept direct =
    vectorised<Program> && pure_program<Program> && memos_are_items<Program> && is_contiguous<input_of<Program>>::value;

template <class Program>
struct leaf {
  using value = typename Program::memo_type;
  using lane  = typename lane_for<value>::type;

  static auto const& here()
  {
    return std::get<vector_leaf<fold_for<typename Program::operation>::value, lane>>(leaves_of_this_machine());
  }

  static lane const* lanes(value const* p) { return reinterpret_cast<lane const*>(p); }

  static value reduce(value const* in, extent n) { return value(here().reduce(lanes(in), std::size_t(n))); }

  /// Scans n values; `before` is what precedes the first, and becomes what precedes the one after the last. Returns the
  /// combination of n values from `next` on, which are read at the same time.
  static value scan(value const* in, value* out, extent n, value& before, value const* next, bool stream)
  {
    auto const scan = Program::inclusive ? here().inclusive : here().exclusive;
    lane carry      = lane(before);
    lane const sum  = scan(lanes(in), reinterpret_cast<lane*>(out), std::size_t(n), carry, lanes(next), stream);
    before          = value(carry);
    return value(sum);
  }
};

}  // namespace onepass::ONEPASS_ABI::backends::host
