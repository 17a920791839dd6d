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

/// An item of three bytes, which no access of a thread holds alone.
struct rgb {
  std::uint8_t r, g, b;
  friend bool operator==(rgb const&, rgb const&) = default;
};

/// Channel by channel, modulo 256.
struct add_channels {
  ONEPASS_FUNCTION rgb operator()(rgb const& older, rgb const& newer) const
  {
    return {std::uint8_t(older.r + newer.r), std::uint8_t(older.g + newer.g), std::uint8_t(older.b + newer.b)};
  }
};

}  // namespace test
