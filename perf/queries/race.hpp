// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/race.hpp"

// What is asked of random items: how many are in the lower half, where the first zero is, where the smallest and the
// largest are; and the differences of neighbours.
namespace perf {

template <class T>
struct lower_half {
  KOKKOS_FUNCTION bool operator()(T const& x) const
  {
    constexpr T middle = std::is_integral_v<T> ? std::numeric_limits<T>::max() / 2 : T(9.2e18);
    return x < middle;
  }
};

struct is_zero {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& x) const
  {
    return x == T(0);
  }
};

}  // namespace perf
