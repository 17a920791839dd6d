// SPDX-License-Identifier: Apache-2.0
// Damaged data decodes inside its memory, to the same wrong items on every backend: those that a reader bit by bit
// finds.
#include "coded_items.hpp"
#include "guarded.hpp"

#include <onepass/huffman/huffman.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

template <class Split>
struct damage {
  static constexpr int per_lane = 32;

  explicit damage(extent n, value_mix how = value_mix::normal)
      : items(spread_items<Split>(n, how))
  {
    huffman::counts c{};
    for (auto const x : items) {
      symbols.push_back(symbol_of(Split{}, x));
      ++c[std::size_t(symbols.back())];
    }
    lengths = huffman::limited_lengths(c);
    coded   = write_reference(symbols, huffman::canonical(lengths), per_lane, Split::unit);
  }

  /// What this row makes of it, against what the reader bit by bit does.
  void expect_same(reference const& wrong) const
  {
    auto const n = extent(items.size());
    std::vector<std::uint32_t> words(wrong.bytes.size() / 4);
    if (!words.empty()) std::memcpy(words.data(), wrong.bytes.data(), words.size() * 4);
    guarded<std::uint32_t> const index(wrong.index), there(words);
    guarded<std::uint8_t> const rest(rest_of(Split{}, items));
    guarded<typename Split::item> const out(n);
    huffman::tables<exec_space> const book(exec_space{}, lengths);
    huffman::decode<Split>(
        row(), book,
        {.items = n, .per_lane = per_lane, .index = index.view(), .words = there.view(), .rest = rest.view()},
        out.view());
    auto const read = read_reference(wrong, n, huffman::canonical(lengths), per_lane, Split::unit);
    auto const now  = out.items();
    for (std::size_t i = 0; i < now.size(); ++i) ASSERT_EQ(symbol_of(Split{}, now[i]), read[i]) << "item " << i;
    ASSERT_TRUE(out.canaries_alive());
  }

  std::vector<typename Split::item> items;
  std::vector<int> symbols;
  huffman::code_lengths lengths;
  reference coded;
};

TEST(huffman_damage, every_bit_flipped)
{
  damage<split::bf16> const d(70);
  d.expect_same(d.coded);
  for (std::size_t bit = 0; bit < d.coded.bytes.size() * 8; ++bit) {
    auto wrong = d.coded;
    wrong.bytes[bit / 8] ^= std::uint8_t(1u << bit % 8);
    SCOPED_TRACE("bit " + std::to_string(bit));
    ASSERT_NO_FATAL_FAILURE(d.expect_same(wrong));
  }
  for (std::size_t bit = 0; bit < d.coded.index.size() * 32; ++bit) {
    auto wrong = d.coded;
    wrong.index[bit / 32] ^= 1u << bit % 32;
    SCOPED_TRACE("bit " + std::to_string(bit) + " of the index");
    ASSERT_NO_FATAL_FAILURE(d.expect_same(wrong));
  }
}

TEST(huffman_damage, cut_anywhere)
{
  damage<split::e4m3> const d(3000);
  for (std::size_t units = 0; units < d.coded.bytes.size() / 16; units += 3) {
    auto wrong = d.coded;
    wrong.bytes.resize(units * 16);
    SCOPED_TRACE(std::to_string(units) + " units");
    ASSERT_NO_FATAL_FAILURE(d.expect_same(wrong));
  }
}

TEST(huffman_damage, nothing_but_noise)
{
  random_words engine(seed());
  for (int trial = 0; trial < 20; ++trial) {
    damage<split::bytes> const d(1024 + extent(engine() % 2000), trial % 2 ? value_mix::rare_tail : value_mix::uniform);
    auto wrong = d.coded;
    for (auto& b : wrong.bytes)
      if (trial % 4 < 2 || engine() % 8 == 0) b = std::uint8_t(engine());
    if (trial % 5 == 0)
      for (auto& i : wrong.index) i = std::uint32_t(engine() % (wrong.bytes.size() / 8));
    SCOPED_TRACE("trial " + std::to_string(trial));
    ASSERT_NO_FATAL_FAILURE(d.expect_same(wrong));
  }
}

}  // namespace
