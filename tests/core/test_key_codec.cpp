// SPDX-License-Identifier: Apache-2.0
#include "seed.hpp"

#include <onepass/key_codec.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

using onepass::key_code;
using onepass::key_digit;
using onepass::key_parts;
using onepass::turned_digit;

namespace {

enum class side : signed char { left = -1, middle, right };

template <class T>
class key_codec_of : public testing::Test {};
using types = testing::Types<bool, char, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                             std::uint32_t, std::int64_t, std::uint64_t, float, double, side>;
TYPED_TEST_SUITE(key_codec_of, types);

template <class T>
std::vector<T> samples()
{
  test::random_words engine(test::seed());
  if constexpr (std::is_same_v<T, bool>) return {false, true};
  else if constexpr (std::is_enum_v<T>) return {side::left, side::middle, side::right};
  else {
    using limits = std::numeric_limits<T>;
    std::vector<T> all{limits::lowest(),
                       limits::min(),
                       limits::max(),
                       T(0),
                       T(1),
                       static_cast<T>(-1),
                       limits::denorm_min(),
                       static_cast<T>(-limits::denorm_min()),
                       limits::infinity(),
                       static_cast<T>(-limits::infinity())};
    for (int i = 0; i < 100; ++i) {
      auto const number = std::int64_t(engine());
      int const places  = int(engine() % 60);
      if constexpr (std::is_integral_v<T>) all.push_back(static_cast<T>(number >> places));
      else all.push_back(static_cast<T>(std::ldexp(double(number), places - 62)));
    }
    return all;
  }
}

TYPED_TEST(key_codec_of, orders_codes_as_keys)
{
  for (TypeParam const a : samples<TypeParam>())
    for (TypeParam const b : samples<TypeParam>())
      ASSERT_EQ(key_code(a) < key_code(b), a < b) << double(a) << " " << double(b);
}

TYPED_TEST(key_codec_of, turns_codes_back_into_keys)
{
  if constexpr (onepass::coded_key<TypeParam>) {
    for (TypeParam const key : samples<TypeParam>()) ASSERT_EQ(onepass::key_of_code<TypeParam>(key_code(key)), key);
  }
}

TEST(key_codec, takes_both_zeros_for_one_and_nans_by_their_bits)
{
  auto const infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(key_code(0.0), key_code(-0.0));
  EXPECT_EQ(key_code(0.0f), key_code(-0.0f));
  EXPECT_GT(key_code(std::nan("")), key_code(infinity));
  EXPECT_GT(key_code(std::nan("2")), key_code(std::nan("1")));
  EXPECT_LT(key_code(-std::nan("")), key_code(-infinity));
  EXPECT_LT(key_code(-std::nan("2")), key_code(-std::nan("1")));
}

TEST(key_codec, cuts_digits)
{
  EXPECT_EQ(key_digit(0x12345678u, 0, 8), 0x78u);
  EXPECT_EQ(key_digit(0x12345678u, 4, 11), 0x567u);
  EXPECT_EQ(key_digit(0x12345678u, 28, 8), 0x1u);
  EXPECT_EQ(key_digit(0x12345678u, 0, 32), 0x12345678u);
  EXPECT_EQ(key_digit(std::int8_t(-128), 0, 8), 0u);
}

TEST(key_codec, turns_digits_within_their_width)
{
  for (int width = 1; width <= 16; ++width)
    for (std::uint32_t const digit : {0u, 1u, (1u << width) - 1u, 0x5a5au & ((1u << width) - 1u)}) {
      EXPECT_EQ(turned_digit(digit, width, false), digit);
      EXPECT_EQ(turned_digit(digit, width, true), (1u << width) - 1u - digit) << width;
    }
}

TEST(key_codec, joins_parts)
{
  auto const parts = key_parts(std::uint8_t(0xab), std::uint32_t(0x12345678), std::uint16_t(0xcdef));
  EXPECT_EQ((onepass::key_bits<std::remove_cvref_t<decltype(parts)>>), 56);
  for (int width = 1; width <= 16; ++width)
    for (int at = 0; at + width <= 56; ++at)
      ASSERT_EQ(key_digit(parts, at, width), (0xab12345678cdefu >> at) & ((1u << width) - 1)) << at << " " << width;
}

TEST(key_codec, orders_parts_as_tuples)
{
  test::random_words engine(test::seed());
  for (int i = 0; i < 1000; ++i) {
    auto const random = [&] {
      return std::tuple(int(engine() % 3) - 1, double(engine() % 3) - 1, std::uint8_t(engine() % 3));
    };
    auto const a = random(), b = random();
    auto const of   = [](auto const& t) { return key_parts(std::get<0>(t), std::get<1>(t), std::get<2>(t)); };
    auto const less = [&] {
      for (int at = 96; at >= 0; at -= 8)
        if (auto const x = key_digit(of(a), at, 8), y = key_digit(of(b), at, 8); x != y) return x < y;
      return false;
    };
    ASSERT_EQ(less(), a < b);
  }
}

}  // namespace
