// SPDX-License-Identifier: Apache-2.0
#include "golden_code.hpp"
#include "refusal.hpp"
#include "seed.hpp"

#include <onepass/classic/programs/bytewise.hpp>
#include <onepass/huffman/codebook/walk.hpp>

#include <gtest/gtest.h>

using namespace onepass::huffman;
using namespace onepass::classic::dfloat11;
using test::golden_codes;
using test::refusal;

namespace {

constexpr std::uint16_t invalid = bytewise_tables::invalid, row_1 = bytewise_tables::row_flag + 1;

/// Puts a value into slots [first, last] of a row.
template <class Entries, class Value>
void put(Entries& entries, std::size_t first, std::size_t last, Value value)
{
  for (auto slot = first; slot <= last; ++slot) entries[slot] = static_cast<typename Entries::value_type>(value);
}

/// The literature's rows; of the slots that no symbol owns without the end marker, this.
std::vector<std::uint16_t> golden_rows(std::uint16_t nobodys)
{
  std::vector<std::uint16_t> rows(512);
  put(rows, 0, 31, 10), put(rows, 32, 47, 9), put(rows, 48, 55, 8), put(rows, 56, 57, 6), put(rows, 58, 58, row_1),
      put(rows, 59, 59, 5);
  put(rows, 60, 61, 15), put(rows, 62, 63, 7), put(rows, 64, 127, 12), put(rows, 128, 159, 14), put(rows, 160, 191, 11),
      put(rows, 192, 255, 13);
  put(rows, 256, 263, nobodys), put(rows, 264, 271, 0), put(rows, 272, 287, 1), put(rows, 288, 319, 2),
      put(rows, 320, 383, 3), put(rows, 384, 511, 4);
  return rows;
}

TEST(bytewise, tables_are_those_of_the_literature)
{
  auto all            = golden_codes();
  auto const with_end = make_bytewise_tables(all);
  auto expected       = golden_rows(invalid);
  put(expected, 256, 263, 16);
  EXPECT_EQ(with_end.entries, expected);
  all[16]           = {};
  auto const tables = make_bytewise_tables(all);
  EXPECT_EQ(tables.entries, golden_rows(invalid));
  code_lengths const lengths{13, 12, 11, 10, 9, 8, 7, 7, 5, 4, 3, 3, 2, 2, 3, 7};
  EXPECT_EQ(tables.lengths, lengths);
  EXPECT_THROW(narrowed(tables), onepass::precondition_error);  // the end marker's slots have no entry
  auto const bytes = narrowed(with_end);
  EXPECT_EQ(bytes.size(), 3 * 256u);
  EXPECT_EQ(bytes[58], 255);
  auto const back = widened(bytes);
  EXPECT_EQ(back.entries, with_end.entries);
  EXPECT_EQ(back.lengths, with_end.lengths);
}

TEST(bytewise, slots_that_a_writer_filled_with_anything_are_marked)
{
  auto all   = golden_codes();
  auto bytes = narrowed(make_bytewise_tables(all));
  put(bytes, 256, 263, 13);  // carried forward from the row before, as the literature's program does
  bytes[2 * 256 + 16] = 0;   // and the end marker has no length
  EXPECT_EQ(widened(bytes).entries, golden_rows(invalid));
  put(bytes, 256, 263, 200);  // a symbol without a length
  EXPECT_EQ(widened(bytes).entries, golden_rows(invalid));
  put(bytes, 256, 263, 254);  // a row that is not there
  EXPECT_EQ(widened(bytes).entries, golden_rows(invalid));
}

TEST(bytewise, every_symbol_is_found_where_the_walk_finds_it)
{
  test::random_words engine(test::seed());
  for (int trial = 0; trial < 40; ++trial) {
    counts c{};
    int const used = 2 + int(engine() % 255), spread = int(engine() % 40);
    for (int k = 0; k < used; ++k)
      c[engine() % alphabet] += 1 + (engine() >> (24 + engine() % std::uint64_t(spread + 1)));
    if (trial == 0)  // the deepest code
      for (std::size_t s = 0; s < 33; ++s) c[s * 7] = std::uint64_t(1) << s;
    auto lengths = tree_lengths(c);
    if (*std::max_element(lengths.begin(), lengths.end()) > 32) lengths = limited_lengths(c, 32);
    auto const all    = canonical(lengths);
    auto const tables = make_bytewise_tables(all);
    bytewise_view const view{tables.entries.data(), tables.lengths.data()};
    for (int k = 0; k < 500; ++k) {
      std::uint64_t const window = k < 256 ? (all[std::size_t(k)].length ? std::uint64_t(all[std::size_t(k)].bits)
                                                                               << (64 - all[std::size_t(k)].length)
                                                                         : 0)
                                                 | engine() >> 33
                                           : engine();
      std::vector<std::uint8_t> bytes;
      for (int b = 7; b >= 0; --b) bytes.push_back(std::uint8_t(window >> 8 * b));
      std::size_t at = 0;
      ASSERT_EQ(int(view.symbol(window)), walk(all, bytes, at, bit_order::highest_first)) << "trial " << trial;
      ASSERT_EQ(at, lengths[view.symbol(window)]);
    }
  }
}

TEST(bytewise, symbols_that_look_like_pointers)
{
  // Two codes of a bit each: symbols 3 and 245. Bytes cannot say it, but where row 11 is not there a reader knows.
  code_lengths lengths{};
  lengths[3] = lengths[245] = 1;
  auto const tables         = make_bytewise_tables(canonical(lengths));
  EXPECT_NE(refusal([&] { narrowed(tables); }).find("symbol 245"), std::string::npos);
  std::vector<std::uint8_t> bytes(512, 3);
  put(bytes, 128, 255, 245);
  std::copy(lengths.begin(), lengths.end(), bytes.begin() + 256);
  EXPECT_EQ(widened(bytes).entries, tables.entries);

  // Symbol 255, of one bit, in tables that have a row 1: nobody can tell.
  auto golden           = narrowed(make_bytewise_tables(golden_codes()));
  golden[2 * 256 + 255] = 1;
  EXPECT_NE(refusal([&] { widened(golden); }).find("may be a symbol or row 1"), std::string::npos);
  golden[2 * 256 + 255] = 9;  // ends in a second row, so in the first it can only be a pointer
  EXPECT_EQ(widened(golden).entries, make_bytewise_tables(golden_codes()).entries);
}

TEST(bytewise, refuses_rows_that_are_no_tree)
{
  EXPECT_THROW(widened(std::vector<std::uint8_t>(256)), onepass::precondition_error);
  EXPECT_THROW(widened(std::vector<std::uint8_t>(300)), onepass::precondition_error);
  EXPECT_THROW(widened(std::vector<std::uint8_t>(19 * 256)), onepass::precondition_error);
  std::vector<std::uint8_t> loop(3 * 256, 0);
  loop[0] = 255, loop[256] = 255;  // row 1 goes on with row 1
  EXPECT_NE(refusal([&] { widened(loop); }).find("two levels"), std::string::npos);
}

}  // namespace
