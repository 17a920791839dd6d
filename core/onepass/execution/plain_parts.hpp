// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <cstddef>

namespace onepass::ONEPASS_ABI {

/// How a call cuts plain memory of a workspace into parts of so many items each, which begin as aligned as the memory.
class plain_parts {
public:
  /// Parts behind bytes that are taken already.
  explicit plain_parts(std::size_t taken = 0)
      : bytes_(aligned(taken))
  {}

  /// One more part: where it begins.
  template <class T>
  std::size_t add(extent items)
  {
    auto const at = bytes_;
    bytes_ += aligned(std::size_t(items) * sizeof(T));
    return at;
  }

  /// Of all parts.
  std::size_t bytes() const { return bytes_; }

private:
  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  std::size_t bytes_;
};

}  // namespace onepass::ONEPASS_ABI
