// SPDX-License-Identifier: Apache-2.0
// canonically(): floats have the bits of one expression tree, which examples/canonical_tree.hpp writes down.
#include "../../examples/canonical_tree.hpp"
#include "guarded.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"

#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/scan.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/segmented.hpp>
#include <onepass/select.hpp>
#include <onepass/summed_area_table.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

/// x -> factor x, made once; or `Again` wherever it is needed, where a compiler may fuse it with what adds it up.
template <bool Again>
struct scaled {
  float factor;
  KOKKOS_FUNCTION float operator()(float x) const { return factor * x; }
};
template <>
constexpr bool onepass::repeatable<scaled<true>, float> = true;

namespace {

using namespace test;

/// Floats of many magnitudes and both signs: nearly every order of their sum rounds to another value.
template <class T>
std::vector<T> rough_items(extent n)
{
  random_words engine(seed());
  std::normal_distribution<double> size(0, 6);
  std::vector<T> items;
  for (extent i = 0; i < n; ++i) items.push_back(T(std::exp2(size(engine)) * (engine() % 2 ? 1 : -1)));
  return items;
}

/// Everything before each item, and all.
template <class T>
std::vector<T> tree(std::vector<T> const& x, T init, T& total)
{
  return canonical_scan(x, init, T(-0.0), std::plus{}, 144 / sizeof(T), total);
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
  extent const leaf = 144 / extent(sizeof(T)), tile = 256 * leaf;
  for (extent const n : {extent(0), extent(1), leaf - 1, leaf + 1, 16 * leaf + 3, tile - 1, tile, tile + 1,
                         17 * tile + 5, 256 * tile + 77, 300 * tile + 1}) {
    auto items = rough_items<T>(n);
    if (n > 0) items[0] = T(-0.0);  // which only a neutral identity leaves as it is
    T all, none;
    auto const expected = tree(items, T(0.1), all);
    auto through        = tree(items, T(-0.0), none);
    for (std::size_t i = 0; i < items.size(); ++i) through[i] = through[i] + items[i];
    for (extent const shift : {0, 3}) {  // where a View begins decides which machine makes it
      guarded<T> const in(items, shift), out(n), inclusive(n, shift);
      single<T> const total;
      auto const exec = onepass::canonically(exec_space{});
      onepass::exclusive_scan(exec, in.view(), out.view(), onepass::plus{}, T(0.1), total.view());
      EXPECT_TRUE(same_bits(out.items(), expected)) << n << " items, seed " << seed();
      EXPECT_EQ(total.value(), all) << n << " items, seed " << seed();
      EXPECT_TRUE(out.canaries_alive());
      onepass::inclusive_scan(exec, in.view(), inclusive.view());
      EXPECT_TRUE(same_bits(inclusive.items(), through)) << n << " items, seed " << seed();
      onepass::reduce(exec, in.view(), total.view(), onepass::plus{}, T(0.1));
      EXPECT_EQ(total.value(), all) << "the total of " << n << " items, seed " << seed();
    }
  }
}

/// One kernel, where the space's own backend has a machine for the tree.
TYPED_TEST(canonical, scan_and_reduction_are_one_pass)
{
  bool one_pass = onepass::on_host<exec_space>;
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<exec_space, Kokkos::Cuda>) one_pass = exec_space{}.cuda_device_prop().major >= 9;
#endif
  if (!one_pass) GTEST_SKIP() << "Kokkos' teams take two passes";
  guarded<TypeParam> const items(1000000);
  single<TypeParam> const total;
  exec_space const exec;
  onepass::workspace<exec_space> scratch(exec);
  auto const place = onepass::canonically(exec).with(scratch);
  onepass::exclusive_scan(place, items.view(), items.view());  // makes the workspace grow
  kernel_log const log;
  onepass::exclusive_scan(place, items.view(), items.view());
  onepass::reduce(place, items.view(), total.view());
  EXPECT_LE(log.kernels.size(), 2u);
}

/// The tree is worth its name only where another one gives other bits.
TYPED_TEST(canonical, items_are_rough_enough_to_tell_trees_apart)
{
  auto const items = rough_items<TypeParam>(100000);
  TypeParam all;
  (void)tree(items, TypeParam(0), all);
  EXPECT_NE(all, std::accumulate(items.begin(), items.end(), TypeParam(0)));
}

/// A sum since the last head, and whether there was one: what by-key and segmented operations combine.
struct restarting {
  float sum;
  bool restarted;
};
struct restart {
  restarting operator()(restarting const& a, restarting const& b) const
  {
    return {b.restarted ? b.sum : a.sum + b.sum, a.restarted || b.restarted};
  }
};

/// What restarts by every program: keys, the offsets of their runs, and items.
struct runs {
  std::vector<int> keys, offsets;
  std::vector<restarting> items;
};
runs some_runs(std::vector<float> const& values)
{
  runs made;
  for (extent i = 0; i < extent(values.size()); ++i) {
    made.keys.push_back(int(i * i / 3000000));
    bool const head = i == 0 || made.keys.back() != made.keys.end()[-2];
    if (head) made.offsets.push_back(int(i));
    made.items.push_back({values[std::size_t(i)], head});
  }
  made.offsets.push_back(int(values.size()));
  return made;
}

/// What the tree gives for such items, with leaves of so many.
std::vector<float> restarted(runs const& r, std::size_t leaf, bool inclusive, bool compacted = false)
{
  restarting all;
  auto const before = canonical_scan(r.items, {-0.0f, false}, {-0.0f, false}, restart{}, leaf, all, compacted);
  std::vector<float> out;
  for (std::size_t i = 0; i < r.items.size(); ++i) {
    if (inclusive) out.push_back(restart{}(before[i], r.items[i]).sum);
    else if (compacted && i > 0 && r.items[i].restarted) out.push_back(before[i].sum);
  }
  if (compacted) out.push_back(all.sum);
  return out;
}

TEST(canonical_programs, that_restart_have_the_bits_of_the_tree)
{
  extent const n    = 3000000;
  auto const values = rough_items<float>(n);
  auto const r      = some_runs(values);
  auto const most   = extent(r.offsets.size()) - 1;
  guarded<float> const in(values), sums(most), by_key(n), by_segment(n), segment_sums(most);
  guarded<int> const keys(r.keys), unique(most), cuts(r.offsets);
  single<int> const number;
  auto const exec = onepass::canonically(exec_space{});
  onepass::reduce_by_key(exec, keys.view(), in.view(), unique.view(), sums.view(), number.view());
  onepass::inclusive_scan_by_key(exec, keys.view(), in.view(), by_key.view());
  onepass::inclusive_segmented_scan(exec, in.view(), cuts.view(), by_segment.view());
  onepass::segmented_reduce(exec, in.view(), cuts.view(), segment_sums.view());

  EXPECT_EQ(extent(number.value()), most);
  EXPECT_TRUE(same_bits(sums.items(), restarted(r, 18, false, true))) << "seed " << seed();
  EXPECT_TRUE(same_bits(by_key.items(), restarted(r, 18, true))) << "seed " << seed();
  auto const scanned = restarted(r, 36, true);
  EXPECT_TRUE(same_bits(by_segment.items(), scanned)) << "seed " << seed();
  std::vector<float> last;  // the sum of a segment is the last result of its scan
  for (std::size_t s = 1; s < r.offsets.size(); ++s) last.push_back(scanned[std::size_t(r.offsets[s] - 1)]);
  EXPECT_TRUE(same_bits(segment_sums.items(), last)) << "seed " << seed();
}

TEST(canonical_segments, begin_with_a_positive_zero_where_no_init_is_given)
{
  guarded<float> const in(std::vector<float>(3, -0.0f)), scan(3), sums(2), from_negative(2);
  guarded<int> const cuts(std::vector<int>{0, 1, 3});
  auto const exec = onepass::canonically(exec_space{});
  onepass::inclusive_segmented_scan(exec, in.view(), cuts.view(), scan.view());
  onepass::segmented_reduce(exec, in.view(), cuts.view(), sums.view());
  onepass::segmented_reduce(exec, in.view(), cuts.view(), from_negative.view(), onepass::plus{}, -0.0f);
  EXPECT_TRUE(same_bits(scan.items(), std::vector<float>(3, -0.0f)));
  EXPECT_TRUE(same_bits(sums.items(), std::vector<float>(2, 0.0f)));
  EXPECT_TRUE(same_bits(from_negative.items(), std::vector<float>(2, -0.0f)));
}

/// y -> scale y + shift; does not commute, and has no identity here, so that a flag travels beside it: 12 bytes.
struct line {
  float scale, shift;
};
struct then {
  KOKKOS_FUNCTION line operator()(line const& first, line const& second) const
  {
    return {first.scale * second.scale, onepass::unfused(second.scale * first.shift) + second.shift};
  }
};
struct line_or_none {
  line value;
  bool present;
};
struct then_or_none {
  line_or_none operator()(line_or_none const& a, line_or_none const& b) const
  {
    return a.present && b.present ? line_or_none{then{}(a.value, b.value), true} : a.present ? a : b;
  }
};

TEST(canonical_programs, of_any_operator_have_the_bits_of_the_tree)
{
  extent const n     = 600000;
  auto const numbers = rough_items<float>(2 * n);
  std::vector<line> lines;
  std::vector<line_or_none> items;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    lines.push_back({std::copysign(1 - 1 / (3 + std::abs(numbers[2 * i])), numbers[2 * i]), numbers[2 * i + 1]});
    items.push_back({lines.back(), true});
  }
  guarded<line> const in(lines), out(n);
  single<line> const total;
  onepass::inclusive_scan(onepass::canonically(exec_space{}), in.view(), out.view(), then{}, onepass::no_init{},
                          total.view());
  line_or_none all;
  auto const before = canonical_scan(items, {{}, false}, {{}, false}, then_or_none{}, 18, all);
  std::vector<line> expected;
  for (std::size_t i = 0; i < std::size_t(n); ++i) expected.push_back(then_or_none{}(before[i], items[i]).value);
  EXPECT_TRUE(same_bits(out.items(), expected)) << "seed " << seed();
  EXPECT_TRUE(same_bits(std::vector{total.value()}, std::vector{all.value})) << "seed " << seed();
}

/// A number that is a sum, or an item that its transform has not seen yet.
struct term {
  float value;
  bool raw = false;
};

/// A transform that multiplies and an operator that adds, as they are meant and as compilers may spoil them.
struct machines {
  float factor;
  bool fuses, flushes;

  term operator()(term const& a, term const& b) const
  {
    float const sum =
        b.raw ? fuses ? std::fma(b.value, factor, a.value) : a.value + flushed(b.value * factor) : a.value + b.value;
    return {flushed(sum)};
  }
  float flushed(float x) const { return flushes && std::abs(x) < std::numeric_limits<float>::min() ? 0 : x; }
};
std::vector<float> sums(std::vector<float> const& items, machines const& by)
{
  std::vector<term> terms;
  for (float const x : items) terms.push_back({x, true});
  term all;
  std::vector<float> out;
  for (auto const& t : canonical_scan(terms, term{0}, term{-0.0f}, by, 36, all)) out.push_back(t.value);
  return out;
}

TEST(canonical_floats, are_neither_fused_nor_flushed)
{
  auto const items = rough_items<float>(50000);
  for (float const factor : {1 / 3.0f, 1 / 3.0f * std::exp2(-140.0f)}) {
    auto const expected = sums(items, {factor, false, false});
    EXPECT_FALSE(same_bits(expected, sums(items, {factor, true, false}))) << factor << " x: nothing would be seen";
    EXPECT_EQ(same_bits(expected, sums(items, {factor, false, true})), factor > 0.1f) << factor << " x";
    auto const scan = [&](auto const& transform) {
      for (extent const shift : {0, 1}) {
        guarded<float> const in(items, shift), out(extent(items.size()));
        onepass::transform_exclusive_scan(onepass::canonically(exec_space{}), in.view(), out.view(), transform,
                                          onepass::plus{}, 0.0f);
        EXPECT_TRUE(same_bits(out.items(), expected)) << factor << " x, seed " << seed();
      }
    };
    scan(scaled<true>{factor});
    scan(scaled<false>{factor});
  }
}

struct is_positive {
  KOKKOS_FUNCTION bool operator()(float x) const { return x > 0; }
};

TEST(canonical_programs, that_only_count_give_what_they_always_give)
{
  auto const items = rough_items<float>(400000);
  guarded<float> const in(items), kept(400000);
  single<int> const count;
  onepass::select_if(onepass::canonically(exec_space{}), in.view(), kept.view(), count.view(), is_positive{});
  std::vector<float> expected;
  for (float const x : items)
    if (x > 0) expected.push_back(x);
  auto selected = kept.items();
  ASSERT_EQ(extent(count.value()), extent(expected.size()));
  selected.resize(expected.size());
  EXPECT_TRUE(same_bits(selected, expected));
}

/// The table of an image that lies row by row, in tiles of 32 rows and 24 columns: each pixel of what its tile has up
/// to it, what tiles to the left have up to its row, those above up to its column, and all others.
std::vector<float> tiled_table(std::vector<float> const& image, extent rows, extent columns)
{
  constexpr extent high = 32, wide = 24;
  std::vector<float> out(image.size()), corner(std::size_t(columns), 0.0f), above(std::size_t(columns), 0.0f);
  for (extent y0 = 0; y0 < rows; y0 += high) {
    float left[high] = {};
    for (extent x0 = 0; x0 < columns; x0 += wide) {
      float tile[high][wide] = {};
      for (extent r = 0; r < high; ++r)
        for (extent c = 0, y = y0 + r; c < wide; ++c)
          tile[r][c] = (c > 0 ? tile[r][c - 1] : 0)
                       + (y < rows && x0 + c < columns ? image[std::size_t(y * columns + x0 + c)] : 0);
      for (extent r = 1; r < high; ++r)
        for (extent c = 0; c < wide; ++c) tile[r][c] = tile[r - 1][c] + tile[r][c];
      for (extent r = 0; r < high && y0 + r < rows; ++r)
        for (extent c = 0, x = x0; c < wide && x < columns; ++c, ++x)
          out[std::size_t((y0 + r) * columns + x)] =
              (corner[std::size_t(x0)] + above[std::size_t(x)]) + (left[r] + tile[r][c]);
      corner[std::size_t(x0)] += left[high - 1];
      for (extent c = 0, x = x0; c < wide && x < columns; ++c, ++x) above[std::size_t(x)] += tile[high - 1][c];
      for (extent r = 0; r < high; ++r) left[r] += tile[r][wide - 1];
    }
  }
  return out;
}

TEST(canonical_tables, are_those_of_tiles_of_rows_however_images_lie)
{
  auto const exec = onepass::canonically(exec_space{});
  for (auto const& [rows, columns] : {std::pair<extent, extent>{1, 5}, {700, 501}, {31, 20000}, {20000, 31}}) {
    auto const image    = rough_items<float>(rows * columns);
    auto const expected = tiled_table(image, rows, columns);
    std::vector<float> by_columns;
    for (extent x = 0; x < columns; ++x)
      for (extent y = 0; y < rows; ++y) by_columns.push_back(image[std::size_t(y * columns + x)]);
    guarded<float> const in(image), out(rows * columns), turned(by_columns), turned_out(rows * columns);
    using right = Kokkos::View<float**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryUnmanaged>;
    using left  = Kokkos::View<float**, Kokkos::LayoutLeft, memory_space, Kokkos::MemoryUnmanaged>;
    onepass::summed_area_table(exec, right(in.view().data(), rows, columns), right(out.view().data(), rows, columns));
    onepass::summed_area_table(exec, left(turned.view().data(), rows, columns),
                               left(turned_out.view().data(), rows, columns));
    EXPECT_TRUE(same_bits(out.items(), expected)) << rows << " x " << columns << ", seed " << seed();
    auto const made = turned_out.items();
    std::vector<float> by_rows;
    for (extent y = 0; y < rows; ++y)
      for (extent x = 0; x < columns; ++x) by_rows.push_back(made[std::size_t(x * rows + y)]);
    EXPECT_TRUE(same_bits(by_rows, expected)) << rows << " x " << columns << ", by columns, seed " << seed();
  }
}

/// Some are one pixel, some several.
TEST(canonical_tables, of_channels_side_by_side_are_those_of_each)
{
  extent const rows = 300, columns = 501;
  for (extent const channels : {3, 6}) {
    auto const image = rough_items<float>(rows * columns * channels);
    guarded<float> const in(image), out(rows * columns * channels);
    using right = Kokkos::View<float***, Kokkos::LayoutRight, memory_space, Kokkos::MemoryUnmanaged>;
    onepass::summed_area_table(onepass::canonically(exec_space{}), right(in.view().data(), rows, columns, channels),
                               right(out.view().data(), rows, columns, channels));
    auto const made = out.items();
    for (extent c = 0; c < channels; ++c) {
      std::vector<float> of_channel, items;
      for (extent i = c; i < rows * columns * channels; i += channels) {
        items.push_back(image[std::size_t(i)]);
        of_channel.push_back(made[std::size_t(i)]);
      }
      EXPECT_TRUE(same_bits(of_channel, tiled_table(items, rows, columns))) << channels << ", seed " << seed();
    }
  }
}

/// Sums of integers are the same in any order.
TEST(canonical_tables, of_integers_take_any_schedule)
{
  using image       = Kokkos::View<std::uint32_t**, Kokkos::LayoutLeft, memory_space, Kokkos::MemoryUnmanaged>;
  extent const rows = 500, columns = 301;
  guarded<std::uint32_t> const in(random_items<std::uint32_t>(rows * columns)), expected(rows * columns),
      out(rows * columns);
  auto const table = [&](auto const& place, guarded<std::uint32_t> const& to) {
    onepass::summed_area_table(place, image(in.view().data(), rows, columns), image(to.view().data(), rows, columns));
  };
  table(exec_space{}, expected);
  table(onepass::canonically(onepass::portably(exec_space{})).by(onepass::schedule::chained), out);
  EXPECT_TRUE(out.items() == expected.items());
}

/// One after another, whatever a tile meets.
TEST(canonical_programs, of_tables_add_up_what_two_passes_do)
{
  using image       = Kokkos::View<float**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryUnmanaged>;
  extent const rows = 500, columns = 800;
  guarded<float> const in(rough_items<float>(rows * columns)), expected(rows * columns), out(rows * columns);
  auto const table = [&](auto const& place, guarded<float> const& to) {
    onepass::summed_area_table(place, image(in.view().data(), rows, columns), image(to.view().data(), rows, columns));
  };
  auto const place = onepass::canonically(exec_space{});
  table(place.by(onepass::schedule::two_pass), expected);
  for (int k = 0; k < 20; ++k) {
    table(place, out);
    ASSERT_TRUE(same_bits(out.items(), expected.items())) << k;
  }
}

/// Values of which one is slow to come by, so that other threads are ahead of the one that asks for it.
struct with_a_slow_one {
  using value_type = double;
  unmanaged<double> values;
  extent size, slow;
  KOKKOS_FUNCTION double operator()(extent i) const
  {
    KOKKOS_IF_ON_HOST((if (i == slow) std::this_thread::sleep_for(std::chrono::milliseconds(10));))
    return values(i);
  }
};
struct same_number {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a == b; }
};

/// In place a tile writes over keys that have been read, and nobody reads them again. Devices, some of which would,
/// refuse.
TEST(canonical_runs, are_reduced_in_place)
{
  constexpr extent n = 300000;
  random_words engine(seed());
  for (unsigned const mean : {2, 10, 1000}) {
    std::vector<int> numbers;
    std::vector<double> terms = rough_items<double>(n);
    for (extent i = 0; i < n; ++i) numbers.push_back(i == 0 ? 0 : numbers.back() + (engine() % mean == 0));
    guarded<int> const keys(numbers), keys_out(n);
    guarded<double> const values(terms), sums(n), sums_in_place(n);
    single<int> const runs, runs_in_place;
    auto const place  = onepass::canonically(exec_space{});
    auto const reduce = [&](auto const& from, auto const& to, auto const& out, auto const& number, extent slow) {
      onepass::reduce_by_key(place, from, with_a_slow_one{values.view(), n, slow}, to, out, number, onepass::plus{},
                             same_number{});
    };
    reduce(keys.view(), keys_out.view(), sums.view(), runs.view(), -1);
    auto const in_place = [&] { reduce(keys.view(), keys.view(), sums_in_place.view(), runs_in_place.view(), 100); };
    if constexpr (!onepass::on_host<exec_space>) EXPECT_THROW(in_place(), onepass::precondition_error);
    else {
      in_place();
      auto first_keys = keys.items(), expected_keys = keys_out.items();
      auto first_sums = sums_in_place.items(), expected_sums = sums.items();
      ASSERT_EQ(runs_in_place.value(), runs.value());
      for (auto* all : {&first_keys, &expected_keys}) all->resize(std::size_t(runs.value()));
      for (auto* all : {&first_sums, &expected_sums}) all->resize(std::size_t(runs.value()));
      EXPECT_EQ(first_keys, expected_keys) << "runs of " << mean << ", seed " << seed();
      EXPECT_TRUE(same_bits(first_sums, expected_sums)) << "runs of " << mean << ", seed " << seed();
    }
  }
}

TEST(canonical_bad_input, is_a_schedule_that_follows_no_tree)
{
  guarded<float> const in(100), out(100);
  EXPECT_THROW(
      onepass::inclusive_scan(onepass::canonically(exec_space{}).by(onepass::schedule::chained), in.view(), out.view()),
      onepass::precondition_error);
  EXPECT_TRUE(out.untouched());
}

}  // namespace
