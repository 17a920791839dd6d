// SPDX-License-Identifier: Apache-2.0
// What a warp finds of a row, on a warp whose lanes are threads of the host; the oracle is std's.
#include "seed.hpp"

#include <onepass/programs/first_by_warp.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

namespace {

/// What lanes have given, for all to read between two barriers.
template <int Lanes>
struct meeting {
  std::barrier<> barrier{Lanes};
  alignas(16) std::byte bytes[Lanes * 16];

  template <class T, class Read>
  auto all(int lane, T x, Read const& read)
  {
    static_assert(sizeof(T) <= 16);
    auto* const given = reinterpret_cast<T*>(bytes);
    given[lane]       = x;
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
  unsigned scan(unsigned x) const
  {
    return at->all(lane, x, [&](auto const& given) { return std::accumulate(given, given + lane + 1, 0u); });
  }
  template <class T>
  T exchange(T x, int bits) const
  {
    return at->all(lane, x, [&](auto const& given) { return given[lane ^ bits]; });
  }
  template <class T>
  T broadcast(T x, int from) const
  {
    return at->all(lane, x, [&](auto const& given) { return given[from]; });
  }
};

/// f(lane, warp) by all lanes of some warps.
template <int Lanes, class F>
void by_warps(int warps, F const& f)
{
  std::vector<meeting<Lanes>> all(static_cast<std::size_t>(warps));
  std::vector<std::thread> threads;
  for (int warp = 0; warp < warps; ++warp)
    for (int lane = 0; lane < Lanes; ++lane)
      threads.emplace_back([&, warp, lane] { f(threads_as_lanes<Lanes>{lane, &all[std::size_t(warp)]}, warp); });
  for (auto& thread : threads) thread.join();
}
template <int Lanes, class F>
void by_lanes(F const& f)
{
  by_warps<Lanes>(1, [&](auto const& lane, int) { f(lane); });
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

/// A row whose items lie `stride` apart and begin `skipped` items behind an aligned place.
template <class Code>
struct laid_out {
  std::vector<Code> memory;
  onepass::strided<Code const> row;

  laid_out(std::vector<Code> const& codes, std::size_t skipped, std::size_t stride)
      : memory(skipped + codes.size() * stride)
      , row{memory.data() + skipped, onepass::extent(codes.size()), onepass::extent(stride)}
  {
    for (std::size_t c = 0; c < codes.size(); ++c) memory[skipped + c * stride] = codes[c];
  }
};

template <class Code, int Lanes, int N, int Warps>
void expect_first_of(std::vector<Code> const& codes, onepass::strided<Code const> const& row, int k)
{
  using warp   = threads_as_lanes<Lanes>;
  using finder = onepass::first_by_warp<warp, Code, Warps>;
  using entry  = typename finder::entry;
  using code   = typename finder::code;
  std::vector<entry> expected, list(Warps * finder::room);
  std::vector<code> limits(Warps, ~code(0));
  for (std::size_t c = 0; c < codes.size(); ++c) expected.push_back({std::uint32_t(c), codes[c]});
  std::partial_sort(expected.begin(), expected.begin() + k, expected.end());
  int counts[Warps];
  auto const as_it_is = [](Code x) { return x; };
  by_warps<Lanes>(Warps, [&](warp const& lane, int w) {
    finder found(lane, list.data() + w * finder::room, k, limits.data(), w);
    if (row.size <= finder::most && Warps == 1) found.take_all(row, as_it_is);
    else
      for (int first = w * N * Lanes; first < row.size; first += Warps * N * Lanes)
        found.template take<N>(row, first, as_it_is);
    found.settle();
    if (lane.lane == 0) counts[w] = found.count();
  });
  by_lanes<Lanes>([&](warp const& lane) {
    finder all(lane, list.data(), k, limits.data(), 0);
    all.add(list.data(), counts[0]);
    for (int w = 1; w < Warps; ++w) all.add(list.data() + w * finder::room, counts[w]);
    all.settle();
    if (lane.lane == 0) counts[0] = all.count();
  });
  ASSERT_EQ(counts[0], k);
  for (int i = 0; i < k; ++i) {
    EXPECT_EQ(list[std::size_t(i)].column, expected[std::size_t(i)].column) << "rank " << i << " of " << codes.size();
    EXPECT_EQ(list[std::size_t(i)].code, expected[std::size_t(i)].code) << "rank " << i << " of " << codes.size();
  }
}

template <class Code, int Lanes, int N, int Warps = 1>
void expect_first_of_random_rows(int rows, std::size_t most)
{
  auto const seed = test::seed();
  test::random_words dice(seed);
  for (int r = 0; r < rows && !testing::Test::HasFailure(); ++r) {
    auto const codes = random_codes<Code>(dice, 1 + dice() % most / (r % 2 ? 1 : 16) * (r % 2 ? 1 : 16));
    int const k      = 1 + int(dice() % std::min<std::size_t>(codes.size(), 2 * Lanes));
    laid_out<Code> const at(codes, dice() % 3, 1 + dice() % 4 / 3);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", row " + std::to_string(r) + ", k " + std::to_string(k));
    ASSERT_NO_FATAL_FAILURE((expect_first_of<Code, Lanes, N, Warps>(codes, at.row, k)));
  }
}

TEST(first_by_warp, finds_what_std_finds)
{
  expect_first_of_random_rows<std::uint32_t, 8, 32>(60, 1000);
  expect_first_of_random_rows<std::uint64_t, 8, 16>(60, 500);
  expect_first_of_random_rows<std::uint32_t, 32, 8>(20, 300);
  expect_first_of_random_rows<std::uint32_t, 32, 16>(20, 1000);
  expect_first_of_random_rows<std::uint32_t, 32, 32>(20, 3000);
  expect_first_of_random_rows<std::uint16_t, 32, 32>(20, 3000);
  expect_first_of_random_rows<std::uint64_t, 32, 16>(50, 900);
}

TEST(first_by_warp, finds_it_with_others)
{
  expect_first_of_random_rows<std::uint32_t, 8, 8, 3>(60, 1000);
  expect_first_of_random_rows<std::uint64_t, 8, 16, 4>(60, 2000);
  expect_first_of_random_rows<std::uint8_t, 8, 32, 4>(60, 3000);
}

template <class T, int N>
void expect_sorted_by_lanes(bool by_codes)
{
  test::random_words dice(test::seed());
  std::vector<T> numbers(8 * N);
  for (auto& x : numbers) x = T(dice() % 20);
  auto expected = numbers;
  std::sort(expected.begin(), expected.end());
  by_lanes<8>([&](auto const& lane) {
    T x[N];
    for (int i = 0; i < N; ++i) x[i] = numbers[std::size_t(lane.lane * N + i)];
    if (by_codes) onepass::sort_codes_by_lanes(lane, x);
    else onepass::sort_by_lanes(lane, x, 8);
    for (int i = 0; i < N; ++i) numbers[std::size_t(lane.lane * N + i)] = x[i];
  });
  EXPECT_EQ(numbers, expected) << N << " of each";
}

TEST(sort_by_lanes, sorts_one_number_of_each_lane_or_more)
{
  for (int i = 0; i < 10; ++i) {
    expect_sorted_by_lanes<std::uint32_t, 1>(i % 2 == 0);
    expect_sorted_by_lanes<std::uint64_t, 2>(i % 2 == 0);
    expect_sorted_by_lanes<std::uint64_t, 4>(i % 2 == 0);
  }
}

}  // namespace
