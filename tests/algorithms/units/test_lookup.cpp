// SPDX-License-Identifier: Apache-2.0
#include "seed.hpp"

#include <onepass/huffman/codebook/lookup.hpp>
#include <onepass/huffman/codebook/walk.hpp>

#include <gtest/gtest.h>

using namespace onepass::huffman;

namespace {

/// Codes of every shape: few symbols and many, alike and most unlike.
std::vector<code_lengths> some_codes()
{
  test::random_words engine(test::seed());
  std::vector<code_lengths> all;
  for (int const used : {1, 2, 3, 16, 40, 200, 256})
    for (int const spread : {0, 3, 30}) {
      counts c{};
      for (int k = 0; k < used; ++k)
        c[used == 256 ? std::size_t(k) : engine() % alphabet] +=
            1 + (engine() >> (63 - engine() % std::uint64_t(spread + 1)));
      all.push_back(limited_lengths(c, used < 200 && spread == 3 ? 8 : 12));
    }
  return all;
}

/// The symbols that the walk finds in a window, and where each ends, while they end inside.
std::vector<std::pair<int, int>> walked(codes const& all, std::uint32_t window)
{
  std::vector<std::uint8_t> const bytes{std::uint8_t(window), std::uint8_t(window >> 8)};
  std::vector<std::pair<int, int>> found;
  for (std::size_t at = 0;;) {
    int const symbol = walk(all, bytes, at);
    if (symbol < 0 || at > window_bits) return found;
    found.emplace_back(symbol, int(at));
  }
}

TEST(lookup, every_entry_is_what_the_walk_finds)
{
  for (auto const& lengths : some_codes()) {
    auto const all   = canonical(lengths);
    auto const pairs = make_pair_table(lengths);
    auto const many  = make_many_table(lengths);
    for (std::uint32_t w = 0; w < windows; ++w) {
      auto const found = walked(all, w);
      ASSERT_FALSE(found.empty());

      pair_entry const pair{pairs[w]};
      ASSERT_EQ(pair.first(), found[0].first);
      ASSERT_EQ(pair.first_taken(), found[0].second);
      ASSERT_EQ(pair.single(), found.size() < 2);
      ASSERT_EQ(pair.second(), pair.single() ? 0 : found[1].first);
      ASSERT_EQ(pair.taken(), pair.single() ? found[0].second : found[1].second);
      ASSERT_EQ(pair.word & 0x00e000a0u, 0u);  // positions add entries up: these bits would disturb them

      many_entry const entry{many[w]};
      int const n = std::min(int(found.size()), many_entry::most);
      ASSERT_EQ(entry.symbols(), n);
      ASSERT_EQ(entry.taken(), found[std::size_t(n - 1)].second);
      for (int k = 0; k < n; ++k) ASSERT_EQ(entry.symbol(k), found[std::size_t(k)].first);
    }
  }
}

TEST(lookup, encodes_what_the_walk_reads)
{
  for (auto const& lengths : some_codes()) {
    auto const all   = canonical(lengths);
    auto const table = make_encode_table(lengths);
    for (std::size_t s = 0; s < alphabet; ++s) {
      ASSERT_EQ(table[s] >> 16, lengths[s]);
      if (!lengths[s]) continue;
      std::size_t at = 0;
      ASSERT_EQ(walk(all, {std::uint8_t(table[s]), std::uint8_t(table[s] >> 8 & 15)}, at), int(s));
      ASSERT_EQ(at, lengths[s]);
    }
  }
}

TEST(lookup, refuses_what_is_no_complete_code_of_twelve_bits)
{
  code_lengths gap{}, deep{};
  gap[0] = 1;
  for (std::uint8_t s = 0; s < 13; ++s) deep[s] = std::uint8_t(s + 1);
  deep[13] = 13;
  EXPECT_THROW(make_pair_table(gap), onepass::precondition_error);
  EXPECT_THROW(make_many_table(gap), onepass::precondition_error);
  EXPECT_THROW(make_encode_table(deep), onepass::precondition_error);
}

}  // namespace
