// SPDX-License-Identifier: Apache-2.0
#include "golden_code.hpp"
#include "refusal.hpp"
#include "seed.hpp"

#include <onepass/huffman/codebook/print.hpp>
#include <onepass/huffman/codebook/walk.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

using namespace onepass::huffman;

namespace {

std::uint64_t kraft(code_lengths const& lengths)
{
  std::uint64_t sum = 0;
  for (auto const l : lengths)
    if (l) sum += std::uint64_t(1) << (32 - l);
  return sum;
}

/// The least cost of a code of at most `limit` bits for descending weights, by trying every row of ascending lengths.
std::uint64_t least_cost(std::vector<std::uint64_t> const& descending, int limit)
{
  std::uint64_t best                                                 = ~std::uint64_t(0);
  std::function<void(std::size_t, int, int, std::uint64_t)> const go = [&](std::size_t k, int shortest, int room,
                                                                           std::uint64_t cost) {
    if (k == descending.size()) {
      best = std::min(best, cost);
      return;
    }
    for (int l = shortest; l <= limit; ++l) {
      int const taken = 1 << (limit - l);
      if (taken <= room) go(k + 1, l, room - taken, cost + descending[k] * std::uint64_t(l));
    }
  };
  go(0, 1, 1 << limit, 0);
  return best;
}

counts random_counts(test::random_words& engine)
{
  counts c{};
  int const used = int(engine() % 256) + 1, spread = int(engine() % 40);
  for (int k = 0; k < used; ++k) c[engine() % alphabet] = engine() >> (24 + engine() % std::uint64_t(spread + 1));
  return c;
}

codes golden() { return test::golden_codes(); }

code_lengths golden_lengths()
{
  code_lengths lengths{};
  for (std::size_t s = 0; s < alphabet; ++s) lengths[s] = golden()[s].length;
  return lengths;
}

counts golden_counts()
{
  counts c{};
  for (std::size_t s = 0; s < 17; ++s) c[s] = std::uint64_t(1) << (13 - golden_lengths()[s]);
  return c;
}

TEST(codebook, finds_the_lengths_of_the_literature)
{
  code_lengths const expected{13, 12, 11, 10, 9, 8, 7, 7, 5, 4, 3, 3, 2, 2, 3, 7, 13};
  EXPECT_EQ(golden_lengths(), expected);
  EXPECT_EQ(tree_lengths(golden_counts()), expected);
  EXPECT_EQ(limited_lengths(golden_counts(), 13), expected);
  EXPECT_EQ(entropy(golden_counts()), average_length(golden_counts(), expected));  // all shares are powers of two
  EXPECT_NO_THROW(require_complete(expected, 13));
  auto const limited = limited_lengths(golden_counts());
  EXPECT_EQ(*std::max_element(limited.begin(), limited.end()), 12);
  // The four rarest had 13, 13, 12 and 11 bits and weigh 1, 1, 2 and 4.
  EXPECT_EQ(coded_bits(golden_counts(), limited), coded_bits(golden_counts(), expected) + 2);
}

TEST(codebook, writes_and_walks_the_stream_of_the_literature)
{
  auto const symbols = test::golden_symbols();
  bit_writer writer(bit_order::highest_first);
  for (int const s : symbols) writer.put(golden()[std::size_t(s)]);
  EXPECT_EQ(writer.bits(), 159u);
  EXPECT_EQ(writer.bytes(), test::golden_stream());
  std::size_t at = 0;
  for (int const s : symbols) EXPECT_EQ(walk(golden(), writer.bytes(), at, bit_order::highest_first), s);
  EXPECT_EQ(at, 159u);
}

TEST(codebook, lengths_are_optimal)
{
  test::random_words engine(test::seed());
  for (int trial = 0; trial < 300; ++trial) {
    std::size_t const n = 2 + engine() % 7;
    std::vector<std::uint64_t> weights;
    for (std::size_t k = 0; k < n; ++k) weights.push_back(engine() >> (40 + engine() % 23));
    std::sort(weights.begin(), weights.end());
    std::vector<std::uint64_t> const descending(weights.rbegin(), weights.rend());
    auto const cost = [&](std::vector<int> const& lengths) {
      return std::inner_product(weights.begin(), weights.end(), lengths.begin(), std::uint64_t(0));
    };
    for (int const limit : {3, 4, 7}) {
      auto const lengths = detail::package_merge(weights, limit);
      EXPECT_LE(lengths[0], limit);
      EXPECT_EQ(cost(lengths), least_cost(descending, limit)) << n << " weights, limit " << limit;
    }
    EXPECT_EQ(cost(detail::tree_depths(weights)), least_cost(descending, 7)) << n << " weights";
  }
}

TEST(codebook, codes_are_complete_and_no_longer_than_the_limit)
{
  test::random_words engine(test::seed() + 1);
  for (int trial = 0; trial < 200; ++trial) {
    auto const c       = random_counts(engine);
    auto const free    = tree_lengths(c);
    std::uint64_t cost = ~std::uint64_t(0);
    for (int limit = 8; limit <= 32; ++limit) {
      auto const lengths = limited_lengths(c, limit);
      EXPECT_NO_THROW(require_complete(lengths, limit));
      EXPECT_LE(coded_bits(c, lengths), cost) << "a longer limit costs more";
      cost = coded_bits(c, lengths);
    }
    if (*std::max_element(free.begin(), free.end()) <= 32) { EXPECT_EQ(cost, coded_bits(c, free)); }
    EXPECT_LE(entropy(c), average_length(c, free) + 1e-9);
    EXPECT_LT(average_length(c, free), entropy(c) + 1 + 1e-9);
  }
}

TEST(codebook, two_symbols_always_have_a_code)
{
  counts none{}, one{}, first{};
  one[77]  = 5;
  first[0] = 1;
  for (auto const& [c, a, b] : {std::tuple(none, 0, 1), std::tuple(one, 0, 77), std::tuple(first, 0, 1)})
    for (auto const& lengths : {limited_lengths(c), tree_lengths(c)}) {
      code_lengths expected{};
      expected[std::size_t(a)] = expected[std::size_t(b)] = 1;
      EXPECT_EQ(lengths, expected);
    }
}

TEST(codebook, all_symbols_alike_take_eight_bits)
{
  counts c;
  c.fill(3);
  for (auto const l : limited_lengths(c, 8)) EXPECT_EQ(l, 8);
}

TEST(codebook, a_tree_may_be_deeper_than_any_limit)
{
  counts c{};
  c[0] = c[1] = 1;
  for (std::size_t s = 2; s < 60; ++s) c[s] = c[s - 1] + c[s - 2];  // Fibonacci: every join takes the node just made
  auto const lengths = tree_lengths(c);
  EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), 59);
  EXPECT_EQ(kraft(limited_lengths(c)), std::uint64_t(1) << 32);
}

TEST(codebook, canonical_codes_ascend)
{
  code_lengths lengths{};
  lengths[5] = 2, lengths[1] = 2, lengths[9] = 1;
  auto const all = canonical(lengths);
  EXPECT_EQ(all[9], (code{0b0, 1}));
  EXPECT_EQ(all[1], (code{0b10, 2}));
  EXPECT_EQ(all[5], (code{0b11, 2}));
  EXPECT_EQ((code{0b110100, 6}.reversed()), 0b001011u);
}

TEST(codebook, lengths_travel_in_half_a_byte_each)
{
  test::random_words engine(test::seed() + 2);
  for (int trial = 0; trial < 20; ++trial) {
    auto const lengths = limited_lengths(random_counts(engine));
    EXPECT_EQ(unpacked(packed(lengths)), lengths);
  }
  code_lengths two{};
  two[2] = 12, two[3] = 1;
  EXPECT_EQ(packed(two)[1], 0x1c);
}

void expect_refused(code_lengths const& lengths, int limit, std::string const& sentence)
{
  auto const said = test::refusal([&] { require_complete(lengths, limit); });
  EXPECT_NE(said.find(sentence), std::string::npos) << said;
}

TEST(codebook, lengths_that_are_no_code_are_refused)
{
  auto lengths = golden_lengths();
  expect_refused(lengths, 12, "symbol 0 has a code of 13 bits; at most 12");
  lengths[16] = 0;
  expect_refused(lengths, 13, "must be complete");
  lengths[16] = 12;
  expect_refused(lengths, 13, "too short");
  lengths.fill(1);
  expect_refused(lengths, 13, "too short");
  expect_refused({}, 12, "must be complete");
  EXPECT_THROW(limited_lengths({}, 7), onepass::precondition_error);
}

TEST(codebook, prints_a_line_a_code)
{
  counts c{};
  c[65] = 3, c[66] = 1;
  std::ostringstream out;
  print_codebook(out, c, limited_lengths(c));
  EXPECT_EQ(out.str(), "bits  code          symbol         count   share\n"
                       "   1  0                 65             3  0.7500\n"
                       "   1  1                 66             1  0.2500\n"
                       "entropy 0.8113, this code 1.0000, without a limit 1.0000 bits a symbol\n");
}

}  // namespace
