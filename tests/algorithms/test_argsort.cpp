// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/argsort.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

auto const less = [](auto a, auto b) { return key_less(a, b); };

template <class T>
class argsort_of : public testing::Test {};
using types = testing::Types<std::uint8_t, double>;
TYPED_TEST_SUITE(argsort_of, types);

TYPED_TEST(argsort_of, gives_the_positions_in_order_and_leaves_the_keys)
{
  for (extent const n : {0, 1, 5, 300, 1013, 4608, 4609, int(many_keys)})
    for (auto const how : {spread::few, spread::equal, spread::narrow}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", spread " + std::to_string(int(how)));
      auto const keys = random_keys<TypeParam>(n, how);
      guarded<TypeParam> const in(keys, 1);
      guarded<std::uint32_t> const order(n);
      onepass::argsort(row(), in.view(), order.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(order, order_of(keys, less)));
      ASSERT_NO_FATAL_FAILURE(expect_items(in, keys));
      guarded<extent> const down(n);
      onepass::argsort(row(), in.view(), down.view(), {.descending = true});
      auto const expected = order_of(keys, [](auto a, auto b) { return key_less(b, a); });
      ASSERT_NO_FATAL_FAILURE(expect_items(down, std::vector<extent>(expected.begin(), expected.end())));
    }
}

TEST(argsort, refuses_a_permutation_that_can_not_hold_the_positions)
{
  guarded<std::uint32_t> const keys(random_keys<std::uint32_t>(1000, spread::uniform));
  guarded<std::uint8_t> const narrow(1000);
  guarded<int> const small(999);
  expect_says(refusal([&] { onepass::argsort(row(), keys.view(), narrow.view()); }), {"argsort", "1000", "wider"});
  expect_says(refusal([&] { onepass::argsort(row(), keys.view(), small.view()); }), {"argsort", "999", "1000"});
  EXPECT_TRUE(narrow.untouched());
}

}  // namespace
