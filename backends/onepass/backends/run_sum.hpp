// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

namespace onepass::ONEPASS_ABI {

namespace detail {
/// Adds numbers that are not negative; a sum that 64 bits do not hold stays at the most that they do.
template <class Items>
struct adds_up {
  using value_type = std::uint64_t;

  Items items;

  KOKKOS_FUNCTION static void init(std::uint64_t& sum) { sum = 0; }
  KOKKOS_FUNCTION static void join(std::uint64_t& sum, std::uint64_t const& more)
  {
    sum = more > ~sum ? ~std::uint64_t(0) : sum + more;
  }
  KOKKOS_FUNCTION void operator()(extent i, std::uint64_t& sum) const { join(sum, std::uint64_t(items(i))); }
};
}  // namespace detail

/// The sum of n numbers that are not negative, or 2^64 - 1 if it is larger. Waits for the answer.
template <place_like Where, class Items>
std::uint64_t saturated_sum(Where const& where, extent n, Items const& items, std::string const& label)
{
  std::uint64_t sum = 0;
  detail::adds_up<Items> const add{items};
  if constexpr (on_host<space_of<Where>>)
    if (calls_alone(where)) {
      for (extent i = 0; i < n; ++i) add(i, sum);
      return sum;
    }
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<space_of<Where>, Kokkos::IndexType<extent>>(on(where).space, 0, n),
                          add, sum);
  return sum;
}

}  // namespace onepass::ONEPASS_ABI
