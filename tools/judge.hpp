// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "types.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <tuple>

// A judge decides whether the output of a primitive is right. The expected output comes from std:: alone.
namespace tools {

struct verdict {
  bool equal       = true;
  std::string text = "equal";
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
verdict difference(std::string const& where, T const& expected, T const& got)
{
  return {false, where + ": expected " + shown(expected) + ", got " + shown(got)};
}

inline std::string item(std::size_t i) { return "item " + std::to_string(i); }

/// An item of bits that no primitive is likely to write; outputs are filled with it before a call.
template <class T>
T poison()
{
  T x;
  std::memset(static_cast<void*>(&x), 0xa5, sizeof x);
  return x;
}

/// Compares bit for bit, and names the first item that differs.
template <class T>
verdict compared(std::string const& where, std::vector<T> const& expected, std::vector<T> const& got)
{
  auto const same = [&](std::size_t begin, std::size_t n) {
    return n == 0 || std::memcmp(&expected[begin], &got[begin], n * sizeof(T)) == 0;
  };
  if (same(0, expected.size())) return {};
  std::size_t i = 0;
  while (same(i, 1)) ++i;
  return difference(where + item(i), expected[i], got[i]);
}

/// Judges by exact items and an exact total (or count), bit for bit.
template <class T, class Total = T>
struct exact {
  using total_type = Total;
  using outputs    = std::tuple<std::vector<T>>;
  std::vector<T> items;
  Total total;

  outputs room() const { return {std::vector<T>(items.size())}; }

  verdict operator()(std::vector<T> const& got, Total const& got_total)
  {
    if (auto const v = compared("", items, got); !v.equal) return v;
    if (std::memcmp(&total, &got_total, sizeof total) != 0) return difference("total", total, got_total);
    return {};
  }
};

/// Judges several outputs, and the number of items that the first of them has; a count that was not written is still
/// poison.
template <class... T>
struct exact_parts {
  using total_type = std::int64_t;
  using outputs    = std::tuple<std::vector<T>...>;
  outputs parts;
  total_type count = poison<total_type>();

  outputs room() const
  {
    return std::apply([](auto const&... part) { return outputs(std::decay_t<decltype(part)>(part.size())...); }, parts);
  }

  verdict operator()(std::vector<T> const&... got, total_type got_count)
  {
    verdict v;
    int k = 0;
    std::apply(
        [&](auto const&... part) {
          ((v = v.equal ? compared("output " + std::to_string(++k) + ", ", part, got) : v), ...);
        },
        parts);
    if (v.equal && count != got_count) v = difference("count", count, got_count);
    return v;
  }
};

/// Judges sums of floats by a bound on the error. A backend adds neighbours only, so each intermediate result is the
/// sum of a range of items, and no such sum exceeds R(i), the largest prefix up to item i less the smallest. In i + 1
/// additions rounding errors of at most u R(i), whose signs the items make random, stay below 8 sqrt(i + 1) u R(i).
template <class T>
struct bounded {
  using total_type = T;
  using outputs    = std::tuple<std::vector<T>>;

  /// A prefix sum, and the range R of the prefix sums up to it.
  struct sum {
    f64 value, range;
  };

  std::vector<sum> items;
  sum total;
  std::size_t summands = 0;
  std::vector<T> first_run{};
  f64 error = 0, spread = 0;  // the worst so far, as shares of the range

  outputs room() const { return {std::vector<T>(items.size())}; }

  static f64 bound(std::size_t i) { return 8 * std::sqrt(f64(i + 1)) * std::numeric_limits<T>::epsilon() / 2; }

  verdict operator()(std::vector<T> const& got, T const& got_total)
  {
    if (first_run.empty()) first_run = got;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!near(items[i], got[i], i)) return difference(item(i), T(items[i].value), got[i]);
      if (items[i].range > 0) spread = std::max(spread, std::abs(f64(got[i]) - f64(first_run[i])) / items[i].range);
    }
    if (!near(total, got_total, summands)) return difference("total", T(total.value), got_total);
    std::ostringstream text;
    text.precision(1);
    text << std::scientific << "error " << error << ", spread " << spread << " of the sums' range; bound " << bound(0)
         << " sqrt(i + 1)";
    return {true, text.str()};
  }

private:
  bool near(sum const& expected, T got, std::size_t i)
  {
    f64 const off = std::abs(f64(got) - expected.value);
    if (expected.range > 0) error = std::max(error, off / expected.range);
    return off <= bound(i) * expected.range;
  }
};

}  // namespace tools
