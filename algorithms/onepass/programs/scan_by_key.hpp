// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/segmented_scan.hpp>

namespace onepass::ONEPASS_ABI {

// A scan by key is a scan whose segments are the runs of equal keys.

/// The heads of {key, value} pairs: where the key differs from the one before.
template <class Equal>
struct key_heads {
  static constexpr bool of_changes = std::is_same_v<Equal, equal_to>;

  Equal equal;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const& x, Item const& previous) const
  {
    return i == 0 || !equal(previous.first, x.first);
  }
};

/// The value of a {key, value} pair.
template <class T>
struct second_of {
  template <class Pair>
  ONEPASS_FUNCTION T operator()(Pair const& x) const
  {
    return static_cast<T>(x.second);
  }
};

template <class T, class Key, class Value>
constexpr bool repeatable<second_of<T>, pair_item<Key, Value>> =
    std::is_arithmetic_v<Value> ? std::is_arithmetic_v<T> : std::is_same_v<T, Value>&& std::is_trivially_copyable_v<T>;

}  // namespace onepass::ONEPASS_ABI
