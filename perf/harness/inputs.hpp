// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mixed.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// Inputs, made on the host and the same on every machine: every item is a function of its position.
namespace perf {

/// The items make(i) for i < n, by the host's threads.
template <class T, class Make>
std::vector<T> items_made(std::int64_t n, Make const& make)
{
  using threads = Kokkos::DefaultHostExecutionSpace;
  std::vector<T> items(static_cast<std::size_t>(n));
  auto* to = items.data();
  Kokkos::parallel_for("items", Kokkos::RangePolicy<threads, Kokkos::IndexType<std::int64_t>>(0, n),
                       [=](std::int64_t i) { to[i] = make(i); });
  Kokkos::fence("perf: items are made");
  return items;
}

/// Random items, none of them zero.
template <class T>
std::vector<T> random_items(std::int64_t n)
{
  return items_made<T>(n, [](std::int64_t i) {
    auto const x = static_cast<T>(mixed(std::uint64_t(i)));
    return x == 0 ? T(1) : x;
  });
}

/// Whole numbers from -8 to 8 with mean zero: their sums stay small, and so are exact in any order.
template <class T>
std::vector<T> small_numbers(std::int64_t n)
{
  return items_made<T>(n, [](std::int64_t i) {
    return static_cast<T>(int(mixed(std::uint64_t(i)) >> 60) - 8 + int(mixed(std::uint64_t(i)) >> 63));
  });
}

/// Runs of equal items, `mean` long on average: a new run begins at every position with the same probability.
template <class T>
void fill_with_runs(std::span<T> items, unsigned mean)
{
  std::uint64_t const limit = (std::uint64_t(1) << 32) / mean;
  T current                 = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto const bits = mixed(i);
    if ((bits & 0xffffffff) < limit)
      current = static_cast<T>(current + 1 + (bits >> 32) % std::numeric_limits<T>::max());  // not the run before's
    items[i] = current;
  }
}

/// Keeps `percent` percent of random items.
template <class T>
struct at_most {
  T limit;
  KOKKOS_FUNCTION bool operator()(T const& x) const { return x <= limit; }
};

template <class T>
at_most<T> keeping(unsigned percent)
{
  constexpr T most = std::numeric_limits<T>::max();
  return {static_cast<T>(most / 100 * percent + most % 100 * percent / 100)};
}

/// 0, 1 or 2: the third of its type's range that a random item is in.
template <class T>
struct third {
  KOKKOS_FUNCTION int operator()(T const& x) const
  {
    constexpr T part = std::numeric_limits<T>::max() / 3;
    return x <= part ? 0 : x <= 2 * part ? 1 : 2;
  }
};

}  // namespace perf
