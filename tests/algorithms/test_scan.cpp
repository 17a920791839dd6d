// SPDX-License-Identifier: Apache-2.0
#include "guarded.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/scan.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

template <class Interval>
class scan : public testing::Test {
protected:
  faults seen;

  /// out[i] is [first, last + i), from the join of all items before and nothing else.
  void expect_stretches(guarded<Interval> const& out, extent n, std::int32_t first, std::int32_t last)
  {
    EXPECT_EQ(seen.text(), "") << "n = " << n;
    auto const got = out.items();
    for (extent i = 0; i < n; ++i)
      ASSERT_EQ(got[i], Interval::of(first, last + std::int32_t(i))) << "at " << i << " of " << n;
    EXPECT_TRUE(out.canaries_alive()) << "n = " << n;
  }
};

using intervals = testing::Types<small_interval, large_interval>;
TYPED_TEST_SUITE(scan, intervals);

TYPED_TEST(scan, takes_every_item_once_and_in_order)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    guarded<TypeParam> const in(neighbours<TypeParam>(n)), out(n);
    onepass::inclusive_scan(row(), in.view(), out.view(), join{this->seen.sink()});
    this->expect_stretches(out, n, 0, 1);
  }
}

TYPED_TEST(scan, puts_init_before_every_item)
{
  for (extent const n : edge_sizes<TypeParam>()) {
    guarded<TypeParam> const in(neighbours<TypeParam>(n)), out(n);
    single<TypeParam> const total;
    onepass::exclusive_scan(row(), in.view(), out.view(), join{this->seen.sink()}, TypeParam::of(-1, 0), total.view());
    this->expect_stretches(out, n, -1, 0);
    EXPECT_EQ(total.value(), TypeParam::of(-1, std::int32_t(n)));
  }
}

TYPED_TEST(scan, looks_back_over_tiles_that_publish_aggregates_alone)
{
  extent const n = many_tiles<TypeParam>();
  for (int const anchor : {3, 50}) {
    guarded<TypeParam> const in(neighbours<TypeParam>(n)), out(n);
    onepass::inclusive_scan(row().reluctantly(anchor), in.view(), out.view(), join{this->seen.sink()});
    this->expect_stretches(out, n, 0, 1);
  }
}

TYPED_TEST(scan, is_right_in_place_when_tiles_dawdle)
{
  extent const n = many_tiles<TypeParam>();
  for (int repetition = 0; repetition < 5; ++repetition) {
    guarded<TypeParam> const data(neighbours<TypeParam>(n));
    onepass::inclusive_scan(row(), data.view(), data.view(), slow_join{{this->seen.sink()}});
    this->expect_stretches(data, n, 0, 1);
  }
}

}  // namespace
