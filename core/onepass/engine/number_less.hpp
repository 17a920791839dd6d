// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI {

// Other ways to write less, for loops.

/// Without a branch.
struct lane_less {
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& a, T const& b) const
  {
    if constexpr (std::is_floating_point_v<T>) return !(a >= b) & (a == a);
    else return less{}(a, b);
  }
};

/// Of numbers that are no NaNs.
struct number_less {
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& a, T const& b) const
  {
    return a < b;
  }
};

/// With one comparison of most numbers that are not less.
struct early_less {
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& a, T const& b) const
  {
    if constexpr (std::is_floating_point_v<T>) return !(a >= b) && a == a;
    else return less{}(a, b);
  }
};

/// What a loop over single items compares them by.
template <class Less>
auto one_by_one(Less const& given)
{
  if constexpr (std::is_same_v<Less, less>) return early_less{};
  else return given;
}

/// What a loop compares them by that never guesses.
template <class Less>
auto without_branch(Less const& given)
{
  if constexpr (std::is_same_v<Less, less>) return lane_less{};
  else return given;
}

}  // namespace onepass::ONEPASS_ABI
