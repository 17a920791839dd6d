// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/race.hpp"

// Races of run-length decoding: primitive decode_<mean> writes `items` items from runs that are `mean` long on average,
// decode_all from one run. Two runs of a pair have 2 mean items together, so both sides know every run by arithmetic.
namespace perf {

struct runs_of_race {
  std::int64_t items, mean;

  explicit runs_of_race(race const& r)
      : items(r.items)
      , mean(r.primitive == "decode_all" ? r.items : std::stoll(r.primitive.substr(sizeof("decode_") - 1)))
  {}

  /// The length of the first run of a pair, 1 to 2 mean - 1.
  KOKKOS_FUNCTION std::int64_t first_of_pair(std::int64_t pair) const
  {
    auto x = std::uint64_t(pair) * 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    return mean >= items ? items : 1 + std::int64_t(x % std::uint64_t(2 * mean - 1));
  }
  KOKKOS_FUNCTION std::int64_t run_at(std::int64_t position) const
  {
    auto const pair = position / (2 * mean);
    return 2 * pair + (position % (2 * mean) >= first_of_pair(pair));
  }
  KOKKOS_FUNCTION std::int64_t begin(std::int64_t run) const
  {
    return run / 2 * 2 * mean + (run % 2 ? first_of_pair(run / 2) : 0);
  }
  KOKKOS_FUNCTION std::int64_t end(std::int64_t run) const { return begin(run + 1) < items ? begin(run + 1) : items; }
  KOKKOS_FUNCTION std::int64_t number() const { return run_at(items - 1) + 1; }

  template <class T>
  KOKKOS_FUNCTION static T symbol(std::int64_t run)
  {
    return static_cast<T>(run % 251 + 1);
  }
};

/// The input: all symbols, then all lengths.
inline std::size_t lengths_begin(std::size_t item_bytes, std::int64_t runs)
{
  return (item_bytes * std::size_t(runs) + 255) / 256 * 256;
}

template <class T>
input_view<T> symbols_of(race const& r)
{
  return input_view<T>(static_cast<T const*>(r.in[0]), std::size_t(runs_of_race(r).number()));
}
template <class T>
input_view<std::uint32_t> lengths_of(race const& r)
{
  auto const runs = runs_of_race(r).number();
  return input_view<std::uint32_t>(
      reinterpret_cast<std::uint32_t const*>(static_cast<char const*>(r.in[0]) + lengths_begin(sizeof(T), runs)),
      std::size_t(runs));
}

}  // namespace perf
