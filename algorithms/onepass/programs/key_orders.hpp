// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/key_codec.hpp>

#include <bit>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

// Codes of keys in an order, by all their bits or by some, and how keys are compared with a limit of codes.

/// Whether a key's code is below a limit.
template <class Order>
struct code_before {
  Order order;
  typename Order::code limit;
  template <class Key>
  bool operator()(Key const& key) const
  {
    return order(key) < limit;
  }
};

/// The same for numbers that can be compared as they are, with the sign turned where the order descends; it holds for
/// all that are not a number, and for all where the limit is none.
template <class Key>
struct number_before {
  using bits = unsigned_of<sizeof(Key)>;
  bits turned;
  Key limit;
  bool operator()(Key const& key) const { return !(with_sign_turned(key, turned) >= limit); }
  static Key with_sign_turned(Key key, bits turned)
  {
    return std::bit_cast<Key>(bits(std::bit_cast<bits>(key) ^ turned));
  }
};

/// The code of a key: some of its bits, turned where the order descends.
template <class Key>
struct order_of_keys {
  using code = unsigned_of<sizeof(Key)>;

  int begin;
  code mask, turned;

  order_of_keys(bool descending, int begin_bit, int end_bit)
      : begin(begin_bit < end_bit ? begin_bit : 0)
      , mask(begin_bit < end_bit ? code(code(~code(0)) >> (key_bits<Key> - (end_bit - begin_bit))) : code(0))
      , turned(descending ? mask : code(0))
  {}
  ONEPASS_FUNCTION code operator()(Key const& key) const
  {
    return code(((onepass::key_code(key) >> begin) & mask) ^ turned);
  }
  bool is_whole() const { return mask == code(~code(0)); }
  auto before(code limit) const { return code_before<order_of_keys>{*this, limit}; }
};

/// The code of a key where all bits count, so that the key can be made from it.
template <class Key>
struct order_of_whole_keys {
  using code = unsigned_of<sizeof(Key)>;
  code turned;
  code operator()(Key const& key) const { return code(onepass::key_code(key) ^ turned); }
  Key key(code c) const { return key_of_code<Key>(code(c ^ turned)); }
  /// Whether a key may have a code below the limit. A limit that is no key's code, as that which one of the zeros would
  /// have if they differed, is the next one: numbers are compared with the key that has it.
  auto before(code limit) const
  {
    if ((*this)(key(limit)) != limit) ++limit;
    if constexpr (std::is_same_v<Key, float> || std::is_same_v<Key, double>) {
      using number    = number_before<Key>;
      code const sign = turned & code(code(1) << (key_bits<Key> - 1));
      return number{sign, number::with_sign_turned(key(limit), sign)};
    } else return code_before<order_of_whole_keys>{*this, limit};
  }
  /// The one code of different keys, zeros of either sign.
  code code_of_differing() const { return (*this)(Key{}); }
};

}  // namespace onepass::ONEPASS_ABI
