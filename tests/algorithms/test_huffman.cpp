// SPDX-License-Identifier: Apache-2.0
#include "coded_items.hpp"
#include "guarded.hpp"
#include "refusal.hpp"

#include <onepass/huffman/huffman.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

template <class T>
using view = Kokkos::View<T*, memory_space>;

/// Everything of a coded block in guarded memory.
template <class Split>
struct guarded_block {
  explicit guarded_block(extent n, int per_lane)
      : layout(huffman::layout_of<Split>(n, per_lane))
      , index(layout.tiles() + 1)
      , words(layout.tiles() * layout.most_tile_words())
      , rest(split::rest_layout<Split>{n}.bytes())
  {}
  huffman::coded<exec_space> coded() const
  {
    return {.items    = layout.items,
            .per_lane = layout.per_lane,
            .index    = index.view(),
            .words    = words.view(),
            .rest     = rest.view()};
  }
  bool canaries_alive() const { return index.canaries_alive() && words.canaries_alive() && rest.canaries_alive(); }

  huffman::block_layout layout;
  guarded<std::uint32_t> index, words;
  guarded<std::uint8_t> rest;
};

template <class Split>
std::vector<int> symbols_in(std::vector<typename Split::item> const& items)
{
  std::vector<int> symbols;
  for (auto const x : items) symbols.push_back(symbol_of(Split{}, x));
  return symbols;
}

template <class Split>
huffman::counts counts_of(std::vector<typename Split::item> const& items)
{
  huffman::counts c{};
  for (int const s : symbols_in<Split>(items)) ++c[std::size_t(s)];
  return c;
}

std::vector<std::uint8_t> bytes_of(std::vector<std::uint32_t> const& words)
{
  std::vector<std::uint8_t> bytes;
  for (auto const w : words)
    for (int b = 0; b < 4; ++b) bytes.push_back(std::uint8_t(w >> 8 * b));
  return bytes;
}

template <class Split>
class huffman_of : public testing::Test {};
using splits = testing::Types<split::bytes, split::bf16, split::f16, split::f32, split::e4m3>;
TYPED_TEST_SUITE(huffman_of, splits);

TYPED_TEST(huffman_of, counts_symbols)
{
  for (extent const n : {0, 1, 15, 17, 1000, 70001})
    for (extent const shift : {0, 1}) {
      auto const items = spread_items<TypeParam>(n, value_mix::normal);
      guarded<typename TypeParam::item> const in(items, shift);
      guarded<std::uint64_t> const result(256);
      huffman::count<TypeParam>(row(), in.view(), result.view());
      auto const expected = counts_of<TypeParam>(items);
      ASSERT_EQ(result.items(), std::vector<std::uint64_t>(expected.begin(), expected.end())) << "n = " << n;
      ASSERT_TRUE(result.canaries_alive());
    }
}

/// The row, and encoding in several kernels where the row does it in one.
auto ways_to_encode()
{
  std::vector ways{row()};
  if (std::is_same_v<ONEPASS_ROW_BACKEND, onepass::kokkos_backend>)
    ways.push_back(row().by(onepass::schedule::two_pass));
  return ways;
}

/// Encodes, compares every byte with the reference, decodes, compares every item.
template <class Split>
void expect_round_trip(extent n, value_mix how, int per_lane, extent shift = 0)
{
  SCOPED_TRACE("n = " + std::to_string(n) + ", " + name_of(how) + ", " + std::to_string(per_lane) + " a lane, shift "
               + std::to_string(shift));
  using item         = typename Split::item;
  auto const items   = spread_items<Split>(n, how);
  auto const lengths = huffman::limited_lengths(counts_of<Split>(items));
  huffman::tables<exec_space> const book(exec_space{}, lengths);
  auto const expected = write_reference(symbols_in<Split>(items), huffman::canonical(lengths), per_lane, Split::unit);

  guarded<item> const in(items, shift), out(n, shift);
  guarded_block<Split> block(n, per_lane);
  for (auto const& place : ways_to_encode()) {
    block = guarded_block<Split>(n, per_lane);
    huffman::encode<Split>(place, book, in.view(), block.coded());
    ASSERT_EQ(block.index.items(), expected.index);
    auto bytes = bytes_of(block.words.items());
    bytes.resize(expected.bytes.size());
    ASSERT_TRUE(bytes == expected.bytes) << "the first difference is at byte "
                                         << std::mismatch(bytes.begin(), bytes.end(), expected.bytes.begin()).first
                                                - bytes.begin();
    auto const rest = block.rest.items();
    ASSERT_EQ(rest.size(), rest_of(Split{}, items).size());
    ASSERT_TRUE(rest == rest_of(Split{}, items));
  }

  auto coded = block.coded();
  huffman::decode<Split>(row(), book, coded, out.view());
  ASSERT_TRUE(out.items() == items);
  for (std::size_t t = 0; t + 1 < expected.index.size(); ++t)
    coded.longest_tile = std::max(coded.longest_tile, (expected.index[t + 1] - expected.index[t]) * 4);
  coded.words = Kokkos::subview(block.words.view(), std::pair<std::size_t, std::size_t>(0, expected.bytes.size() / 4));
  Kokkos::deep_copy(out.view(), item(0x5a));
  huffman::decode<Split>(row(), book, coded, out.view());
  ASSERT_TRUE(out.items() == items);
  ASSERT_TRUE(block.canaries_alive() && out.canaries_alive());
}

TYPED_TEST(huffman_of, every_backend_writes_the_bytes_of_the_format)
{
  for (extent const n : {0, 1, 7, 8, 9, 16, 17, 255, 257, 512, 1000, 1023, 1024, 1025, 5000, 33 * 1024 + 77})
    expect_round_trip<TypeParam>(n, value_mix::normal, 32);
  for (int const per_lane : {64, 128, 256})
    for (extent const more : {-1, 0, 1, 300})
      expect_round_trip<TypeParam>(3 * 32 * per_lane + more, value_mix::normal, per_lane);
}

TYPED_TEST(huffman_of, every_spread_of_symbols)
{
  for (auto const how : {value_mix::one_value, value_mix::two_values, value_mix::uniform, value_mix::rare_tail})
    for (int const per_lane : {32, 128, 256}) expect_round_trip<TypeParam>(2 * 32 * per_lane + 333, how, per_lane);
}

TYPED_TEST(huffman_of, views_that_begin_anywhere)
{
  for (extent const shift : {1, 3}) expect_round_trip<TypeParam>(9000, value_mix::normal, 64, shift);
}

TEST(huffman, strings_of_very_unlike_lengths_are_rounded_up)
{
  // Lane 0 has the shortest codes alone and lane 1 the longest: the difference does not fit a byte.
  auto const unit = split::bytes::unit;
  std::vector<std::uint8_t> items(32 * 256);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = std::uint8_t(i / unit % 32 == 1 ? 2 + i % 60 : i / unit % 32 == 5 ? i % 3 : 0);
  huffman::counts c{};
  for (auto const x : items) c[x] += x == 0 ? 100 : 1;
  auto const lengths = huffman::limited_lengths(c);
  huffman::tables<exec_space> const book(exec_space{}, lengths);
  auto const expected = write_reference(symbols_in<split::bytes>(items), huffman::canonical(lengths), 256, unit);
  ASSERT_GT(expected.bytes[2], 0) << "the granule is one bit";
  guarded<std::uint8_t> const in(items), out(extent(items.size()));
  guarded_block<split::bytes> const block(extent(items.size()), 256);
  huffman::encode<split::bytes>(row(), book, in.view(), block.coded());
  auto bytes = bytes_of(block.words.items());
  bytes.resize(expected.bytes.size());
  EXPECT_TRUE(bytes == expected.bytes);
  huffman::decode<split::bytes>(row(), book, block.coded(), out.view());
  EXPECT_TRUE(out.items() == items);
}

TEST(huffman, a_tile_that_does_not_fit_is_not_written)
{
  auto const items   = spread_items<split::bf16>(5 * 1024, value_mix::normal);
  auto const lengths = huffman::limited_lengths(counts_of<split::bf16>(items));
  huffman::tables<exec_space> const book(exec_space{}, lengths);
  auto const expected = write_reference(symbols_in<split::bf16>(items), huffman::canonical(lengths), 32, 8);
  guarded<std::uint16_t> const in(items);
  guarded_block<split::bf16> const block(5 * 1024, 32);
  guarded<std::uint32_t> const few(extent(expected.index[3] * 4 - 4));
  auto coded  = block.coded();
  coded.words = few.view();
  huffman::encode<split::bf16>(row(), book, in.view(), coded);
  EXPECT_EQ(block.index.items(), expected.index);
  EXPECT_TRUE(few.canaries_alive());
  auto bytes = bytes_of(few.items());
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + expected.index[2] * 16, expected.bytes.begin()));
  for (std::size_t b = expected.index[2] * 16; b < bytes.size(); ++b) ASSERT_EQ(bytes[b], 0xa5);
}

TEST(huffman, refuses_what_does_not_fit)
{
  exec_space const exec;
  huffman::tables<exec_space> const book(exec, huffman::limited_lengths({}));
  guarded<std::uint16_t> const in(1000), out(999);
  auto const block = huffman::make_coded<split::bf16>(exec, 1000, 32);
  auto const says  = [&](auto const& call, char const* sentence) {
    EXPECT_NE(refusal(call).find(sentence), std::string::npos) << refusal(call);
  };
  says([&] { huffman::decode<split::bf16>(row(), book, block, out.view()); }, "999 items and 1000");
  auto wrong     = block;
  wrong.per_lane = 48;
  says([&] { huffman::encode<split::bf16>(row(), book, in.view(), wrong); }, "48 symbols a lane");
  wrong       = block;
  wrong.index = view<std::uint32_t>("index", 1);
  says([&] { huffman::encode<split::bf16>(row(), book, in.view(), wrong); }, "the index has 1 words");
  wrong      = block;
  wrong.rest = view<std::uint8_t>("rest", 10);
  says([&] { huffman::encode<split::bf16>(row(), book, in.view(), wrong); }, "the rest has 10 bytes");
  wrong              = block;
  wrong.longest_tile = 1 << 20;
  says([&] { huffman::decode<split::bf16>(row(), book, wrong, in.view()); }, "longest tile");
  EXPECT_TRUE(out.untouched());
}

}  // namespace
