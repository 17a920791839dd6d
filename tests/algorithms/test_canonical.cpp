// SPDX-License-Identifier: Apache-2.0
// canonically(): floats have the bits of one expression tree, written down here once more with std:: alone.
#include "guarded.hpp"
#include "inputs.hpp"

#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/scan.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/segmented.hpp>
#include <onepass/select.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

namespace {

using namespace test;

/// Floats of many magnitudes and both signs: nearly every order of their sum rounds to another value.
template <class T>
std::vector<T> rough_items(extent n)
{
  std::mt19937_64 engine(seed());
  std::normal_distribution<double> size(0, 6);
  std::vector<T> items;
  for (extent i = 0; i < n; ++i) items.push_back(T(std::exp2(size(engine)) * (engine() % 2 ? 1 : -1)));
  return items;
}

/// What is before each of `parts`, in groups of 16, and all of them: the node of the tree.
template <class T>
T node(std::vector<T> parts, std::vector<T>& before)
{
  T all = 0;
  before.clear();
  for (std::size_t g = 0; g < 8; ++g) {
    T running = 0;
    for (std::size_t i = 16 * g; i < 16 * g + 16; ++i) {
      before.push_back(all + running);
      running = running + (i < parts.size() ? parts[i] : T(0));
    }
    all = all + running;
  }
  return all;
}

/// Everything before each item, and all.
template <class T>
std::vector<T> tree(std::vector<T> const& x, T init, std::size_t bytes, T& total)
{
  std::size_t const leaf = 144 / bytes, tile = 128 * leaf, tiles = (x.size() + tile - 1) / tile;
  std::vector<std::vector<T>> leaf_prefix(tiles);
  std::vector<T> tile_sum;
  for (std::size_t t = 0; t < tiles; ++t) {
    std::vector<T> leaves;
    for (std::size_t l = t * tile; l < std::min((t + 1) * tile, x.size()); l += leaf)
      leaves.push_back(std::accumulate(x.begin() + l, x.begin() + std::min(l + leaf, x.size()), T(0)));
    tile_sum.push_back(T(0) + node(leaves, leaf_prefix[t]));
  }
  std::vector<T> prefix, before;
  total = init;
  for (std::size_t b = 0; b < tiles; b += 128) {
    auto const block = node(std::vector<T>(tile_sum.begin() + b, tile_sum.begin() + std::min(b + 128, tiles)), before);
    for (std::size_t t = b; t < std::min(b + 128, tiles); ++t)
      for (std::size_t i = t * tile; i < std::min((t + 1) * tile, x.size()); ++i) {
        auto const within = (i - t * tile) % leaf;
        prefix.push_back(within ? prefix.back() + x[i - 1]
                                : (total + before[t - b]) + leaf_prefix[t][(i - t * tile) / leaf]);
      }
    total = total + block;
  }
  return prefix;
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b)
{
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
class canonical : public testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(canonical, floats);

TYPED_TEST(canonical, scan_has_the_bits_of_the_tree)
{
  using T           = TypeParam;
  extent const leaf = 144 / extent(sizeof(T)), tile = 128 * leaf;
  for (extent const n : {extent(0), extent(1), leaf - 1, leaf + 1, 16 * leaf + 3, tile - 1, tile, tile + 1,
                         17 * tile + 5, 128 * tile + 77, 300 * tile + 1}) {
    auto const items = rough_items<T>(n);
    guarded<T> const in(items, 3), out(n, 1), inclusive(n);
    single<T> const total;
    onepass::exclusive_scan(onepass::canonically(exec_space{}), in.view(), out.view(), onepass::plus{}, T(0.1),
                            total.view());
    T all;
    auto const expected = tree(items, T(0.1), sizeof(T), all);
    EXPECT_TRUE(same_bits(out.items(), expected)) << n << " items, seed " << seed();
    EXPECT_EQ(total.value(), all) << n << " items, seed " << seed();
    EXPECT_TRUE(out.canaries_alive());

    auto through = tree(items, T(0), sizeof(T), all);
    for (std::size_t i = 0; i < items.size(); ++i) through[i] = through[i] + items[i];
    onepass::inclusive_scan(onepass::canonically(exec_space{}), in.view(), inclusive.view());
    EXPECT_TRUE(same_bits(inclusive.items(), through)) << n << " items, seed " << seed();
  }
}

TYPED_TEST(canonical, reduction_is_the_total_of_the_scan)
{
  using T          = TypeParam;
  auto const items = rough_items<T>(1234567);
  guarded<T> const in(items);
  single<T> const total;
  onepass::reduce(onepass::canonically(exec_space{}), in.view(), total.view(), onepass::plus{}, T(0.1));
  T all;
  (void)tree(items, T(0.1), sizeof(T), all);
  EXPECT_EQ(total.value(), all) << "seed " << seed();
}

/// The tree is worth its name only where another one gives other bits.
TYPED_TEST(canonical, items_are_rough_enough_to_tell_trees_apart)
{
  auto const items = rough_items<TypeParam>(100000);
  TypeParam all;
  (void)tree(items, TypeParam(0), sizeof(TypeParam), all);
  EXPECT_NE(all, std::accumulate(items.begin(), items.end(), TypeParam(0)));
}

struct is_positive {
  KOKKOS_FUNCTION bool operator()(float x) const { return x > 0; }
};

/// The bits of a compacting program with sums, and of restarting ones, do not depend on the space either.
TEST(canonical_programs, give_the_bits_of_the_host)
{
  extent const n   = 400000;
  auto const items = rough_items<float>(n);
  std::vector<int> keys, offsets;
  for (extent i = 0; i < n; ++i) keys.push_back(int(i * i / 3000000));
  for (extent i = 0; i <= 1000; ++i) offsets.push_back(int(i * n / 1000));
  offsets.push_back(int(n));  // an empty one
  guarded<float> const in(items), sums(n), by_key(n), by_segment(n), segment_sums(1001), kept(n);
  guarded<int> const with(keys), unique(n), cuts(offsets);
  single<int> const runs, count;
  auto const exec = onepass::canonically(exec_space{});
  onepass::reduce_by_key(exec, with.view(), in.view(), unique.view(), sums.view(), runs.view());
  onepass::inclusive_scan_by_key(exec, with.view(), in.view(), by_key.view());
  onepass::inclusive_segmented_scan(exec, in.view(), cuts.view(), by_segment.view());
  onepass::segmented_reduce(exec, in.view(), cuts.view(), segment_sums.view());
  onepass::select_if(exec, in.view(), kept.view(), count.view(), is_positive{});

  using host        = Kokkos::DefaultHostExecutionSpace;
  using view        = Kokkos::View<float*, Kokkos::HostSpace>;
  auto const mirror = [](auto const& v) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, v); };
  view const host_sums("sums", n), host_by_key("by_key", n), host_by_segment("by_segment", n);
  Kokkos::View<int*, Kokkos::HostSpace> const host_unique("unique", n);
  Kokkos::View<int, Kokkos::HostSpace> const host_runs("runs");
  auto const there   = onepass::canonically(host{});
  auto const host_in = mirror(in.view());
  onepass::reduce_by_key(there, mirror(with.view()), host_in, host_unique, host_sums, host_runs);
  onepass::inclusive_scan_by_key(there, mirror(with.view()), host_in, host_by_key);
  onepass::inclusive_segmented_scan(there, host_in, mirror(cuts.view()), host_by_segment);
  host{}.fence();
  auto const bits = [](view const& v, extent size) { return std::vector<float>(v.data(), v.data() + size); };
  auto first_sums = sums.items();
  ASSERT_EQ(runs.value(), host_runs());
  first_sums.resize(std::size_t(runs.value()));
  EXPECT_TRUE(same_bits(first_sums, bits(host_sums, runs.value())));
  EXPECT_TRUE(same_bits(by_key.items(), bits(host_by_key, n)));
  EXPECT_TRUE(same_bits(by_segment.items(), bits(host_by_segment, n)));
  std::vector<float> last;  // the sum of a segment is the last result of its scan
  for (std::size_t s = 1; s <= 1000; ++s) last.push_back(host_by_segment(std::size_t(offsets[s] - 1)));
  last.push_back(0);
  EXPECT_TRUE(same_bits(segment_sums.items(), last));

  std::vector<float> expected;
  for (float const x : items)
    if (x > 0) expected.push_back(x);
  auto selected = kept.items();
  ASSERT_EQ(extent(count.value()), extent(expected.size()));
  selected.resize(expected.size());
  EXPECT_TRUE(same_bits(selected, expected));
}

TEST(canonical_bad_input, asks_for_the_two_pass_schedule)
{
  guarded<float> const in(100), out(100);
  EXPECT_THROW(
      onepass::inclusive_scan(onepass::canonically(exec_space{}).by(onepass::schedule::chained), in.view(), out.view()),
      onepass::precondition_error);
  EXPECT_TRUE(out.untouched());
}

}  // namespace
