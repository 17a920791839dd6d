// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "select.hpp"

namespace perf::hunt {

/// A predicate that takes a nanosecond or two for each round.
template <class T>
struct is_wanted_after {
  int rounds;
  KOKKOS_FUNCTION bool operator()(T const& item) const
  {
    auto x = to_number(item);
    for (int k = 0; k < rounds; ++k) x = mixed(x);
    return is_wanted<T>()(item) && x != 1;  // which it never is
  }
};

template <class T>
drawn draw_select_costly(dice const& d)
{
  auto const rounds = d.one_of<int>("rounds", {10, 100, 1000});
  auto const n      = std::min(d.items(), (std::int64_t(1) << 26) / rounds);
  choices const chosen(d);
  return {n, text(rounds, " rounds, ", chosen.shape()), 3 * std::size_t(n) * sizeof(T),
          [=](trial& t) { make_select<T>(t, n, chosen, 0, 0, is_wanted_after<T>{rounds}); }};
}

}  // namespace perf::hunt
