// SPDX-License-Identifier: Apache-2.0
// The block networks: what they cost against what they declare, what lies where after every step, and the errata of the
// literature (docs/strategies.md), each as printed and as it must be.
#include "traced_block.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace test;
using classic::cost;
using classic::network;
using classic::width;

namespace {

/// [first, last), and how many operators stand one behind the other in it.
struct stretch {
  int first, last, depth;
};

/// Joins true neighbours, and counts. Nothing at all, [0, 0), is neutral.
struct counting_join {
  using type = stretch;
  int* operators;
  bool* wrong;
  static stretch identity() { return {0, 0, 0}; }
  stretch combine(stretch const& older, stretch const& newer) const
  {
    ++*operators;
    int const depth = std::max(older.depth, newer.depth) + 1;
    if (older.first == older.last) return {newer.first, newer.last, depth};
    if (newer.first == newer.last) return {older.first, older.last, depth};
    if (older.last != newer.first) *wrong = true;
    return {older.first, newer.last, depth};
  }
};

/// The network with a barrier less at its end than scan_block has, if it needs none.
cost counted(network by, width wide, lane_order order, std::string& fault)
{
  int operators = 0;
  bool wrong    = false;
  std::vector<stretch> values;
  for (int i = 0; i < wide.lanes; ++i) values.push_back({i, i + 1, 0});
  auto const made = run_network(by, wide, counting_join{&operators, &wrong}, values, {-7, -9, 1000}, order);
  int depth       = 0;
  for (int i = 0; i < wide.lanes; ++i) {
    auto const& x = made.inclusive[std::size_t(i)];
    if (wrong || x.first != 0 || x.last != i + 1)
      fault = "lane " + std::to_string(i) + " has [" + std::to_string(x.first) + ", " + std::to_string(x.last) + ")";
    depth = std::max(depth, x.depth);
  }
  bool const ends_with_own = by == network::kogge_stone || by == network::sklansky || by == network::warp_brent_kung
                             || by == network::warp_sklansky;
  return {operators, depth, made.noted.barriers - ends_with_own};
}

bool operator_is_counted(network by) { return by != network::ballot; }

TEST(networks, cost_what_they_declare_in_every_order_of_lanes)
{
  for (auto const& [by, name] : classic::networks)
    for (width const wide : {width{4, 2}, width{4, 4}, width{8, 4}, width{16, 4}, width{64, 8}, width{256, 16},
                             width{256, 32}, width{1024, 32}})
      for (auto const order : {lane_order::ascending, lane_order::descending, lane_order::shuffled}) {
        if (!operator_is_counted(by) || (by == network::blelloch_unrolled && wide.lanes != 256)) continue;
        SCOPED_TRACE(std::string(name) + ", " + std::to_string(wide.lanes) + " lanes in warps of "
                     + std::to_string(wide.warp));
        std::string fault;
        auto const found = counted(by, wide, order, fault), declared = cost_of(by, wide);
        EXPECT_EQ(fault, "");
        EXPECT_EQ(found.operators, declared.operators);
        EXPECT_EQ(found.depth, declared.depth);
        EXPECT_EQ(found.barriers, declared.barriers);
      }
}

TEST(networks, cost_what_the_literature_says)
{
  auto const expect = [](network by, width wide, int depth, int operators) {
    EXPECT_EQ(cost_of(by, wide).depth, depth) << int(by);
    EXPECT_EQ(cost_of(by, wide).operators, operators) << int(by);
  };
  width const small{16, 4}, block{256, 32};
  expect(network::serial, small, 15, 15);
  expect(network::kogge_stone, small, 4, 49);
  expect(network::sklansky, small, 4, 32);
  expect(network::brent_kung, small, 6, 26);
  expect(network::warp_brent_kung, small, 5, 37);
  expect(network::raking, small, 9, 29);
  expect(network::warp_sklansky, small, 4, 36);
  expect(network::warp_brent_kung, block, 9, 1273);
  expect(network::raking, block, 20, 601);
  expect(network::warp_sklansky, block, 8, 1416);
}

// ---- the worked example of eight items

using numbers = std::vector<std::uint32_t>;
using sum     = onepass::monoid<onepass::plus, std::uint32_t>;
numbers const example{3, 1, 7, 0, 4, 1, 6, 3};
constexpr std::uint32_t rubbish = 0xdeadbeef;

TEST(networks, pass_through_the_steps_of_the_worked_example)
{
  auto const naive = run_network(network::kogge_stone, {8, 8}, sum{}, example, rubbish);
  EXPECT_EQ(naive.noted.seen,
            (std::vector<numbers>{
                example, {3, 4, 8, 7, 4, 5, 7, 9}, {3, 4, 11, 11, 12, 12, 11, 14}, {3, 4, 11, 11, 15, 16, 22, 25}}));

  auto const tree = run_network(network::blelloch, {8, 8}, sum{}, example, rubbish);
  EXPECT_EQ(tree.noted.seen, (std::vector<numbers>{example,
                                                   {3, 4, 7, 7, 4, 5, 6, 9},
                                                   {3, 4, 7, 11, 4, 5, 6, 14},
                                                   {3, 4, 7, 11, 4, 5, 6, 0},
                                                   {3, 4, 7, 0, 4, 5, 6, 11},
                                                   {3, 0, 7, 4, 4, 11, 6, 16},
                                                   {0, 3, 4, 11, 11, 15, 16, 22}}));
  EXPECT_EQ(tree.total, 25u);
  for (auto const& [by, name] : classic::networks) {
    if (by == network::blelloch_unrolled) continue;
    EXPECT_EQ(run_network(by, {8, 4}, sum{}, example, rubbish).inclusive, (numbers{3, 4, 11, 11, 15, 16, 22, 25}))
        << name;
  }
}

TEST(networks, ballots_add_any_unsigned_numbers)
{
  std::mt19937 random(7);
  for (width const wide : {width{16, 4}, width{256, 32}, width{1024, 32}}) {
    numbers values(std::size_t(wide.lanes));
    for (auto& x : values) x = std::uint32_t(random());
    numbers expected(values.size());
    std::partial_sum(values.begin(), values.end(), expected.begin());
    auto const made = run_network(network::ballot, wide, sum{}, values, rubbish);
    EXPECT_EQ(made.inclusive, expected);
    EXPECT_EQ(made.noted.barriers - 1, cost_of(network::ballot, wide).barriers);
  }
}

/// What lies before each of up to a warp's worth of counts, by so many planes.
numbers by_planes(numbers counts, int planes)
{
  counts.resize(4);
  std::vector<std::uint32_t> memory(64);
  notes<std::uint32_t> noted;
  no_team const nobody;
  traced<sum> const b(nobody, sum{}, {4, 4}, memory.data(), {&noted});
  numbers before;
  for (int lane = 0; lane < 4; ++lane)
    before.push_back(classic::sum_by_planes(b, lane, planes, [&](int l) { return counts[std::size_t(l)]; }));
  return before;
}

TEST(networks, small_counts_take_a_plane_more_than_their_logarithm)
{
  EXPECT_EQ(by_planes({16, 18, 17, 13}, 6), (numbers{0, 16, 34, 51}));
  EXPECT_EQ(by_planes({32, 32, 32, 32}, 6), (numbers{0, 32, 64, 96}));
  EXPECT_EQ(by_planes({32, 5, 32, 7}, 6), (numbers{0, 32, 37, 69}));
  EXPECT_EQ(by_planes({32, 32, 32, 32}, 5), (numbers{0, 0, 0, 0})) << "as printed: 128 items in 32 places";
  EXPECT_EQ(by_planes({32, 5, 32, 7}, 5), (numbers{0, 0, 5, 5})) << "as printed";
}

// ---- errata

/// Steps of the naive scan in two rows, as a text has it.
template <class Step>
numbers naive_as_printed(Step const& step)
{
  numbers rows[2] = {example, numbers(example.size())};
  int out         = 0;
  for (std::size_t offset = 1; offset < example.size(); offset *= 2) {
    out = 1 - out;
    for (std::size_t k = 0; k < example.size(); ++k) step(rows[1 - out], rows[out], k, offset);
  }
  return rows[out];
}

TEST(errata, naive_scan_adds_into_the_stale_row)
{
  auto const shifted_first = [](auto const& step) {  // the text's scan is exclusive: it shifts when it loads
    numbers rows[2] = {numbers(8), numbers(8)};
    for (std::size_t k = 1; k < 8; ++k) rows[0][k] = example[k - 1];
    int out = 0;
    for (std::size_t offset = 1; offset < 8; offset *= 2) {
      out = 1 - out;
      for (std::size_t k = 0; k < 8; ++k) step(rows[1 - out], rows[out], k, offset);
    }
    return rows[out];
  };
  auto const printed = [](numbers const& in, numbers& out, std::size_t k, std::size_t offset) {
    if (k >= offset) out[k] += in[k - offset];
    else out[k] = in[k];
  };
  auto const mended = [](numbers const& in, numbers& out, std::size_t k, std::size_t offset) {
    out[k] = k >= offset ? in[k - offset] + in[k] : in[k];
  };
  EXPECT_EQ(shifted_first(printed), (numbers{0, 0, 1, 7, 7, 0, 5, 8}));
  EXPECT_EQ(shifted_first(mended), (numbers{0, 3, 4, 11, 11, 15, 16, 22}));
  // Ours writes the whole row in every step: what lay there before does not matter.
  EXPECT_EQ(run_network(network::kogge_stone, {8, 8}, sum{}, example, 0).inclusive,
            run_network(network::kogge_stone, {8, 8}, sum{}, example, rubbish).inclusive);
}

TEST(errata, naive_scan_begins_a_lane_too_late)
{
  auto const guarded_by = [](std::size_t factor) {
    return naive_as_printed([&](numbers const& in, numbers& out, std::size_t k, std::size_t offset) {
      out[k] = k >= factor * offset ? in[k - offset] + in[k] : in[k];
    });
  };
  EXPECT_EQ(guarded_by(2), (numbers{3, 1, 8, 7, 12, 12, 11, 14})) << "as printed: k >= 2^d";
  EXPECT_EQ(guarded_by(1), (numbers{3, 4, 11, 11, 15, 16, 22, 25})) << "k >= 2^(d-1)";
  EXPECT_EQ(run_network(network::kogge_stone, {8, 8}, sum{}, example, rubbish).inclusive, guarded_by(1));
}

/// How many lanes that work together meet in one bank, at worst, on the way through a tree of n words.
template <class Padding>
int worst_conflict(int n, int banks, Padding const& padding)
{
  int worst = 0;
  for (int s = 1; s < n; s *= 2)
    for (int const operand : {0, s})
      for (int begin = 0; begin < n / (2 * s); begin += banks) {
        std::map<int, int> hits;
        for (int t = begin; t < begin + banks && t < n / (2 * s); ++t) {
          int const word = 2 * s * (t + 1) - 1 - operand;
          worst          = std::max(worst, ++hits[(word + padding(word)) % banks]);
        }
      }
  return worst;
}

template <class Padding>
bool gives_places_of_their_own(int n, Padding const& padding)
{
  std::set<int> places;
  for (int i = 0; i < n; ++i) places.insert(i + padding(i));
  return int(places.size()) == n;
}

TEST(errata, padding_macro_shifts_by_the_wrong_number_and_adds_too_soon)
{
  // n >> NUM_BANKS + n >> 2 * LOG_NUM_BANKS, with 16 banks: + binds before >>.
  auto const shift   = [](int x, int by, bool modulo) { return modulo ? x >> by % 32 : by > 31 ? 0 : x >> by; };
  auto const printed = [&](bool modulo) { return [=](int n) { return shift(shift(n, 16 + n, modulo), 8, modulo); }; };
  auto const parentheses_alone = [](int n) { return (n >> 16) + (n >> 8); };
  for (int const n : {512, 1024}) {
    EXPECT_EQ(worst_conflict(n, 16, [](int) { return 0; }), 16) << "no padding";
    EXPECT_EQ(worst_conflict(n, 16, printed(false)), 16) << "shifts that saturate pad nothing";
    EXPECT_FALSE(gives_places_of_their_own(n, printed(true))) << "shifts modulo 32 put two words in one place";
    EXPECT_EQ(worst_conflict(n, 16, parentheses_alone), 16);
  }
  // Ours, with 32 banks: no conflict at all, and no two words in one place.
  auto const padding = [](int i) { return classic::padding_before(i); };
  EXPECT_EQ(worst_conflict(1024, 32, [](int) { return 0; }), 32);
  EXPECT_EQ(worst_conflict(1024, 32, padding), 1);
  EXPECT_TRUE(gives_places_of_their_own(1024, padding));
  EXPECT_LE(1024 + classic::padding_before(1023), 2 * 1024) << "what a block has for it";
}

}  // namespace
