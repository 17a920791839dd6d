// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>

namespace onepass::ONEPASS_ABI {

/// partition_by_key: an order program of one digit, the key that the user's function computes for each item; it also
/// outputs the counts of the digit.
template <class In, class Out, class Counts, class Key>
struct partition_by_key_program {
  using item_type = typename In::value_type;

  In in;
  Out out;
  Counts counts;
  Key key;
  bool same_memory;
  int width;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION Out output() const { return out; }
  ONEPASS_FUNCTION nothing values() const { return {}; }
  ONEPASS_FUNCTION nothing values_output() const { return {}; }
  ONEPASS_FUNCTION bool in_place() const { return same_memory; }
  ONEPASS_FUNCTION int bits() const { return width; }

  ONEPASS_FUNCTION std::uint32_t digit(item_type const& item, int, int) const
  {
    return static_cast<std::uint32_t>(key(item)) & ((1u << width) - 1u);
  }
  ONEPASS_FUNCTION void counted(int bin, extent items) const
  {
    if (bin < counts.size) counts(bin) = static_cast<typename Counts::value_type>(items);
  }
};

}  // namespace onepass::ONEPASS_ABI
