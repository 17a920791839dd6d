// SPDX-License-Identifier: Apache-2.0
// Few items put in order by a team of several threads, as a device runs it, with host threads for a team.
#include "host_teams.hpp"
#include "seed.hpp"

#include <onepass/engine/digit_order.hpp>
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

/// Bits [at, at + width), where `at` is a multiple of 32.
std::uint64_t code_bits(wide const& x, int at, int width)
{
  if (width == 0) return 0;
  auto const bits = at < 64 ? x.low >> at : x.high >> (at - 64);
  return width == 64 ? bits : bits & ((std::uint64_t(1) << width) - 1);
}

/// A team in groups of lanes, all of which call each of these together.
template <class Team, int Lanes>
struct groups : Team {
  static constexpr int lanes = Lanes;

  std::uint64_t* told;  ///< of each thread

  static int threads() { return Team::threads; }
  void sync() const { this->barrier(); }
  template <int N>
  void match(std::uint32_t const (&digits)[N], int, std::uint32_t (&same)[N]) const
  {
    for (int k = 0; k < N; ++k) {
      std::uint32_t mask = 0;
      each(digits[k], [&](int lane, std::uint64_t theirs) {
        if (theirs == digits[k]) mask |= 1u << lane;
      });
      same[k] &= mask;
    }
  }
  template <class Code>
  Code any(Code code) const
  {
    Code all = 0;
    each(code, [&](int, std::uint64_t theirs) { all |= Code(theirs); });
    return all;
  }
  std::uint32_t through(std::uint32_t x) const
  {
    std::uint32_t sum = 0;
    each(x, [&](int lane, std::uint64_t theirs) {
      if (lane <= this->rank() % lanes) sum += std::uint32_t(theirs);
    });
    return sum;
  }

private:
  /// Calls see(lane, what that lane tells) for every lane of the group.
  template <class See>
  void each(std::uint64_t tell, See const& see) const
  {
    told[this->rank()] = tell;
    this->barrier();
    for (int lane = 0; lane < lanes; ++lane) see(lane, told[this->rank() / lanes * lanes + lane]);
    this->barrier();
  }
};

template <class Code, int Threads, int Lanes, int N, int Compared>
void expect_order(std::vector<wide> const& items, int bits)
{
  int const n = int(items.size());
  std::vector<int> expected(items.size()), order(items.size());
  std::iota(expected.begin(), expected.end(), 0);
  auto const part = [&](int i, int at) {
    return bits <= at ? 0 : code_bits(items[std::size_t(i)], at, std::min(bits - at, 64));
  };
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
    return part(a, 64) != part(b, 64) ? part(a, 64) < part(b, 64) : part(a, 0) < part(b, 0);
  });
  bool const told = 1 <= bits && bits <= one_digit;
  std::vector<int> counts(told ? std::size_t(1) << bits : 0), all(counts.size());
  for (int i = 0; i < n && told; ++i) ++counts[std::size_t(part(i, 0))];

  using sort = digit_order<Code, N, Compared>;
  std::vector<std::uint64_t> told_by(Threads);
  test::on_teams_with<range_sums, Threads>(sort::bytes(Threads, Lanes), 1, [&](auto const& team, int) {
    sort const sorted(team.stage(), Threads, Lanes);
    sorted.find(
        groups<std::decay_t<decltype(team)>, Lanes>{team, told_by.data()}, n, bits,
        [&](int i) { return items[std::size_t(i)]; }, code_bits,
        [&](int digit, std::uint32_t found) { all.at(std::size_t(digit)) += int(found); });
    for (int j = team.rank(); j < n; j += Threads) order[std::size_t(j)] = sorted.places[j];
  });
  EXPECT_EQ(order, expected);
  EXPECT_EQ(all, counts);
}

/// n codes, of which `values` differ, in bits from `shift` on; 0: all.
template <class Code, int Threads, int Lanes, int N, int Compared>
void expect_order(int n, int bits, unsigned values, int shift)
{
  SCOPED_TRACE(std::to_string(n) + " items, " + std::to_string(bits) + " bits, " + std::to_string(values)
               + " values from bit " + std::to_string(shift) + " on");
  test::random_words engine(test::seed());
  std::vector<wide> items;
  auto const code = [&] { return values ? std::uint64_t(engine() % values) << shift | 1 : std::uint64_t(engine()); };
  for (int i = 0; i < n; ++i) items.push_back({code(), code()});
  expect_order<Code, Threads, Lanes, N, Compared>(items, bits);
}

/// Codes of one slice, of part of one, and of several; digits that begin and end inside bytes.
template <class Code, int Threads, int Lanes, int N, int Compared>
void expect_orders()
{
  for (int const n : {0, 1, 7, 9, 32})
    if (n <= Threads * N)
      for (int const bits : {0, 8, 33, 64, 65, 128}) {
        expect_order<Code, Threads, Lanes, N, Compared>(n, bits, 0, 0);
        expect_order<Code, Threads, Lanes, N, Compared>(n, bits, 1, 0);
        expect_order<Code, Threads, Lanes, N, Compared>(n, bits, 3, bits > 40 ? 31 : 3);
      }
}

TEST(digit_order, is_stable_for_any_number_of_items_and_bits)
{
  expect_orders<std::uint64_t, 1, 1, 9, 0>();
  expect_orders<std::uint64_t, 4, 2, 8, 4>();
  expect_orders<std::uint32_t, 3, 1, 11, 3>();
  expect_orders<std::uint32_t, 8, 4, 4, 7>();
  expect_orders<std::uint32_t, 9, 3, 4, 40>();
}

/// Of the highest 16 of 32 bits, or 24 of 64, so many items have the same; the others are random, or fall and are equal
/// by turns.
template <class Code>
void expect_order_of_groups(int together, bool falling)
{
  SCOPED_TRACE(std::to_string(together) + " items that agree in their highest bits" + (falling ? ", falling" : ""));
  test::random_words engine(test::seed() + std::uint64_t(together));
  constexpr int bits = 8 * int(sizeof(Code)), high = bits == 32 ? 16 : 24;
  std::vector<wide> items;
  for (int group = 0; items.size() < 70; ++group)
    for (int i = 0; i < together; ++i)
      items.push_back({std::uint64_t(engine() % 250 * 259) << (bits - high)
                           | (falling ? std::uint64_t(90 - i / 2) : engine() % 70000 % (1u << 16)),
                       0});
  for (std::size_t i = 0; i < items.size(); ++i)
    if (i % std::size_t(together) > 0)
      items[i].low = items[i - 1].low >> (bits - high) << (bits - high) | (items[i].low & 0xffff);
  items.front().low = 0;
  items.back().low  = std::uint64_t(Code(-1));  // all bits differ
  expect_order<Code, 8, 4, 16, 7>(items, bits);
  std::shuffle(items.begin(), items.end(), engine);
  expect_order<Code, 8, 4, 16, 7>(items, bits);
}

TEST(digit_order, compares_what_the_highest_digits_leave_together)
{
  for (int const together : {1, 2, 3, 8, 15, 16, 17, 18, 31, 32, 33, 70})
    for (bool const falling : {false, true}) {
      expect_order_of_groups<std::uint32_t>(together, falling);
      expect_order_of_groups<std::uint64_t>(together, falling);
    }
}

TEST(digit_order, takes_more_threads_than_bins) { expect_order<std::uint32_t, 264, 1, 1, 0>(257, 32, 0, 0); }

}  // namespace
