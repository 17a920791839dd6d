// SPDX-License-Identifier: Apache-2.0
// What a warp finds of a row, on a warp whose lanes are threads of the host; the oracle is std's.
#include "seed.hpp"

#include <onepass/programs/first_by_warp.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

namespace {

/// What lanes have given, for all to read between two barriers.
template <int Lanes>
struct meeting {
  std::barrier<> barrier{Lanes};
  std::uint64_t given[Lanes];

  template <class Read>
  auto all(int lane, std::uint64_t x, Read const& read)
  {
    given[lane] = x;
    barrier.arrive_and_wait();
    auto const made = read(given);
    barrier.arrive_and_wait();
    return made;
  }
};

/// A lane of a warp, as engine/warps.hpp has it.
template <int Lanes>
struct threads_as_lanes {
  static constexpr int lanes = Lanes;

  int lane;
  meeting<Lanes>* at;

  void sync() const
  {
    at->all(lane, 0, [](auto const&) { return 0; });
  }
  unsigned those(bool x) const
  {
    return at->all(lane, x, [](auto const& given) {
      unsigned set = 0;
      for (int l = 0; l < Lanes; ++l) set |= unsigned(given[l]) << l;
      return set;
    });
  }
  template <class T>
  T exchange(T x, int bits) const
  {
    return T(at->all(lane, x, [&](auto const& given) { return given[lane ^ bits]; }));
  }
  template <class T>
  T broadcast(T x, int from) const
  {
    return T(at->all(lane, x, [&](auto const& given) { return given[from]; }));
  }
};

template <int Lanes, class F>
void by_lanes(F const& f)
{
  meeting<Lanes> all;
  std::vector<std::thread> threads;
  for (int lane = 0; lane < Lanes; ++lane) threads.emplace_back([&, lane] { f(threads_as_lanes<Lanes>{lane, &all}); });
  for (auto& thread : threads) thread.join();
}

template <class Code>
std::vector<Code> random_codes(test::random_words& dice, std::size_t n)
{
  std::vector<Code> codes;
  int const how = int(dice() % 6);
  for (std::size_t i = 0; i < n; ++i)
    codes.push_back(how == 0   ? Code(dice())
                    : how == 1 ? Code(dice() % 3)
                    : how == 2 ? Code(i)
                    : how == 3 ? Code(n - i)
                    : how == 4 ? Code(7)
                               : Code(dice() % 50 == 0 ? dice() % 100 : ~Code(0)));
  return codes;
}

template <class Code, int Lanes, int N>
void expect_first_of(std::vector<Code> const& codes, int k)
{
  using finder = onepass::first_by_warp<threads_as_lanes<Lanes>, Code>;
  using entry  = typename finder::entry;
  std::vector<entry> expected, list(finder::room);
  for (std::size_t c = 0; c < codes.size(); ++c) expected.push_back({std::uint32_t(c), codes[c]});
  std::partial_sort(expected.begin(), expected.begin() + k, expected.end());
  int count = 0;
  by_lanes<Lanes>([&](auto const& lane) {
    finder found(lane, list.data(), k);
    for (std::size_t first = 0; first < codes.size(); first += N * Lanes)
      found.template take<N>(
          onepass::extent(first), onepass::extent(codes.size()),
          [&](onepass::extent c) { return codes[std::size_t(c)]; }, [](Code x) { return x; });
    found.settle();
    if (lane.lane == 0) count = found.count();
  });
  ASSERT_EQ(count, k);
  for (int i = 0; i < k; ++i) {
    EXPECT_EQ(list[std::size_t(i)].column, expected[std::size_t(i)].column) << "rank " << i << " of " << codes.size();
    EXPECT_EQ(list[std::size_t(i)].code, expected[std::size_t(i)].code) << "rank " << i << " of " << codes.size();
  }
}

template <class Code, int Lanes, int N>
void expect_first_of_random_rows(int rows, std::size_t most)
{
  auto const seed = test::seed();
  test::random_words dice(seed);
  for (int r = 0; r < rows && !testing::Test::HasFailure(); ++r) {
    auto const codes = random_codes<Code>(dice, 1 + dice() % most);
    int const k      = 1 + int(dice() % std::min<std::size_t>(codes.size(), 2 * Lanes));
    SCOPED_TRACE("seed " + std::to_string(seed) + ", row " + std::to_string(r) + ", k " + std::to_string(k));
    ASSERT_NO_FATAL_FAILURE((expect_first_of<Code, Lanes, N>(codes, k)));
  }
}

TEST(first_by_warp, finds_what_std_finds)
{
  expect_first_of_random_rows<std::uint32_t, 8, 16>(60, 1000);
  expect_first_of_random_rows<std::uint64_t, 8, 8>(60, 500);
  expect_first_of_random_rows<std::uint32_t, 32, 2>(10, 64);
  expect_first_of_random_rows<std::uint32_t, 32, 16>(10, 3000);
  expect_first_of_random_rows<std::uint64_t, 32, 8>(100, 400);
}

/// The bound of few is found among one number of each lane.
TEST(sort_by_lanes, sorts_one_number_of_each_lane)
{
  std::vector<std::uint32_t> numbers{5, 3, 8, 1, 9, 2, 7, 4};
  by_lanes<8>([&](auto const& lane) {
    std::uint32_t x[1] = {numbers[std::size_t(lane.lane)]};
    onepass::sort_by_lanes(lane, x, 8);
    numbers[std::size_t(lane.lane)] = x[0];
  });
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

}  // namespace
