// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/apply_permutation.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

auto const less = [](auto a, auto b) { return key_less(a, b); };

/// A View of rank 3 whose item (i, j, k) is number i * 100 + j * 10 + k, in canaried memory of some layout.
template <class Layout>
struct numbered {
  static constexpr int middle = 2, columns = 3;
  using view_type = Kokkos::View<int***, Layout, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  extent n;
  guarded<int> memory;

  explicit numbered(extent rows)
      : n(rows)
      , memory(rows * middle * columns)
  {}
  view_type view() const { return view_type(memory.view().data(), std::size_t(n), middle, columns); }
  auto matrix() const { return Kokkos::subview(view(), Kokkos::ALL, 1, Kokkos::ALL); }

  void fill() const
  {
    auto const v    = view();
    auto const here = Kokkos::create_mirror_view(v);
    for (extent i = 0; i < n; ++i)
      for (int j = 0; j < middle; ++j)
        for (int k = 0; k < columns; ++k) here(i, j, k) = int(i * 100 + j * 10 + k);
    Kokkos::deep_copy(v, here);
  }
  /// Whether row i has what row from(i) had, where all is said to have been moved, or else the matrix alone.
  template <class From>
  void expect(From const& from, bool all) const
  {
    Kokkos::fence("test::numbered");
    auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view());
    for (extent i = 0; i < n; ++i)
      for (int j = 0; j < middle; ++j)
        for (int k = 0; k < columns; ++k)
          ASSERT_EQ(here(i, j, k), int(extent(all || j == 1 ? from[std::size_t(i)] : i) * 100 + j * 10 + k))
              << i << " " << j << " " << k;
    EXPECT_TRUE(memory.canaries_alive());
  }
};

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

TEST(apply_permutation, permutes_many_views_at_random_and_nearly_in_order)
{
  extent const n     = tiny_row ? 7001 : (extent(1) << 20) + 77;
  auto const doubles = random_items<double>(n);
  auto const triples = keyed_items<triple>(n);
  auto const bytes   = random_items<std::uint8_t>(n);
  for (extent const reach : {extent(1), extent(50), n}) {  // how far items have gone
    SCOPED_TRACE(reach);
    auto keys = random_keys<std::uint32_t>(n, spread::uniform);
    for (extent i = 0; i < n; ++i)
      keys[std::size_t(i)] = std::uint32_t(i + extent(keys[std::size_t(i)] % std::uint32_t(reach)));
    auto const order = order_of(keys, less);
    guarded<std::uint32_t> const permutation(order);
    guarded<double> const doubles_in(doubles, 1), doubles_out(n);
    guarded<triple> const triples_in(triples), triples_out(n, 1);
    guarded<std::uint8_t> const bytes_in(bytes, 1), bytes_out(n, 1);
    numbered<Kokkos::LayoutLeft> const cubes(n), moved(n);
    cubes.fill();
    onepass::workspace<exec_space> scratch(exec_space{});
    auto const here = row().with(scratch);
    onepass::apply_permutation(here, permutation.view(),
                               std::tuple(bytes_in.view(), doubles_in.view(), triples_in.view(), cubes.view()),
                               std::tuple(bytes_out.view(), doubles_out.view(), triples_out.view(), moved.view()));
    onepass::apply_permutation(here, permutation.view(), bytes_in.view(), doubles_in.view(), triples_in.view(),
                               cubes.matrix());
    for (auto const* const x : {&doubles_in, &doubles_out})
      ASSERT_NO_FATAL_FAILURE(expect_items(*x, gathered(doubles, order)));
    for (auto const* const x : {&triples_in, &triples_out})
      ASSERT_NO_FATAL_FAILURE(expect_items(*x, gathered(triples, order)));
    for (auto const* const x : {&bytes_in, &bytes_out})
      ASSERT_NO_FATAL_FAILURE(expect_items(*x, gathered(bytes, order)));
    ASSERT_NO_FATAL_FAILURE(moved.expect(order, true));
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
  expect_says(refusal([&] {
                onepass::apply_permutation(row(), permutation.view(), std::tuple(a.view(), a.view()),
                                           std::tuple(c.view(), c.view()));
              }),
              {"apply_permutation", "shares memory"});
  EXPECT_TRUE(c.untouched());
  expect_says(refusal([&] { onepass::apply_permutation(row(), permutation.view(), a.view(), b.view()); }),
              {"apply_permutation", "99", "100"});
  EXPECT_TRUE(b.untouched());
}

TEST(apply_permutation, refuses_rows_of_2_31_items)
{
  guarded<int> const permutation(std::vector<int>{0});
  guarded<char> const a(1), b(1);  // no item is looked at
  using matrix = Kokkos::View<char**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  matrix const from(a.view().data(), 1, std::size_t(1) << 31), to(b.view().data(), 1, std::size_t(1) << 31);
  expect_says(refusal([&] { onepass::apply_permutation(row(), permutation.view(), std::tuple(from), std::tuple(to)); }),
              {"apply_permutation", "2^31 items", "give parts"});
  EXPECT_TRUE(a.untouched() && b.untouched());
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

template <class Layout>
class apply_permutation_to : public testing::Test {};
using layouts = testing::Types<Kokkos::LayoutLeft, Kokkos::LayoutRight>;
TYPED_TEST_SUITE(apply_permutation_to, layouts);

TYPED_TEST(apply_permutation_to, rows_of_any_rank_moves_them_whole_and_side_by_side)
{
  for (extent const n : {extent(0), extent(1), extent(5), extent(1009)}) {
    auto const keys  = random_keys<std::uint32_t>(n, spread::uniform);
    auto const order = order_of(keys, less);
    guarded<std::uint32_t> const permutation(order), from(keys), to(n);
    numbered<TypeParam> const cubes(n), moved(n), matrices(n);
    cubes.fill(), moved.fill(), matrices.fill();
    // Ranks 1, 2 and 3 in one call; the matrices lie inside of what holds them, whose other half stays as it is.
    onepass::apply_permutation(row(), permutation.view(), std::tuple(from.view(), cubes.matrix(), cubes.view()),
                               std::tuple(to.view(), matrices.matrix(), moved.view()));
    ASSERT_NO_FATAL_FAILURE(expect_items(to, gathered(keys, order)));
    ASSERT_NO_FATAL_FAILURE(moved.expect(order, true));
    ASSERT_NO_FATAL_FAILURE(matrices.expect(order, false));

    std::vector<std::uint32_t> twice;
    for (auto const i : order) twice.push_back(order[i]);
    matrices.fill();
    onepass::apply_permutation(row(), permutation.view(), matrices.matrix(), from.view(), moved.view());
    ASSERT_NO_FATAL_FAILURE(matrices.expect(order, false));
    ASSERT_NO_FATAL_FAILURE(moved.expect(twice, true));
    ASSERT_NO_FATAL_FAILURE(expect_items(from, gathered(keys, order)));
  }
}

TYPED_TEST(apply_permutation_to, rows_refuses_unlike_ones_and_shared_memory)
{
  guarded<int> const permutation(std::vector<int>{1, 0, 2});
  numbered<TypeParam> const a(3), b(3);
  a.fill();
  auto const two = Kokkos::subview(b.matrix(), Kokkos::ALL, std::pair(0, 2));
  expect_says(
      refusal([&] { onepass::apply_permutation(row(), permutation.view(), std::tuple(a.matrix()), std::tuple(two)); }),
      {"apply_permutation", "3 items in dimension 1", "output 2"});
  expect_says(refusal([&] {
                onepass::apply_permutation(row(), permutation.view(), std::tuple(a.view()), std::tuple(a.view()));
              }),
              {"shares memory"});
  EXPECT_TRUE(b.memory.untouched());
  // The two matrices of one array share no byte.
  auto const first = Kokkos::subview(a.view(), Kokkos::ALL, 0, Kokkos::ALL);
  onepass::apply_permutation(row(), permutation.view(), std::tuple(first), std::tuple(a.matrix()));
  Kokkos::fence();
  auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, a.view());
  EXPECT_EQ(here(0, 1, 2), 102);
  EXPECT_EQ(here(2, 1, 1), 201);
}

TEST(apply_permutation, waits_for_nothing_and_allocates_nothing_with_a_workspace)
{
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    extent const n   = 1009;
    auto const order = order_of(random_keys<std::uint32_t>(n, spread::uniform), less);
    guarded<std::uint32_t> const permutation(order), from(order), to(n);
    numbered<Kokkos::LayoutRight> const cubes(n);
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] {
      auto const here = row(mine).with(scratch);
      onepass::apply_permutation(here, permutation.view(), std::tuple(from.view()), std::tuple(to.view()));
      onepass::apply_permutation(here, permutation.view(), to.view(), cubes.view());
    };
    expect_discipline_of(call, mine, "apply_permutation");
  }
}

}  // namespace
