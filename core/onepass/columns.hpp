// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

namespace onepass::ONEPASS_ABI {

/// A few values of different types, accessed by their number: a tuple that works on host and device.
template <class... Ts>
struct columns_of {};

template <class First, class... Rest>
struct columns_of<First, Rest...> {
  First first;
  columns_of<Rest...> rest;

  template <int C>
  ONEPASS_FUNCTION auto const& get() const
  {
    if constexpr (C == 0) return first;
    else return rest.template get<C - 1>();
  }
};

inline columns_of<> make_columns() { return {}; }

template <class First, class... Rest>
columns_of<First, Rest...> make_columns(First const& first, Rest const&... rest)
{
  return {first, make_columns(rest...)};
}

}  // namespace onepass::ONEPASS_ABI
