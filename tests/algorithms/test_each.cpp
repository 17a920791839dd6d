// SPDX-License-Identifier: Apache-2.0
// Functions in, functions out.
#include "guarded.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/each.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace test;

namespace {

template <class Interval>
struct make_neighbour {
  unmanaged<std::uint32_t> asked;  ///< how often, of each
  KOKKOS_FUNCTION Interval operator()(extent i) const
  {
    Kokkos::atomic_inc(&asked(i));
    return Interval::of(std::int32_t(i), std::int32_t(i + 1));
  }
};
template <class Interval>
struct note {
  unmanaged<Interval> out;
  unmanaged<std::uint32_t> used;
  KOKKOS_FUNCTION void operator()(extent i, Interval const& x) const
  {
    Kokkos::atomic_inc(&used(i));
    out(i) = x;
  }
};

guarded<std::uint32_t> zeros(extent n) { return guarded(std::vector<std::uint32_t>(std::size_t(n), 0)); }

void expect_all(guarded<std::uint32_t> const& counts, std::uint32_t expected)
{
  for (auto const c : counts.items()) ASSERT_EQ(c, expected);
  EXPECT_TRUE(counts.canaries_alive());
}

template <class Interval>
class scan_each : public testing::Test {};
using intervals = testing::Types<small_interval, large_interval>;
TYPED_TEST_SUITE(scan_each, intervals);

TYPED_TEST(scan_each, takes_every_item_once_and_in_order)
{
  std::uint32_t const times = onepass::takes_two_passes(row()) ? 2 : 1;
  for (extent const n : edge_sizes<TypeParam>()) {
    SCOPED_TRACE("n = " + std::to_string(n));
    faults const seen;
    guarded<TypeParam> const before(n), through(n);
    auto const asked = zeros(n), used = zeros(n), used_through = zeros(n);
    single<TypeParam> const total;
    onepass::scan_each(row(), n, make_neighbour<TypeParam>{asked}, note<TypeParam>{before, used}, join{seen.sink()},
                       TypeParam::of(-1, 0), total.view());
    expect_all(asked, times);
    onepass::inclusive_scan_each(row(), n, make_neighbour<TypeParam>{asked}, note<TypeParam>{through, used_through},
                                 join{seen.sink()});
    expect_all(asked, 2 * times);
    expect_all(used, 1);
    expect_all(used_through, 1);
    EXPECT_EQ(seen.text(), "");
    EXPECT_EQ(total.value(), TypeParam::of(-1, std::int32_t(n)));
    auto const a = before.items(), b = through.items();
    for (extent i = 0; i < n; ++i) {
      ASSERT_EQ(a[std::size_t(i)], TypeParam::of(-1, std::int32_t(i))) << "at " << i;
      ASSERT_EQ(b[std::size_t(i)], TypeParam::of(0, std::int32_t(i + 1))) << "at " << i;
    }
    EXPECT_TRUE(before.canaries_alive() && through.canaries_alive());
  }
}

struct is_kept {
  unmanaged<std::uint8_t> flags;
  unmanaged<std::uint32_t> asked;
  KOKKOS_FUNCTION bool operator()(extent i) const
  {
    Kokkos::atomic_inc(&asked(i));
    return flags(i) != 0;
  }
};
struct to_two_arrays {
  unmanaged<std::uint32_t> from, at;
  unmanaged<double> half;
  KOKKOS_FUNCTION void operator()(extent i, extent place) const
  {
    at(i)       = std::uint32_t(place);
    half(place) = from(i) / 2.0;
  }
};

TEST(select_each, hands_over_what_is_kept_in_order_and_counts_it)
{
  std::uint32_t const times = onepass::takes_two_passes(row()) ? 2 : 1;
  for (int const one_in : {1, 2, 10, 1000000})
    for (extent const n : edge_sizes<std::uint64_t>()) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", 1 in " + std::to_string(one_in));
      std::vector<std::uint8_t> flags;
      std::vector<std::uint32_t> at;
      std::vector<double> half;
      auto const items = random_items<std::uint32_t>(n);
      for (auto const x : items) {
        flags.push_back(x % std::uint32_t(one_in) == 0);
        at.push_back(flags.back() ? std::uint32_t(half.size()) : 77);
        if (flags.back()) half.push_back(x / 2.0);
      }
      guarded<std::uint8_t> const in(flags);
      guarded<std::uint32_t> const from(items), places(std::vector<std::uint32_t>(std::size_t(n), 77));
      guarded<double> const out(extent(half.size()));
      auto const asked = zeros(n);
      single<int> const count(-1);
      onepass::select_each(row(), n, is_kept{in, asked}, to_two_arrays{from, places, out}, count.view());
      ASSERT_EQ(count.value(), int(half.size()));
      int variable = -1;
      onepass::select_each(row(), n, is_kept{in, zeros(n)}, to_two_arrays{from, places, out}, variable);
      ASSERT_EQ(variable, int(half.size()));
      ASSERT_TRUE(out.items() == half);
      ASSERT_TRUE(places.items() == at);
      expect_all(asked, times);
      EXPECT_TRUE(out.canaries_alive() && places.canaries_alive());
    }
}

struct rest_by_three {
  KOKKOS_FUNCTION int operator()(extent i) const { return int(i % 3); }
};
struct is_multiple_of_three {
  KOKKOS_FUNCTION bool operator()(extent i) const { return i % 3 == 0; }
};
struct no_item {
  KOKKOS_FUNCTION bool operator()(extent) const { return false; }
};
struct put_prefix {
  unmanaged<int> to;
  KOKKOS_FUNCTION void operator()(extent i, int x) const { to(i) = x; }
};
struct put_position {
  unmanaged<int> to;
  KOKKOS_FUNCTION void operator()(extent i, extent place) const { to(place) = int(i); }
};

TEST(each, waits_for_nothing_allocates_nothing_and_stays_on_its_instance)
{
  auto const instances = Kokkos::Experimental::partition_space(exec_space{}, 1, 1);
  for (extent const n : some_sizes<int>())
    for (auto const& mine : instances) {
      guarded<int> const out(n), kept(n);
      single<int> const total;
      single<extent> const count;
      onepass::workspace<exec_space> scratch(mine);
      auto const call = [&] {
        auto const where = row(mine).with(scratch);
        onepass::scan_each(where, n, rest_by_three{}, put_prefix{out.view()}, onepass::plus{}, 0, total.view());
        onepass::select_each(where, n, is_multiple_of_three{}, put_position{kept.view()}, count.view());
        onepass::select_each(where, n, no_item{}, put_position{kept.view()});
      };
      SCOPED_TRACE("n = " + std::to_string(n));
      expect_discipline_of(call, mine);
      EXPECT_EQ(total.value(), n / 3 * 3 + (n % 3 == 2));
      EXPECT_EQ(count.value(), (n + 2) / 3);
    }
}

}  // namespace
