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

/// Random words by SplitMix64. Tests are hardly optimised, and std::mt19937_64 then takes as long as what it is for.
class random_words {
public:
  using result_type = std::uint64_t;

  explicit random_words(std::uint64_t from)
      : at_(from)
  {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type(0); }

  result_type operator()()
  {
    std::uint64_t word = at_ += 0x9e37'79b9'7f4a'7c15u;
    word               = (word ^ word >> 30) * 0xbf58'476d'1ce4'e5b9u;
    word               = (word ^ word >> 27) * 0x94d0'49bb'1331'11ebu;
    return word ^ word >> 31;
  }

private:
  std::uint64_t at_;
};

}  // namespace test
