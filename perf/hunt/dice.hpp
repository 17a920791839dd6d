// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace perf::hunt {

/// The random numbers of one case. Each is a function of the seed, the case's number and its own name alone, so it is
/// the same on every machine and in every build, in any order. All arithmetic is with integers, since floats may round
/// differently.
class dice {
public:
  dice(std::uint64_t seed, std::uint64_t number);

  /// Dice of the same case for a second thing of a kind, such as other keys.
  dice other(std::string_view name) const;

  /// 64 bits that look random.
  std::uint64_t bits(std::string_view name) const;

  /// 0 to n - 1.
  std::int64_t below(std::string_view name, std::int64_t n) const;

  /// True in `percent` of 100 cases.
  bool chance(std::string_view name, int percent) const;

  template <class T>
  T one_of(std::string_view name, std::vector<T> const& from) const
  {
    return from[std::size_t(below(name, std::int64_t(from.size())))];
  }

  /// 1 to 2^power, each power of two equally likely.
  std::int64_t up_to_power(std::string_view name, int power) const;

  /// A number of items: 1 to 2^30 in this way, half of them within three of a power of two.
  std::int64_t items() const;

  /// Where a View begins, in items after an aligned address: 0 in half of the cases, else 1 to 16.
  std::int64_t begin(std::string_view name) const;

private:
  explicit dice(std::uint64_t state)
      : state_(state)
  {}

  std::uint64_t state_;
};

}  // namespace perf::hunt
