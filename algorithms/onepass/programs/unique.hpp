// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/select.hpp>

namespace onepass::ONEPASS_ABI {

// What unique adds to select_program: which items are kept, and the value written with a kept key.

/// Keeps an item that differs from the one before.
template <class Equal>
struct keep_heads {
  static constexpr bool keeps_changes = std::is_same_v<Equal, equal_to>;

  Equal equal;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const& x, Item const& previous) const
  {
    return i == 0 || !equal(previous, x);
  }
};

/// Writes, for a kept item, the item of another sequence at the same position.
template <class Sequence>
struct write_companion {
  Sequence companions;
  template <class Item>
  ONEPASS_FUNCTION auto operator()(extent i, Item const&) const
  {
    return companions(i);
  }
};

}  // namespace onepass::ONEPASS_ABI
