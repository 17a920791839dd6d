// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/mixed.hpp"
#include "harness/race.hpp"

#include <string>

// Sums without rounding. exact_sum.small: whole numbers from -8 to 8, so that sums that round are right too; .normal: a
// sum of four uniform numbers; .spread: over 60 binades; .wide: over all of the type's. exact_dot: products of such.
namespace perf {

/// Item i of a race, or of the other side of its products.
template <class T>
struct rough_item {
  char kind;  ///< the name's first letter behind the stem
  std::uint64_t salt;

  KOKKOS_FUNCTION T operator()(std::int64_t i) const
  {
    std::uint64_t const a = mixed(std::uint64_t(i) ^ salt << 48), b = mixed(a);
    auto const unit = [](std::uint64_t x) { return double(std::int64_t(x)) * 0x1p-63; };
    if (kind == 's') return T(double(a >> 60) - 8 + double(a >> 63));
    if (kind == 'n') return T(unit(a) + unit(b) + unit(mixed(b)) + unit(mixed(b + 1)));
    constexpr int most = sizeof(T) == 8 ? 950 : 115;
    int const span     = kind == 'p' ? 30 : most;
    auto const power   = std::uint64_t(1023 + int(b % std::uint64_t(2 * span)) - span) << 52;
    double scale;
    static_assert(sizeof scale == sizeof power);
    __builtin_memcpy(&scale, &power, sizeof scale);
    return T(unit(a) * scale);
  }
};

inline bool is_dot(race const& r) { return r.stem() == "exact_dot"; }

template <class T>
rough_item<T> items_of(race const& r, std::uint64_t salt)
{
  auto const name = r.primitive.substr(r.primitive.find('.') + 1);
  return {name == "spread" ? 'p' : name[0], salt};
}

}  // namespace perf
