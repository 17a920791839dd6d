// SPDX-License-Identifier: Apache-2.0
// Few items put in order by a team of several threads, as a device runs it, with host threads for a team.
#include "host_teams.hpp"
#include "seed.hpp"

#include <onepass/engine/merge_order.hpp>
#include <onepass/engine/ranges.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace onepass;

namespace {

/// A code of up to 128 bits.
struct wide {
  std::uint64_t low, high;
};

std::uint64_t code_bits(wide const& x, int at, int width)
{
  auto const bits = at == 0 ? x.low : x.high;
  return width == 64 ? bits : bits & ((std::uint64_t(1) << width) - 1);
}

/// n codes, of which `values` differ; 0: all.
template <int Threads, int N>
void expect_order(int n, int bits, unsigned values)
{
  SCOPED_TRACE(std::to_string(n) + " items, " + std::to_string(bits) + " bits, " + std::to_string(values) + " values");
  std::mt19937_64 engine(test::seed());
  std::vector<wide> items;
  for (int i = 0; i < n; ++i) {
    wide x{engine(), engine()};
    if (values) x = {0 - std::uint64_t(engine() % values), 0 - std::uint64_t(engine() % values)};
    items.push_back(x);
  }
  std::vector<int> expected(items.size()), order(items.size());
  std::iota(expected.begin(), expected.end(), 0);
  auto const part = [&](int i, int at) {
    return bits <= at ? 0 : code_bits(items[std::size_t(i)], at, std::min(bits - at, 64));
  };
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
    return part(a, 64) != part(b, 64) ? part(a, 64) < part(b, 64) : part(a, 0) < part(b, 0);
  });

  using sort = merge_order<N>;
  test::on_teams_with<range_sums, Threads>(sort::bytes(Threads), 1, [&](auto const& team, int) {
    sort const sorted(team.stage(), Threads);
    sorted.find(
        team, n, bits, [&](int i) { return items[std::size_t(i)]; },
        [](wide const& x, int at, int width) { return width == 0 ? 0 : code_bits(x, at, width); });
    for (int j = team.rank(); j < n; j += Threads) order[std::size_t(j)] = sorted.places[j];
  });
  EXPECT_EQ(order, expected);
}

TEST(merge_order, is_stable_for_any_number_of_items_and_bits)
{
  for (int const n : {0, 1, 2, 5, 8, 9, 10, 18, 19, 27, 35, 36, 37, 62, 63, 64})
    for (int const bits : {0, 1, 8, 33, 64, 65, 128})
      for (unsigned const values : {0u, 1u, 3u}) {
        if (n <= 1 * 9) expect_order<1, 9>(n, bits, values);
        if (n <= 4 * 9) expect_order<4, 9>(n, bits, values);
        if (n <= 7 * 9) expect_order<7, 9>(n, bits, values);
        if (n <= 8 * 1) expect_order<8, 1>(n, bits, values);
        if (n <= 21 * 3) expect_order<21, 3>(n, bits, values);
      }
}

}  // namespace
