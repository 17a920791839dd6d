// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

#include <concepts>
#include <cstdint>

namespace onepass {

// clang-format off
/// What is to be counted: each item belongs to one bin, or to none.
///
///   input()          the items
///   bins()           how many bins there are
///   bin(item)        of an item; outside of [0, bins()) it is not counted; pure
///   counts()         a sequence of that many integers of 4 or 8 bytes, which receives the counts
template <class P>
concept bin_program = requires(P const p, typename P::item_type const& item) {
  { p.input() } -> sequence;
  { p.bins() } -> std::same_as<extent>;
  { p.bin(item) } -> std::same_as<extent>;
  p.counts();
};
// clang-format on

template <bin_program P>
using count_of_bin = typename decltype(std::declval<P const&>().counts())::value_type;

}  // namespace onepass
