// SPDX-License-Identifier: Apache-2.0
#include "dice.hpp"
#include "harness/mixed.hpp"

#include <algorithm>

namespace perf::hunt {

namespace {

/// FNV-1a.
std::uint64_t hash(std::string_view text)
{
  std::uint64_t h = 0xcbf29ce484222325u;
  for (char const c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace

dice::dice(std::uint64_t seed, std::uint64_t number)
    : state_(mixed(mixed(seed) ^ number))
{}

dice dice::other(std::string_view name) const { return dice(bits(name)); }

std::uint64_t dice::bits(std::string_view name) const { return mixed(state_ ^ hash(name)); }

std::int64_t dice::below(std::string_view name, std::int64_t n) const
{
  return std::int64_t(bits(name) % std::uint64_t(n));
}

bool dice::chance(std::string_view name, int percent) const { return below(name, 100) < percent; }

std::int64_t dice::up_to_power(std::string_view name, int power) const
{
  auto const random   = bits(name);
  auto const exponent = int(random % unsigned(power + 1));
  auto const low      = std::int64_t(1) << exponent;
  return exponent == power ? low : low + std::int64_t((random >> 32) & std::uint64_t(low - 1));
}

std::int64_t dice::items() const
{
  auto n = up_to_power("items", 30);
  if (chance("items near a power", 50)) {
    while ((n & (n - 1)) != 0) n &= n - 1;
    n += below("items beside it", 7) - 3;
  }
  return std::max(n, std::int64_t(1));
}

std::int64_t dice::begin(std::string_view name) const { return std::max(below(name, 32) - 15, std::int64_t(0)); }

}  // namespace perf::hunt
