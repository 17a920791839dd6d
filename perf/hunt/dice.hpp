// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace perf::hunt {

/// What a case is drawn with. A draw is a function of the seed, the number of the case and the name of the draw alone:
/// the same on every machine and in every build, whatever was drawn before. It is of integers, since floats are not.
class dice {
public:
  dice(std::uint64_t seed, std::uint64_t number);

  /// 64 bits that look random.
  std::uint64_t bits(std::string_view name) const;

  /// 0 to n - 1.
  std::int64_t below(std::string_view name, std::int64_t n) const;

  /// True in so many of 100 cases.
  bool chance(std::string_view name, int percent) const;

  template <class T>
  T one_of(std::string_view name, std::vector<T> const& from) const
  {
    return from[std::size_t(below(name, std::int64_t(from.size())))];
  }

  /// 1 to 2^power, every power of two as likely as the next.
  std::int64_t up_to_power(std::string_view name, int power) const;

  /// How many items: 1 to 2^30 in this way, every other time at most three beside a power of two.
  std::int64_t items() const;

  /// Where a View begins, in items behind an aligned address: every other time there.
  std::int64_t begin(std::string_view name) const;

private:
  std::uint64_t state_;
};

}  // namespace perf::hunt
