// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/mixed.hpp"
#include "harness/race.hpp"

// Additions by index. "scatter_add.uniform_b10000" adds to 10000 bins, all alike; "zipf": to the first most, as words
// of a language; "sorted": indices that never fall. Values are whole numbers from -8 to 8.
namespace perf {

inline std::int64_t bins_of(race const& r) { return std::int64_t(r.variant()); }

/// The indices and values of a race, made on the space.
template <class T>
struct make_additions {
  std::int64_t items, bins;
  char kind;  ///< the name's first letter behind the stem
  u32* indices;
  T* values;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    std::uint64_t const a = mixed(std::uint64_t(i)), b = mixed(a);
    std::int64_t bin = std::int64_t(a % std::uint64_t(bins));
    if (kind == 's') bin = std::int64_t(double(i) / double(items) * double(bins));
    if (kind == 'z') bin = std::int64_t(Kokkos::pow(double(bins), double(a >> 11) * 0x1p-53)) - 1;
    indices[i] = u32(bin < 0 ? 0 : bin < bins ? bin : bins - 1);
    values[i]  = T(std::int64_t(b >> 60) - 8 + std::int64_t(b >> 63));
  }
};

inline auto indices_in(race const& r)
{
  return input_view<u32>(static_cast<u32 const*>(r.in[0]), std::size_t(r.items));
}
template <class T>
auto bins_out(race const& r)
{
  return output_view<T>(static_cast<T*>(r.out[0]), std::size_t(bins_of(r)));
}

}  // namespace perf
