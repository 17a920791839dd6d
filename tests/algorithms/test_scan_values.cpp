// SPDX-License-Identifier: Apache-2.0
// Inits, totals, accumulators, transforms, and Views of every kind.
#include "guarded.hpp"
#include "inputs.hpp"
#include "sizes.hpp"

#include <onepass/scan.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

using namespace test;

namespace {

std::vector<int> exclusive_sums(std::vector<int> const& items, int init)
{
  std::vector<int> sums(items.size());
  std::exclusive_scan(items.begin(), items.end(), sums.begin(), init);
  return sums;
}
int sum(std::vector<int> const& items) { return std::accumulate(items.begin(), items.end(), 0); }

TEST(scan_values, takes_init_from_the_device_and_leaves_the_total_there)
{
  extent const n   = many_tiles<int>();
  auto const items = random_items<int>(n);
  guarded<int> const in(items), out(n), init(std::vector<int>{11}), total(1);
  onepass::exclusive_scan(row(), in.view(), out.view(), onepass::plus{}, Kokkos::subview(init.view(), 0),
                          Kokkos::subview(total.view(), 0));
  EXPECT_EQ(out.items(), exclusive_sums(items, 11));
  EXPECT_EQ(total.items()[0], 11 + sum(items));
  EXPECT_TRUE(total.canaries_alive() && init.canaries_alive());
}

TEST(scan_values, lets_the_total_of_one_call_be_the_init_of_the_next)
{
  extent const n   = many_tiles<int>();
  auto const items = random_items<int>(n);
  guarded<int> const in(items), out(n);
  single<int> const carry(3);
  onepass::exclusive_scan(row(), in.view(), out.view(), onepass::plus{}, carry.view(), carry.view());
  onepass::exclusive_scan(row(), in.view(), out.view(), onepass::plus{}, carry.view(), carry.view());
  EXPECT_EQ(out.items(), exclusive_sums(items, 3 + sum(items)));
  EXPECT_EQ(carry.value(), 3 + 2 * sum(items));
}

TEST(scan_values, brings_the_total_to_a_variable)
{
  extent const n   = many_tiles<int>();
  auto const items = random_items<int>(n);
  guarded<int> const in(items), out(n);
  onepass::workspace<exec_space> scratch(exec_space{});
  int total = 0;
  onepass::exclusive_scan(row(), in.view(), out.view(), onepass::plus{}, 5, total);
  EXPECT_EQ(total, 5 + sum(items));
  onepass::exclusive_scan(row().with(scratch), in.view(), out.view(), onepass::plus{}, total, total);
  EXPECT_EQ(total, 5 + 2 * sum(items));
  EXPECT_EQ(out.items(), exclusive_sums(items, 5 + sum(items)));
}

TEST(scan_values, of_floats_begins_with_a_positive_zero)
{
  extent const n = many_tiles<float>();
  guarded<float> const in(std::vector<float>(std::size_t(n), -0.0f)), out(n);
  single<float> const total(1.0f);
  onepass::exclusive_scan(row(), in.view(), out.view(), onepass::plus{}, onepass::no_init{}, total.view());
  for (float const x : out.items()) ASSERT_TRUE(x == 0 && !std::signbit(x));
  EXPECT_FALSE(std::signbit(total.value()));
  onepass::inclusive_scan(row(), in.view(), out.view());
  for (float const x : out.items()) ASSERT_TRUE(std::signbit(x)) << "sums of items alone, as std::inclusive_scan";
}

TEST(scan_values, takes_the_operators_of_std)
{
  extent const n   = many_tiles<int>();
  auto const items = random_items<int>(n);
  guarded<int> const in(items), out(n);
  onepass::exclusive_scan(row(), in.view(), out.view(), std::plus<>{});
  EXPECT_EQ(out.items(), exclusive_sums(items, 0));
  auto expected = items;
  onepass::inclusive_scan(row(), in.view(), out.view(), std::bit_or<int>{});
  std::inclusive_scan(items.begin(), items.end(), expected.begin(), std::bit_or<>{});
  EXPECT_EQ(out.items(), expected);
}

TEST(scan_values, gives_an_inclusive_scan_its_init)
{
  extent const n   = many_tiles<int>();
  auto const items = random_items<int>(n);
  guarded<int> const in(items), out(n);
  onepass::inclusive_scan(row(), in.view(), out.view(), onepass::plus{}, 100);
  auto expected = items;
  std::inclusive_scan(items.begin(), items.end(), expected.begin(), std::plus{}, 100);
  EXPECT_EQ(out.items(), expected);
}

TEST(scan_values, of_no_items_gives_the_total_init_or_identity)
{
  guarded<int> const none(0);
  single<int> const total(77);
  onepass::exclusive_scan(row(), none.view(), none.view(), onepass::plus{}, 9, total.view());
  EXPECT_EQ(total.value(), 9);
  onepass::inclusive_scan(row(), none.view(), none.view(), onepass::maximum{}, onepass::no_init{}, total.view());
  EXPECT_EQ(total.value(), std::numeric_limits<int>::lowest());
  EXPECT_TRUE(none.untouched());
}

TEST(scan_values, accumulates_narrow_items_in_a_wider_output)
{
  extent const n   = many_tiles<std::uint32_t>();
  auto const items = random_items<std::uint8_t>(n);
  guarded<std::uint8_t> const in(items);
  guarded<std::uint32_t> const out(n);
  onepass::inclusive_scan(row(), in.view(), out.view());
  std::vector<std::uint32_t> expected(items.begin(), items.end());
  std::inclusive_scan(expected.begin(), expected.end(), expected.begin());
  EXPECT_EQ(out.items(), expected);
  EXPECT_TRUE(out.canaries_alive());
}

TEST(scan_values, accumulates_in_the_type_that_is_named)
{
  // In floats each of these items would be lost behind the init.
  extent const n = 3000;
  std::vector<float> const items(n, 1.0f / 4096);
  guarded<float> const in(items), out(n);
  single<double> const total;
  onepass::exclusive_scan<double>(row(), in.view(), out.view(), onepass::plus{}, 16777216.0, total.view());
  EXPECT_EQ(out.items()[2048], 16777216.0f);
  EXPECT_EQ(total.value(), 16777216.0 + 3000.0 / 4096);
}

struct counted_half {
  unsigned* calls;
  ONEPASS_FUNCTION std::int64_t operator()(std::int32_t x) const
  {
    Kokkos::atomic_inc(calls);
    return x / 2;
  }
};

TEST(scan_values, transforms_every_item_exactly_once_on_single_pass_schedules)
{
  for (extent const n : some_sizes<std::int64_t>()) {
    auto const items = random_items<std::int32_t>(n);
    guarded<std::int32_t> const in(items);
    guarded<std::int64_t> const inclusive(n), exclusive(n);
    single<unsigned> const calls;
    counted_half const half{calls.view().data()};
    onepass::transform_inclusive_scan(row(), in.view(), inclusive.view(), half);
    bool const twice = this_row().order == onepass::schedule::two_pass;  // its documented price
    EXPECT_EQ(calls.value(), (twice ? 2 : 1) * unsigned(n));
    onepass::transform_exclusive_scan(row(), in.view(), exclusive.view(), half, onepass::plus{}, 5);
    EXPECT_EQ(calls.value(), (twice ? 4 : 2) * unsigned(n));

    std::vector<std::int64_t> expected(items.size());
    auto const halved = [](std::int32_t x) { return std::int64_t(x / 2); };
    std::transform_inclusive_scan(items.begin(), items.end(), expected.begin(), std::plus{}, halved);
    EXPECT_EQ(inclusive.items(), expected);
    std::transform_exclusive_scan(items.begin(), items.end(), expected.begin(), std::int64_t(5), std::plus{}, halved);
    EXPECT_EQ(exclusive.items(), expected);
  }
}

TEST(scan_views, strided_and_const)
{
  extent const n   = many_tiles<int>();
  auto const items = random_items<int>(3 * n);
  guarded<int> const in(items), out(2 * n);
  Kokkos::View<int const*, Kokkos::LayoutStride, memory_space> const every_third(
      in.view().data() + 1, Kokkos::LayoutStride(std::size_t(n), 3));
  Kokkos::View<int*, Kokkos::LayoutStride, memory_space> const every_second(out.view().data(),
                                                                            Kokkos::LayoutStride(std::size_t(n), 2));
  onepass::exclusive_scan(row(), every_third, every_second, onepass::plus{}, 1);

  auto const got = out.items();
  int expected   = 1, poison;
  std::memset(&poison, 0xa5, sizeof poison);
  for (extent i = 0; i < n; ++i) {
    ASSERT_EQ(got[std::size_t(2 * i)], expected) << "at " << i;
    ASSERT_EQ(got[std::size_t(2 * i + 1)], poison) << "between the items, after " << i;
    expected += items[std::size_t(3 * i + 1)];
  }
  EXPECT_TRUE(out.canaries_alive());
}

TEST(scan_views, that_begin_anywhere)
{
  for (extent const n : some_sizes<std::uint8_t>())
    for (extent const in_shift : {0, 1, 7})
      for (extent const out_shift : {0, 3}) {
        auto const items = random_items<std::uint8_t>(n);
        guarded<std::uint8_t> const in(items, in_shift), out(n, out_shift);
        onepass::inclusive_scan(row(), in.view(), out.view());
        auto expected = items;
        std::inclusive_scan(items.begin(), items.end(), expected.begin());
        EXPECT_EQ(out.items(), expected) << "shifts " << in_shift << " and " << out_shift;
        EXPECT_TRUE(out.canaries_alive());
      }
}

template <class T>
void scan_beyond_caches()
{
  extent const n = beyond_caches<T>();
  if (n == 0) GTEST_SKIP() << "this row writes all outputs alike";
  auto const items = random_items<T>(n);
  guarded<T> const in(items), out(n, 1);
  onepass::inclusive_scan(row(), in.view(), out.view());
  auto expected = items;
  std::inclusive_scan(items.begin(), items.end(), expected.begin(), [](T a, T b) { return static_cast<T>(a + b); });
  EXPECT_TRUE(out.items() == expected);
  EXPECT_TRUE(out.canaries_alive());
}

TEST(scan_views, of_bytes_beyond_all_caches) { scan_beyond_caches<std::uint8_t>(); }
TEST(scan_views, of_doubles_beyond_all_caches) { scan_beyond_caches<double>(); }
TEST(scan_views, of_complex_numbers_beyond_all_caches) { scan_beyond_caches<Kokkos::complex<double>>(); }

/// A number that knows where it was assigned.
struct placed_number {
  placed_number const* here = nullptr;
  std::int64_t value        = 0;

  placed_number() = default;
  placed_number(std::int64_t x)
      : value(x)
  {}
  placed_number(placed_number const& other)
      : value(other.value)
  {}
  placed_number& operator=(placed_number const& other)
  {
    here = this, value = other.value;
    return *this;
  }
};

template <class Where>
void expect_results_assigned(Where const& where)
{
  extent const n = std::max<extent>(beyond_caches<double>(), 1000);
  std::vector<std::int64_t> const items(std::size_t(n), 1);
  guarded<std::int64_t> const in(items);
  auto const expect_right = [&](char const* call, auto const& make) {
    std::vector<placed_number> out(items.size());
    make(unmanaged<placed_number>(out.data(), out.size()));
    extent wrong = 0;
    for (extent i = 0; i < n; ++i)
      wrong += out[std::size_t(i)].here != &out[std::size_t(i)] || out[std::size_t(i)].value != i + 1;
    EXPECT_EQ(wrong, 0) << call;
  };
  expect_right("scan", [&](auto const& out) { onepass::inclusive_scan<std::int64_t>(where, in.view(), out); });
  expect_right("scan of rows", [&](auto const& out) {
    auto const row_of = [](auto const& all) {
      using item = typename std::remove_cvref_t<decltype(all)>::value_type;
      return Kokkos::View<item**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryUnmanaged>(all.data(), 1,
                                                                                              all.size());
    };
    onepass::inclusive_scan<std::int64_t>(where, row_of(in.view()), row_of(out));
  });
}

/// Results whose assignment is more than a copy of bytes are assigned where they belong, however many they are.
TEST(scan_values, assigns_results_that_are_no_bytes)
{
  if constexpr (onepass::returns_finished<decltype(row())>) {
    expect_results_assigned(row());
    expect_results_assigned(onepass::canonically(exec_space{}));
  } else GTEST_SKIP() << "teams take bytes";
}

TEST(scan_views, an_output_that_is_longer_keeps_its_rest)
{
  extent const n = many_tiles<int>();
  auto items     = random_items<int>(n);
  guarded<int> const in(items);
  guarded<int> const out(std::vector<int>(std::size_t(n + 100), 42));
  onepass::inclusive_scan(row(), in.view(), out.view());
  std::inclusive_scan(items.begin(), items.end(), items.begin());
  items.resize(std::size_t(n + 100), 42);
  EXPECT_EQ(out.items(), items);
}

TEST(scan_views, sequences_need_no_memory)
{
  extent const n = many_tiles<std::int64_t>();
  guarded<std::int64_t> const out(n);
  onepass::exclusive_scan(row(), onepass::counting<std::int64_t>{0, n}, out.view());
  auto const got = out.items();
  for (extent i = 0; i < n; ++i) ASSERT_EQ(got[std::size_t(i)], i * (i - 1) / 2);
}

}  // namespace
