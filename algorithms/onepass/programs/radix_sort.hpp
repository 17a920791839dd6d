// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/key_codec.hpp>

namespace onepass::ONEPASS_ABI {

/// Radix sort: an order program whose codes are a range of bits of the keys' codes.
template <class In, class Out, class Values, class ValuesOut, class Decompose>
struct sort_program {
  using item_type  = typename In::value_type;
  using decomposed = std::remove_cvref_t<std::invoke_result_t<Decompose const, item_type const&>>;

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

  /// An item's code at once, where keys are numbers.
  ONEPASS_FUNCTION std::uint64_t code(item_type const& item) const requires simple_key<decomposed>
  {
    std::uint64_t const bits_that_count = bits() > 0 ? ~std::uint64_t(0) >> (64 - bits()) : 0;
    return ((std::uint64_t(onepass::key_code(decompose(item))) >> (bits() > 0 ? begin_bit : 0)) ^ turned())
           & bits_that_count;
  }
  /// Whether a key is all in its code, but for those of which was_made() is false, and nothing goes with it.
  static constexpr bool keys_alone =
      simple_key<item_type> && std::is_same_v<Decompose, unchanged> && std::is_same_v<Values, nothing>;
  ONEPASS_FUNCTION bool makes_items() const requires keys_alone { return bits() == key_bits<item_type>; }
  ONEPASS_FUNCTION bool was_made(item_type const& item) const requires keys_alone { return made_by_code(item); }
  ONEPASS_FUNCTION item_type item_of_code(std::uint64_t code) const requires(keys_alone)
  {
    return key_of_code<item_type>(static_cast<unsigned_of<sizeof(item_type)>>(code ^ turned()));
  }

private:
  ONEPASS_FUNCTION std::uint64_t turned() const { return 0 - std::uint64_t(descending); }
};

}  // namespace onepass::ONEPASS_ABI
