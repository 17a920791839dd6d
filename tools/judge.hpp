// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "types.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

// Judges say whether what a machine wrote is right. What is right comes from std:: alone.
namespace tools {

struct verdict {
  bool        equal = true;
  std::string text  = "equal";
};

template <class T>
std::string shown(T const& x)
{
  std::ostringstream text;
  text.precision(std::numeric_limits<T>::max_digits10);
  if constexpr (std::is_same_v<T, affine>) text << x.slope << ":" << x.offset;
  else text << +x;
  return text.str();
}

template <class T>
verdict difference(std::size_t i, T const& expected, T const& got, std::size_t items)
{
  const auto where = i < items ? "item " + std::to_string(i) : "total";
  return {false, where + ": expected " + shown(expected) + ", got " + shown(got)};
}

/// What is written, and behind that the total, as they must be, bit for bit.
template <class T>
struct exact {
  std::vector<T> expected;

  verdict operator()(std::vector<T> const& got)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (std::memcmp(&expected[i], &got[i], sizeof(T)) != 0) return difference(i, expected[i], got[i], expected.size() - 1);
    return {};
  }
};

/// Sums of floats. A machine adds neighbours only, so each of its intermediate results is the sum of a range of items,
/// and no such sum exceeds R(i), the largest less the smallest prefix up to item i. Rounding errors of at most u R(i) in
/// i + 1 additions, with signs that the items make random, stay below 8 sqrt(i + 1) u R(i).
template <class T>
struct bounded {
  std::size_t      items = 0;
  std::vector<f64> expected{}, range{};  // of what is written, and behind that of the total
  std::vector<T>   first_run{};
  f64              error = 0, spread = 0;  // the worst seen, as shares of the range

  static f64 bound(std::size_t i) { return 8 * std::sqrt(f64(i + 1)) * std::numeric_limits<T>::epsilon() / 2; }

  verdict operator()(std::vector<T> const& got)
  {
    if (first_run.empty()) first_run = got;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const f64 off = std::abs(f64(got[i]) - expected[i]);
      if (!(off <= bound(i + 1 < expected.size() ? i : items) * range[i])) return difference(i, T(expected[i]), got[i], expected.size() - 1);
      if (range[i] > 0) {
        error  = std::max(error, off / range[i]);
        spread = std::max(spread, std::abs(f64(got[i]) - f64(first_run[i])) / range[i]);
      }
    }
    std::ostringstream text;
    text.precision(1);
    text << std::scientific << "error " << error << ", spread " << spread << " of the sums' range; bound " << bound(0) << " sqrt(i + 1)";
    return {true, text.str()};
  }
};

}  // namespace tools
