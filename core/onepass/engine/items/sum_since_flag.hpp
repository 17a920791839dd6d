// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/fold.hpp>
#include <onepass/portability.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

// What one thread adds up of a program of sums_since_flag (engine/items/inside.hpp). Where items are there their values
// are added, not aggregates that say whether there was one.

template <class Program>
using sums_of = std::remove_cvref_t<decltype(std::declval<Program const&>().sum_algebra())>;

/// What an item contributes to such a sum.
template <class Program, class Item>
ONEPASS_FUNCTION auto value_to_add(Program const& program, Item const& x, bool flag)
{
  return sums_of<Program>::value(program.sum_of(x, flag));
}

/// `sum`, then items [i, last), none of which has a flag.
template <class Program, class In, class T>
ONEPASS_FUNCTION T with_items(Program const& program, In const& in, extent i, extent last, T sum)
{
  auto const& sums = program.sum_algebra();
  return folded(
      sum, i, last, [&](extent k) { return value_to_add(program, in(k), false); },
      [&](T const& a, T const& b) { return sums.combine_values(a, b); });
}

/// Items [i, last), of which the first has that flag and no other one has any.
template <class Program, class In>
ONEPASS_FUNCTION auto sum_since_flag(Program const& program, In const& in, extent i, extent last, bool flag)
{
  using sums = sums_of<Program>;
  return i < last ? sums::lift(with_items(program, in, i + 1, last, value_to_add(program, in(i), flag)))
                  : sums::identity();
}

}  // namespace onepass::ONEPASS_ABI
