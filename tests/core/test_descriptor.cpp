// SPDX-License-Identifier: Apache-2.0
#include <onepass/engine/descriptor.hpp>
#include <onepass/programs/segmented_scan.hpp>

#include <gtest/gtest.h>

#include <array>

using namespace onepass;

namespace {

template <int Bytes>
struct block {
  std::array<unsigned char, Bytes> bytes;
};

template <class Value>
class descriptor_of : public testing::Test {
protected:
  static Value value(unsigned char salt)
  {
    Value made;
    for (std::size_t b = 0; b < sizeof(Value); ++b)
      reinterpret_cast<unsigned char*>(&made)[b] = static_cast<unsigned char>(salt + 7 * b);
    return made;
  }
};

using values = testing::Types<block<1>, block<2>, block<3>, std::uint32_t, block<5>, std::uint64_t, block<12>,
                              block<16>, block<33>, block<64>>;
TYPED_TEST_SUITE(descriptor_of, values);

TYPED_TEST(descriptor_of, gives_back_what_it_was_made_of)
{
  for (auto const status : {tile_status::aggregate, tile_status::inclusive_prefix})
    for (std::uint32_t const e : {1u, 2u, epoch::last - 1, epoch::last}) {
      auto const value = this->value(static_cast<unsigned char>(e));
      auto const made  = descriptor<TypeParam>::make(e, status, value);
      EXPECT_EQ(made.status(e), status);
      auto const got = made.value();
      EXPECT_EQ(std::memcmp(&got, &value, sizeof value), 0);
    }
}

TYPED_TEST(descriptor_of, is_invalid_in_every_other_launch)
{
  for (std::uint32_t const e : {1u, 2u, 1000u, epoch::last}) {
    auto const made = descriptor<TypeParam>::make(e, tile_status::inclusive_prefix, this->value(1));
    for (std::uint32_t const other : {1u, 2u, 999u, 1001u, epoch::last - 1, epoch::last})
      if (other != e) { EXPECT_EQ(made.status(other), tile_status::invalid) << e << " read as " << other; }
  }
}

TYPED_TEST(descriptor_of, is_invalid_while_its_words_belong_to_different_states)
{
  using words_of   = descriptor<TypeParam>;
  auto const stale = words_of::make(4, tile_status::inclusive_prefix, this->value(1));
  auto const own   = words_of::make(5, tile_status::aggregate, this->value(2));
  auto const all   = words_of::make(5, tile_status::inclusive_prefix, this->value(3));
  for (auto const& [before, after] : {std::pair(stale, own), std::pair(own, all), std::pair(stale, all)})
    for (int moved = 0; moved < words_of::words; ++moved) {
      auto torn        = before;
      torn.word[moved] = after.word[moved];
      if (words_of::words > 1) { EXPECT_EQ(torn.status(5), tile_status::invalid) << "word " << moved; }
      torn             = after;
      torn.word[moved] = before.word[moved];
      if (words_of::words > 1) { EXPECT_EQ(torn.status(5), tile_status::invalid) << "all but word " << moved; }
    }
}

TYPED_TEST(descriptor_of, is_invalid_in_fresh_memory)
{
  descriptor<TypeParam> fresh{};
  for (std::uint32_t const e : {1u, epoch::last}) EXPECT_EQ(fresh.status(e), tile_status::invalid);
}

/// Sums beside flags, and sums that may be missing, take no words for padding.
template <class T>
void expect_forms(T const& value, int words)
{
  for (std::uint32_t const flags : {0u, 1u, 40000u})
    for (bool const present : {false, true}) {
      maybe<T> const some{value, present};
      auto const got = descriptor<maybe<T>>::make(1, tile_status::aggregate, some).value();
      EXPECT_EQ(got.value, value);
      EXPECT_EQ(got.present, present);

      auto const sum = descriptor<since_flag<T>>::make(1, tile_status::aggregate, {flags, value}).value();
      EXPECT_EQ(sum.flags, flags);
      EXPECT_EQ(sum.sum, value);
      auto const both = descriptor<since_flag<maybe<T>>>::make(1, tile_status::aggregate, {flags, some}).value();
      EXPECT_EQ(both.flags, flags);
      EXPECT_EQ(both.sum.value, value);
      EXPECT_EQ(both.sum.present, present);

      bool const restarted = flags > 0;
      auto const last = descriptor<since_restart<maybe<T>>>::make(1, tile_status::aggregate, {some, restarted}).value();
      EXPECT_EQ(last.restarted, restarted);
      EXPECT_EQ(last.value.value, value);
      EXPECT_EQ(last.value.present, present);
    }
  EXPECT_EQ(descriptor<since_flag<T>>::words, words);
  EXPECT_EQ(descriptor<since_flag<maybe<T>>>::words, words);
  EXPECT_EQ(descriptor<since_restart<maybe<T>>>::words, words);
  EXPECT_LE(descriptor<maybe<T>>::words, words);
}

TEST(descriptor, takes_no_words_for_padding)
{
  expect_forms(std::uint8_t(200), 2);
  expect_forms(std::uint32_t(4000000000), 2);
  expect_forms(2.5, 3);
  expect_forms(std::array<std::uint32_t, 3>{1, 2, 3000000000}, 4);
}

TEST(epoch, goes_from_last_to_one_and_never_to_zero)
{
  EXPECT_EQ(epoch::next(1), 2u);
  EXPECT_EQ(epoch::next(epoch::last - 1), epoch::last);
  EXPECT_EQ(epoch::next(epoch::last), 1u);
}

}  // namespace
