// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdlib>

namespace test {

/// The seed of all random test data: ONEPASS_SEED, or else a fixed number.
inline std::uint64_t seed()
{
  char const* const given = std::getenv("ONEPASS_SEED");
  return given ? std::strtoull(given, nullptr, 0) : 20240229;
}

}  // namespace test
