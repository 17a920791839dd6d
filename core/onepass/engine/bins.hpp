// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

#include <concepts>
#include <cstdint>

namespace onepass {

// clang-format off
/// What a histogram counts: each item belongs to one bin, or to none.
///
///   input()          the items
///   bins()           the number of bins
///   bin(item)        the bin of an item; an item whose bin is outside of [0, bins()) is not counted; pure
///   counts()         a sequence of bins() integers of 4 or 8 bytes, which receives the counts
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
