// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

#include <cstdint>

namespace test {

/// x -> a x + b, modulo 2^32. Composition is associative and not commutative.
struct affine {
  std::uint32_t a, b;
  friend bool operator==(affine const&, affine const&) = default;
};

/// First the older map, then the newer one.
struct compose {
  ONEPASS_FUNCTION affine operator()(affine const& older, affine const& newer) const
  {
    return {newer.a * older.a, newer.a * older.b + newer.b};
  }
};

/// The same operator with its identity.
struct compose_from_identity : compose {
  template <class T>
  ONEPASS_FUNCTION static constexpr T identity()
  {
    return {1, 0};
  }
};

}  // namespace test
