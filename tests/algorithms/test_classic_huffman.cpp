// SPDX-License-Identifier: Apache-2.0
// The layout of DFloat11 and of its form for FP8: written as the original does, read on every backend, damaged or not.
#include "coded_items.hpp"
#include "golden_code.hpp"
#include "guarded.hpp"
#include "refusal.hpp"

#include <onepass/classic/huffman.hpp>

#include <gtest/gtest.h>

using namespace test;
namespace dfloat11 = onepass::classic::dfloat11;

namespace {

/// What decoding gives: items over poison, and how many blocks are damaged.
template <class Split>
struct outcome {
  std::vector<typename Split::item> items{};
  std::uint32_t damaged                                  = 0;
  friend bool operator==(outcome const&, outcome const&) = default;
};

template <class Split>
outcome<Split> decoded(dfloat11::block<Split> const& block)
{
  dfloat11::coded<Split, exec_space> const coded(exec_space{}, block);
  guarded<typename Split::item> const out(coded.items());
  single<std::uint32_t> const damaged(77);
  dfloat11::decode(row(), coded, out.view(), damaged.view());
  EXPECT_TRUE(out.canaries_alive());
  return {out.items(), damaged.value()};
}

/// The same on the calling thread.
template <class Split>
outcome<Split> expected_of(dfloat11::block<Split> const& block)
{
  using host = Kokkos::DefaultHostExecutionSpace;
  dfloat11::coded<Split, host> const coded(host{}, block);
  Kokkos::View<typename Split::item*, host> const out("out", std::size_t(coded.items()));
  std::memset(static_cast<void*>(out.data()), 0xa5, out.size() * sizeof(typename Split::item));
  Kokkos::View<std::uint32_t, host> const damaged("damaged");
  dfloat11::decode(onepass::serially(), coded, out, damaged);
  return {{out.data(), out.data() + out.size()}, damaged()};
}

/// The stream of some items and, from where each code begins, gaps and positions: bit by bit.
template <class Split>
void put_stream(dfloat11::block<Split>& block, std::vector<typename Split::item> const& items,
                huffman::codes const& all)
{
  constexpr int width = std::is_same_v<Split, split::bf16> ? 5 : 4;
  huffman::bit_writer stream(huffman::bit_order::highest_first), gaps(huffman::bit_order::highest_first);
  std::size_t threads = 0;
  block.positions.clear();
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto const bit = stream.bits();
    if (bit / 64 == threads) {
      if (threads++ % 512 == 0) block.positions.push_back(typename dfloat11::block<Split>::position(i));
      gaps.put({std::uint32_t(bit % 64), width});
    }
    ASSERT_LT(bit / 64, threads);
    stream.put(all[std::size_t(symbol_of(Split{}, items[i]))]);
  }
  block.codes = stream.bytes();
  while (block.positions.size() <= (block.codes.size() + 4095) / 4096)  // no code may begin in the last block
    block.positions.push_back(typename dfloat11::block<Split>::position(items.size()));
  block.gaps = gaps.bytes();
  block.gaps.resize((block.codes.size() + 4095) / 4096 * 512 * width / 8);
}

template <class Split>
void expect_format(dfloat11::block<Split> const& block, std::vector<typename Split::item> const& items)
{
  dfloat11::block<Split> expected;
  ASSERT_NO_FATAL_FAILURE(put_stream(expected, items, huffman::canonical(block.tables.lengths)));
  ASSERT_EQ(block.codes, expected.codes);
  ASSERT_EQ(block.gaps, expected.gaps);
  ASSERT_EQ(block.positions, expected.positions);
}

template <class Split>
void expect_round_trip(extent n, value_mix how)
{
  SCOPED_TRACE("n = " + std::to_string(n) + ", " + name_of(how));
  auto const items = spread_items<Split>(n, how);
  bool const bytes = how != value_mix::uniform || std::is_same_v<Split, split::e4m3>;
  auto const block =
      dfloat11::write<Split>(items.data(), n, bytes ? dfloat11::table_entries::bytes : dfloat11::table_entries::wide);
  EXPECT_EQ(block.luts.empty(), !bytes);
  ASSERT_NO_FATAL_FAILURE(expect_format(block, items));
  auto const got = decoded(block);
  ASSERT_EQ(got.damaged, 0u);
  ASSERT_TRUE(got.items == items);
}

template <class Split>
class classic_huffman : public testing::Test {};
using splits = testing::Types<split::bf16, split::e4m3>;
TYPED_TEST_SUITE(classic_huffman, splits);

TYPED_TEST(classic_huffman, round_trips)
{
  for (auto const how :
       {value_mix::one_value, value_mix::two_values, value_mix::uniform, value_mix::normal, value_mix::rare_tail})
    for (extent const n : {0, 1, 2, 31, 1000, 40001}) expect_round_trip<TypeParam>(n, how);
}

TEST(classic_huffman, the_last_code_may_end_in_a_block_of_its_own)
{
  std::vector<std::uint16_t> items(32767, 127 << 7);  // codes of 2, 1, 1, ..., 2 bits: one more than 4096 bytes hold
  items.front() = 126 << 7, items.back() = 128 << 7;
  auto const block = dfloat11::write<split::bf16>(items.data(), extent(items.size()));
  ASSERT_EQ(block.codes.size(), 4097u);
  ASSERT_NO_FATAL_FAILURE(expect_format(block, items));
  EXPECT_TRUE((decoded(block) == outcome<split::bf16>{items, 0}));
}

TEST(classic_huffman, reads_the_stream_of_the_literature)
{
  dfloat11::block<split::bf16> block{.items = 30,
                                     .luts  = dfloat11::narrowed(dfloat11::make_bytewise_tables(golden_codes())),
                                     .codes = golden_stream()};
  block.gaps.assign(320, 0);
  block.gaps[0] = 1, block.gaps[1] = 2;  // 0, 4 and 1
  block.positions = {0, 30};
  std::vector<std::uint16_t> expected;
  for (int const s : golden_symbols()) {
    block.rest.push_back(std::uint8_t(expected.size() * 9));
    expected.push_back(std::uint16_t((block.rest.back() & 128) << 8 | s << 7 | (block.rest.back() & 127)));
  }
  EXPECT_TRUE((decoded(block) == outcome<split::bf16>{expected, 0}));
  for (int slot = 256; slot < 264; ++slot)
    block.luts[std::size_t(slot)] = 13;  // the end marker's slots, as the literature fills them
  block.luts[2 * 256 + 16] = 0;
  EXPECT_TRUE((decoded(block) == outcome<split::bf16>{expected, 0}));
}

TEST(classic_huffman, codes_of_32_bits)
{
  huffman::code_lengths lengths{};  // 1, 2, ..., 31, 32, 32
  std::vector<std::uint16_t> items;
  for (int s = 0; s < 33; ++s) {
    lengths[std::size_t(60 + s)] = std::uint8_t(std::min(s + 1, 32));
    for (int k = 0; k < (s < 16 ? 1 << s : 40); ++k) items.push_back(std::uint16_t((60 + s) << 7 | k % 128));
  }
  random_words engine(seed());
  std::shuffle(items.begin(), items.end(), engine);
  auto const all = huffman::canonical(lengths);
  dfloat11::block<split::bf16> block{.items = extent(items.size()),
                                     .luts  = dfloat11::narrowed(dfloat11::make_bytewise_tables(all))};
  for (auto const x : items) block.rest.push_back(std::uint8_t(x & 127));
  ASSERT_NO_FATAL_FAILURE(put_stream(block, items, all));
  EXPECT_TRUE((decoded(block) == outcome<split::bf16>{items, 0}));
}

TEST(classic_huffman, infinities_need_wide_tables)
{
  auto items = spread_items<split::bf16>(3000, value_mix::normal);
  items[70] = 0x7f80, items[71] = 0xffc1;
  EXPECT_NE(refusal([&] { dfloat11::write<split::bf16>(items.data(), 3000); }).find("symbol 255"), std::string::npos);
  auto const block = dfloat11::write<split::bf16>(items.data(), 3000, dfloat11::table_entries::wide);
  EXPECT_TRUE((decoded(block) == outcome<split::bf16>{items, 0}));
}

TEST(classic_huffman, refuses_parts_that_do_not_fit)
{
  auto const items = spread_items<split::bf16>(30000, value_mix::normal);
  auto const good  = dfloat11::write<split::bf16>(items.data(), 30000);
  auto const says  = [&](auto const& damage, char const* sentence) {
    auto wrong = good;
    damage(wrong);
    auto const text = refusal([&] { decoded(wrong); });
    EXPECT_NE(text.find(sentence), std::string::npos) << text;
  };
  says([](auto& b) { b.rest.pop_back(); }, "signs and mantissas");
  says([](auto& b) { b.gaps.pop_back(); }, "bytes of gaps");
  says([](auto& b) { b.codes.resize(4096); }, "output positions for 1 blocks");
  says([](auto& b) { b.positions.pop_back(); }, "output positions");
  says([](auto& b) { b.positions.back() = 29999; }, "must go from 0");
  says([](auto& b) { b.positions[1] = 40000; }, "before the one before it");
  says([](auto& b) { b.luts.pop_back(); }, "tables of");
  says([](auto& b) { b.luts.resize(256); }, "tables of");

  auto const wide     = dfloat11::write<split::bf16>(items.data(), 30000, dfloat11::table_entries::wide);
  auto const of_table = [&](auto const& damage, char const* sentence) {
    auto wrong = wide.tables;
    damage(wrong);
    auto const text = refusal([&] { dfloat11::check_rows(wrong); });
    EXPECT_NE(text.find(sentence), std::string::npos) << text;
  };
  using tables = dfloat11::bytewise_tables;
  of_table([](auto& t) { t.entries.clear(); }, "tables of 0 entries");
  of_table([](auto& t) { t.entries.push_back(0); }, "entries; give 256 a row");
  of_table([](auto& t) { t.entries[0] = tables::row_flag; }, "with row 0");
  of_table([](auto& t) { t.entries[0] = std::uint16_t(tables::row_flag + t.rows()); }, "form a tree");
  of_table([](auto& t) { t.lengths = {}; }, "a code of 0 bits does not end");
  auto wrong              = wide;
  wrong.tables.entries[0] = tables::row_flag;
  EXPECT_NE(refusal([&] { decoded(wrong); }).find("with row 0"), std::string::npos);
}

/// Whatever is in the stream: the same items, and the same verdict, as on one thread; never outside.
TEST(classic_huffman, damage_is_noticed_or_harmless)
{
  random_words engine(seed());
  auto const items = spread_items<split::bf16>(40000, value_mix::normal);
  auto const good  = dfloat11::write<split::bf16>(items.data(), 40000);
  int noticed      = 0;
  for (int trial = 0; trial < 60; ++trial) {
    auto wrong      = good;
    auto const flip = [&](auto& bytes) { bytes[engine() % bytes.size()] ^= std::uint8_t(1u << engine() % 8); };
    switch (trial % 6) {
    case 0:
      flip(wrong.codes);
      break;
    case 1:
      flip(wrong.gaps);
      break;
    case 2:
      wrong.positions[1] = std::uint32_t(engine() % 40000);
      break;
    case 3:
      for (auto& b : wrong.codes) b = std::uint8_t(engine());
      break;
    case 4:
      flip(wrong.luts);
      break;
    case 5:
      for (auto& g : wrong.gaps) g = std::uint8_t(engine());
      break;
    }
    SCOPED_TRACE("trial " + std::to_string(trial));
    outcome<split::bf16> expected, got;
    auto const verdict = refusal([&] { expected = expected_of(wrong); });
    ASSERT_EQ(refusal([&] { got = decoded(wrong); }), verdict);
    ASSERT_TRUE(got == expected);
    noticed += !verdict.empty() || got.damaged > 0;
  }
  EXPECT_GT(noticed, 30);
}

}  // namespace
