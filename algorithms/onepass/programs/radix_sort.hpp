// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/key_codec.hpp>

namespace onepass::ONEPASS_ABI {

/// Radix sort: an order program whose codes are a range of bits of the keys' codes.
template <class In, class Out, class Values, class ValuesOut, class Decompose>
struct sort_program {
  using item_type = typename In::value_type;

  In in;
  Out out;
  Values companions;
  ValuesOut companions_out;
  Decompose decompose;
  bool same_memory;
  bool descending;
  int begin_bit, end_bit;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION Out output() const { return out; }
  ONEPASS_FUNCTION Values values() const { return companions; }
  ONEPASS_FUNCTION ValuesOut values_output() const { return companions_out; }
  ONEPASS_FUNCTION bool in_place() const { return same_memory; }
  ONEPASS_FUNCTION int bits() const { return end_bit - begin_bit; }

  ONEPASS_FUNCTION std::uint32_t digit(item_type const& item, int at, int width) const
  {
    return turned_digit(key_digit(decompose(item), begin_bit + at, width), width, descending);
  }
  ONEPASS_FUNCTION void counted(int, extent) const {}
};

}  // namespace onepass::ONEPASS_ABI
