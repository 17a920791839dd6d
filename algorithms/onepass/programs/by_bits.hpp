// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/key_codec.hpp>

#include <concepts>

namespace onepass::ONEPASS_ABI {

// Orders of keys, for sorts by merging.

/// Keys in the order of all bits of their codes.
struct by_codes {
  template <class Key>
  ONEPASS_FUNCTION bool operator()(Key const& a, Key const& b) const
  {
    return onepass::key_code(a) < onepass::key_code(b);
  }
  template <class Key>
  ONEPASS_FUNCTION auto operator()(Key const& key) const
  {
    return onepass::key_code(key);
  }
  /// The key that has this code, if any has and can be made from it; and whether codes are all of keys.
  template <class Key>
  ONEPASS_FUNCTION Key key(unsigned_of<sizeof(Key)> code) const
  {
    return key_of_code<Key>(code);
  }
  ONEPASS_FUNCTION bool is_of_all_bits() const { return true; }
};

/// The same, or the other way round: `turned` has no bit set, or all.
template <class Key>
struct by_turned_codes {
  unsigned_of<sizeof(Key)> turned;
  ONEPASS_FUNCTION bool operator()(Key const& a, Key const& b) const
  {
    return (onepass::key_code(a) ^ turned) < (onepass::key_code(b) ^ turned);
  }
};

/// Keys in the order of some bits of their codes, or the other way round.
template <class Key>
struct by_some_bits {
  using code = decltype(onepass::key_code(Key{}));
  int begin_bit;
  code bits;    ///< of a code, once shifted
  code turned;  ///< those that are turned for the other way round: all or none

  by_some_bits(int from, int to, bool descending)
      : begin_bit(from < to ? from : 0)
      , bits(from < to ? code(code(~code(0)) >> (key_bits<Key> - (to - from))) : code(0))
      , turned(descending ? bits : code(0))
  {}
  /// Whether it is the order of `by_codes`, which is faster.
  bool is_whole() const { return is_of_all_bits() && turned == 0; }
  ONEPASS_FUNCTION bool is_of_all_bits() const { return begin_bit == 0 && bits == code(~code(0)); }
  template <class Item>
  ONEPASS_FUNCTION Item key(code x) const
  {
    return key_of_code<Item>(code(x ^ turned));
  }

  ONEPASS_FUNCTION code operator()(Key const& key) const
  {
    return code((onepass::key_code(key) >> begin_bit & bits) ^ turned);
  }
  ONEPASS_FUNCTION bool operator()(Key const& a, Key const& b) const { return (*this)(a) < (*this)(b); }
};

/// An order of items by codes that it makes of them.
template <class Order, class Item>
concept order_of_codes = requires(Order const& order, Item const& x)
{
  {
    order(x)
    } -> std::unsigned_integral;
};

/// An order of keys of which codes of all bits tell everything, but for those that made_by_code() names.
template <class Order, class Key>
concept order_of_whole_codes = requires(Order const& order, Key const& key)
{
  order.template key<Key>(order(key));
  order.is_of_all_bits();
};

/// The same of what a decomposer makes of items.
template <class Decompose, class Key>
struct by_bits_of {
  using code = typename by_some_bits<Key>::code;
  Decompose decompose;
  by_some_bits<Key> bits;

  template <class Item>
  ONEPASS_FUNCTION code operator()(Item const& item) const
  {
    return bits(decompose(item));
  }
};

/// The codes of a sequence of keys, as an order makes them.
template <class In, class Order>
struct codes_of {
  using value_type = typename Order::code;
  In in;
  Order order;
  extent size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return order(in(i)); }
};

}  // namespace onepass::ONEPASS_ABI
