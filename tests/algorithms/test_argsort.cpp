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
  for (extent const n : {0, 1, 5, 4608, 4609, int(many_keys)})
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

TEST(apply_permutation, permutes_all_views_alike)
{
  for (extent const n : {extent(0), extent(1), extent(1009), many_keys}) {
    auto const keys    = random_keys<std::uint32_t>(n, spread::uniform);
    auto const doubles = random_items<double>(n);
    auto const triples = keyed_items<triple>(n);
    auto const order   = order_of(keys, less);
    guarded<std::uint32_t> const permutation(order), keys_in(keys), keys_out(n);
    guarded<double> const doubles_in(doubles, 1), doubles_out(n);
    guarded<triple> const triples_in(triples), triples_out(n, 1);
    onepass::apply_permutation(row(), permutation.view(),
                               std::tuple(keys_in.view(), doubles_in.view(), triples_in.view()),
                               std::tuple(keys_out.view(), doubles_out.view(), triples_out.view()));
    ASSERT_NO_FATAL_FAILURE(expect_items(keys_out, gathered(keys, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(doubles_out, gathered(doubles, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(triples_out, gathered(triples, order)));

    onepass::apply_permutation(row(), permutation.view(), doubles_in.view(), triples_in.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(doubles_in, gathered(doubles, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(triples_in, gathered(triples, order)));
    ASSERT_NO_FATAL_FAILURE(expect_items(permutation, order));
  }
}

TEST(apply_permutation, refuses_views_that_are_too_short_or_shared)
{
  guarded<int> const permutation(100), a(std::vector<int>(100, 1)), b(99), c(100);
  expect_says(refusal([&] {
                onepass::apply_permutation(row(), permutation.view(), std::tuple(a.view()), std::tuple(b.view()));
              }),
              {"apply_permutation", "99", "100"});
  expect_says(refusal([&] {
                onepass::apply_permutation(row(), permutation.view(), std::tuple(b.view()), std::tuple(c.view()));
              }),
              {"apply_permutation", "99", "100"});
  expect_says(refusal([&] {
                onepass::apply_permutation(row(), permutation.view(), std::tuple(a.view()), std::tuple(a.view()));
              }),
              {"apply_permutation", "shares memory"});
  expect_says(refusal([&] { onepass::apply_permutation(row(), permutation.view(), a.view(), b.view()); }),
              {"apply_permutation", "99", "100"});
  EXPECT_TRUE(b.untouched());
}

TEST(apply_permutation, refuses_positions_that_are_none_at_the_checked_level)
{
  guarded<int> const a(std::vector<int>{1, 2, 3}), out(3);
  for (int const wrong : {-1, 3}) {
    guarded<int> const permutation(std::vector<int>{2, wrong, 0});
    expect_says(refusal([&] { onepass::apply_permutation(row().checked(), permutation.view(), a.view()); }),
                {"apply_permutation", "position 1", "3 items"});
    expect_says(refusal([&] {
                  onepass::apply_permutation(row().checked(), permutation.view(), std::tuple(a.view()),
                                             std::tuple(out.view()));
                }),
                {"position 1"});
  }
  EXPECT_TRUE(out.untouched());
  guarded<int> const permutation(std::vector<int>{2, 1, 0});
  onepass::apply_permutation(row().checked(), permutation.view(), a.view());
  expect_items(a, {3, 2, 1});
}

}  // namespace
