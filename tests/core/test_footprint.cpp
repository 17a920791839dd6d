// SPDX-License-Identifier: Apache-2.0
// Which memory a sequence touches, and whether two may meet.
#include "seed.hpp"

#include <onepass/footprint.hpp>

#include <gtest/gtest.h>

#include <set>

using namespace onepass;

namespace {

/// Every byte of the first `items` items.
template <class S>
std::set<std::uintptr_t> bytes_of(S const& s, extent items)
{
  std::set<std::uintptr_t> bytes;
  for (extent i = 0; i < items; ++i)
    for (std::size_t b = 0; b < sizeof(typename S::value_type); ++b)
      bytes.insert(reinterpret_cast<std::uintptr_t>(&s(i)) + b);
  return bytes;
}

bool share_bytes(std::set<std::uintptr_t> const& a, std::set<std::uintptr_t> const& b)
{
  return std::any_of(a.begin(), a.end(), [&](auto byte) { return b.count(byte) > 0; });
}

/// A footprint covers every byte of its items, and "apart" is never said of two that share one.
template <class A, class B>
void expect_safe(A const& a, B const& b)
{
  auto const mine = footprint_of(a, a.size), other = footprint_of(b, b.size);
  auto const bytes = bytes_of(a, a.size);
  if (!bytes.empty()) {
    ASSERT_EQ(mine.begin, *bytes.begin());
    ASSERT_EQ(mine.end(), *bytes.rbegin() + 1);
  }
  ASSERT_EQ(may_meet(mine, other), may_meet(other, mine));
  ASSERT_TRUE(may_meet(mine, other) || !share_bytes(bytes, bytes_of(b, b.size)));
}

TEST(footprints, never_miss_a_byte_that_two_share)
{
  test::random_words engine(test::seed());
  auto const upto = [&](extent n) { return extent(engine() % std::uint64_t(n)); };
  std::vector<std::uint32_t> memory(4000);
  for (int round = 0; round < 3000; ++round) {
    auto* const at = memory.data() + upto(300);
    contiguous<std::uint32_t> const plain{memory.data() + upto(300), upto(40)};
    strided<std::uint32_t> const every{at, upto(20), 1 + upto(9)};
    strided<std::uint16_t> const narrow{reinterpret_cast<std::uint16_t*>(memory.data() + upto(300)), upto(20),
                                        1 + upto(9)};
    extent const rows = upto(6), columns = 1 + upto(6), wide = columns + upto(3), tall = rows + upto(3);
    extent const step = 1 + upto(3);  // between the items of a row, or of a column
    by_rows<std::uint32_t> const right{memory.data() + upto(300), rows * columns, columns, wide * step, step};
    by_rows<std::uint32_t> const left{memory.data() + upto(300), rows * columns, columns, step, tall * step};
    ASSERT_NO_FATAL_FAILURE(expect_safe(plain, every));
    ASSERT_NO_FATAL_FAILURE(expect_safe(every, plain));
    ASSERT_NO_FATAL_FAILURE(expect_safe(every, narrow));
    ASSERT_NO_FATAL_FAILURE(expect_safe(right, left));
    ASSERT_NO_FATAL_FAILURE(expect_safe(right, plain));
    ASSERT_NO_FATAL_FAILURE(expect_safe(left, every));
  }
}

TEST(footprints, of_images_cover_every_byte_of_their_pixels)
{
  test::random_words engine(test::seed());
  auto const upto = [&](extent n) { return extent(engine() % std::uint64_t(n)); };
  std::vector<std::uint16_t> memory(9000);
  for (int round = 0; round < 1000; ++round) {
    raster<std::uint16_t, 2> const one{memory.data(),      upto(4),     upto(6), upto(6), upto(300),
                                       2 * (1 + upto(30)), 2 + upto(40)};
    std::set<std::uintptr_t> bytes;
    for (extent p = 0; p < one.planes; ++p)
      for (extent y = 0; y < one.rows; ++y)
        for (extent x = 0; x < one.columns; ++x)
          for (std::uintptr_t b = 0; b < 4; ++b) bytes.insert(reinterpret_cast<std::uintptr_t>(one.at(p, y, x)) + b);
    auto const made = footprint_of(one);
    ASSERT_EQ(made.blocks == 0, bytes.empty());
    if (bytes.empty()) continue;
    ASSERT_EQ(made.end(), *bytes.rbegin() + 1);
    for (auto const byte : bytes)
      ASSERT_TRUE(made.pitch == 0 ? byte - made.begin < made.width
                                  : byte >= made.begin
                                        && ((byte - made.begin) % made.pitch < made.width || made.width > made.pitch));
  }
}

template <class A, class B>
bool apart(A const& a, B const& b)
{
  return !may_meet(footprint_of(a, a.size), footprint_of(b, b.size));
}

TEST(footprints, of_columns_and_halves_of_one_matrix_are_apart)
{
  std::vector<int> memory(1000);
  auto* const m = memory.data();
  for (extent first = 0; first < 10; ++first)
    for (extent second = 0; second < 10; ++second)
      EXPECT_EQ(apart(strided<int>{m + first, 100, 10}, strided<int>{m + second, 100, 10}), first != second);
  EXPECT_TRUE(apart(by_rows<int>{m, 500, 5, 10, 1}, by_rows<int>{m + 5, 500, 5, 10, 1}));
  EXPECT_FALSE(apart(by_rows<int>{m, 500, 5, 10, 1}, by_rows<int>{m + 4, 500, 5, 10, 1}));
  EXPECT_TRUE(apart(by_rows<int>{m, 500, 10, 1, 100}, by_rows<int>{m + 50, 500, 10, 1, 100}));
  EXPECT_TRUE(apart(strided<int>{m, 5, 10}, contiguous<int>{m + 41, 9}));
  EXPECT_FALSE(apart(strided<int>{m, 5, 10}, contiguous<int>{m + 1, 40}));
  EXPECT_TRUE(apart(contiguous<int>{m, 0}, contiguous<int>{m, 10}));
}

}  // namespace
