// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/partition_by_key.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

struct key_below {
  unsigned parts;
  template <class T>
  ONEPASS_FUNCTION unsigned operator()(T const& x) const
  {
    return key_of(x) % parts;
  }
};

template <class T>
class partition_by_key_of : public testing::Test {};
using types = testing::Types<std::uint8_t, triple>;
TYPED_TEST_SUITE(partition_by_key_of, types);

TYPED_TEST(partition_by_key_of, keeps_every_part_in_input_order)
{
  for (extent const n : sort_sizes())
    for (unsigned const parts : {1u, 2u, 3u, 100u, 256u}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(parts) + " parts");
      auto const items = keyed_items<TypeParam>(n);
      key_below const key{parts};
      auto const expected =
          gathered(items, order_of(items, [&](auto const& a, auto const& b) { return key(a) < key(b); }));
      std::vector<extent> expected_counts(parts);
      for (auto const& x : items) ++expected_counts[key(x)];

      guarded<TypeParam> const in(items, 1), out(n, 2);
      guarded<extent> const counts(parts);
      onepass::partition_by_key(row(), in.view(), out.view(), counts.view(), key);
      ASSERT_NO_FATAL_FAILURE(expect_items(out, expected));
      ASSERT_NO_FATAL_FAILURE(expect_items(counts, expected_counts));
      if (n > 5000) continue;
      onepass::partition_by_key(row(), in.view(), in.view(), counts.view(), key);
      ASSERT_NO_FATAL_FAILURE(expect_items(in, expected));
      ASSERT_NO_FATAL_FAILURE(expect_items(counts, expected_counts));
    }
}

TEST(partition_by_key, counts_in_integers_of_every_kind)
{
  guarded<std::uint32_t> const in(keyed_items<std::uint32_t>(1000)), out(1000);
  guarded<std::uint16_t> const counts(3);
  onepass::partition_by_key(row(), in.view(), out.view(), counts.view(), key_below{3});
  auto const told = counts.items();
  EXPECT_EQ(told[0] + told[1] + told[2], 1000);
  EXPECT_TRUE(counts.canaries_alive());
}

TEST(partition_by_key, survives_keys_that_are_too_large)
{
  guarded<std::uint32_t> const in(keyed_items<std::uint32_t>(many_keys)), out(many_keys);
  guarded<int> const counts(3);
  onepass::partition_by_key(row(), in.view(), out.view(), counts.view(), key_below{200});
  EXPECT_TRUE(counts.canaries_alive());
  EXPECT_TRUE(out.canaries_alive());
}

TEST(partition_by_key, refuses_what_can_not_be_right)
{
  guarded<std::uint32_t> const in(keyed_items<std::uint32_t>(1000)), out(1000), small(999);
  guarded<extent> const none(0), many(257), counts(256);
  expect_says(refusal([&] { onepass::partition_by_key(row(), in.view(), out.view(), none.view(), key_below{1}); }),
              {"partition_by_key", "0 counts"});
  expect_says(refusal([&] { onepass::partition_by_key(row(), in.view(), out.view(), many.view(), key_below{1}); }),
              {"partition_by_key", "257 counts", "256"});
  expect_says(refusal([&] { onepass::partition_by_key(row(), in.view(), small.view(), counts.view(), key_below{1}); }),
              {"partition_by_key", "999", "1000"});
  EXPECT_TRUE(out.untouched());
  EXPECT_TRUE(counts.untouched());
}

TEST(partition_by_key, takes_items_for_their_keys)
{
  guarded<int> const in(std::vector<int>{2, 0, 1, 0}), out(4), counts(3);
  onepass::partition_by_key(row(), in.view(), out.view(), counts.view(), onepass::unchanged{});
  EXPECT_EQ(out.items(), (std::vector<int>{0, 0, 1, 2}));
}

}  // namespace
