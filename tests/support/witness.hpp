// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "faults.hpp"

#include <cstdint>
#include <ostream>
#include <vector>

namespace test {

using onepass::extent;

// The interval witness. Item i is the interval [i, i+1) and the operator joins true neighbours only, so the result
// tells exactly which items were combined, and in which order. Sums of numbers would miss most defects.

/// [first, last). Broken when default-constructed, and when its words are inconsistent: every word after the first two
/// is a function of them, so that a value torn between two writers is detected.
template <int Bytes>
struct interval {
  static constexpr int checks = Bytes / 4 - 2;
  static_assert(Bytes % 4 == 0 && checks > 0);

  std::int32_t first = 0, last = -1;
  std::uint32_t check[checks] = {};

  ONEPASS_FUNCTION static interval of(std::int32_t first, std::int32_t last)
  {
    interval made;
    made.first = first;
    made.last  = last;
    for (int k = 0; k < checks; ++k) made.check[k] = mixed(first, last, k);
    return made;
  }

  ONEPASS_FUNCTION bool broken() const
  {
    bool whole = last >= first;
    for (int k = 0; k < checks; ++k) whole = whole && check[k] == mixed(first, last, k);
    return !whole;
  }

  friend bool operator==(interval const& a, interval const& b)
  {
    return a.first == b.first && a.last == b.last && a.broken() == b.broken();
  }
  friend std::ostream& operator<<(std::ostream& out, interval const& x)
  {
    return out << "[" << x.first << ", " << x.last << (x.broken() ? ") broken" : ")");
  }

private:
  ONEPASS_FUNCTION static std::uint32_t mixed(std::int32_t first, std::int32_t last, int k)
  {
    return (std::uint32_t(first) * 2654435761u ^ std::uint32_t(last)) * 2246822519u + std::uint32_t(k) + 1;
  }
};

using small_interval = interval<16>;  ///< fits one wide access
using large_interval = interval<60>;  ///< with the backends' "nothing yet" flag the largest aggregate allowed: 64 bytes

/// Joins [a, b) and [b, c) to [a, c). Anything else is reported and gives a broken interval.
struct join {
  fault_sink faults;

  template <int Bytes>
  ONEPASS_FUNCTION interval<Bytes> operator()(interval<Bytes> const& older, interval<Bytes> const& newer) const
  {
    if (!older.broken() && !newer.broken() && older.last == newer.first)
      return interval<Bytes>::of(older.first, newer.last);
    faults.report(older.broken() || newer.broken() ? fault::broken_operand
                  : newer.last == older.first      ? fault::swapped
                  : older.last > newer.first       ? fault::repeated
                                                   : fault::gap);
    return {};
  }
};

/// join, slow for some operands, to delay tiles at every stage, also between publishing and writing.
struct slow_join : join {
  template <int Bytes>
  ONEPASS_FUNCTION interval<Bytes> operator()(interval<Bytes> const& older, interval<Bytes> const& newer) const
  {
    if (newer.first % 61 == 0)
      for (int spin = 0; spin < 2000; ++spin) (void)*static_cast<unsigned const volatile*>(faults.counts);
    return join::operator()(older, newer);
  }
};

/// [0, 1), [1, 2), ... [n-1, n)
template <class Interval>
std::vector<Interval> neighbours(extent n)
{
  std::vector<Interval> items;
  for (extent i = 0; i < n; ++i) items.push_back(Interval::of(std::int32_t(i), std::int32_t(i + 1)));
  return items;
}

}  // namespace test
