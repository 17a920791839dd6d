// SPDX-License-Identifier: Apache-2.0
// Every strategy with every network: the witness, the oracle, what they move, what they refuse.
#include "guarded.hpp"
#include "inputs.hpp"
#include "refusal.hpp"
#include "witness.hpp"

#include <onepass/classic/strategies.hpp>

#include <gtest/gtest.h>

#include <cctype>
#include <numeric>

using namespace test;
using namespace onepass::classic;
using onepass::reachable;

namespace {

constexpr bool on_host = reachable<Kokkos::DefaultHostExecutionSpace, unmanaged<int>>;
constexpr bool tiny    = std::is_same_v<ONEPASS_ROW_TUNING, onepass::tiny_tuning>;

/// The strategy and network in the row's shape: blocks of a few lanes where the row has tiny tiles and the space allows
/// it.
choice shaped(strategy how, network by)
{
  choice c{how, by};
  if (!tiny && on_host) c.items_per_lane = 3;
  if (!tiny) return c;
  c.items_per_lane = 1;
  if (on_host && by != network::blelloch_unrolled) c.wide = {8, 4};
  c.teams = 5;
  return c;
}

/// Sizes at the edges of tiles, of windows, and of levels of sums.
std::vector<extent> sizes(choice const& c)
{
  extent const tile = extent(c.wide.lanes) * std::max(c.items_per_lane, 1);
  std::vector<extent> all{1, tile - 1, tile, tile + 1, 5 * tile, 5 * tile + 1};
  if (tiny) all.insert(all.end(), {33 * tile - 1, 70 * tile + 3});
  else if (!on_host) all.insert(all.end(), {100003, 1000003});  // tiles as long as the device likes them
  return all;
}

template <class F>
void each_choice(F const& f)
{
  for (auto const& s : all_strategies)
    for (auto const& n : networks) {
      SCOPED_TRACE(std::string(s.name) + " with " + n.name);
      f(shaped(s.id, n.id));
    }
}

/// One strategy with one network, so that slow tools can take them one by one.
class each_strategy : public testing::TestWithParam<std::tuple<strategy_entry, network_entry>> {
public:
  static choice chosen() { return shaped(std::get<0>(GetParam()).id, std::get<1>(GetParam()).id); }
};

TEST_P(each_strategy, takes_every_item_once_and_in_order)
{
  faults seen;
  auto small = chosen();
  if (small.by == network::ballot) return;
  if (!on_host) small.items_per_lane = 1;
  for (extent const n : sizes(small)) {
    if (n > 1 << 15) continue;
    guarded<small_interval> const in(neighbours<small_interval>(n)), out(n);
    inclusive_scan(row(), small, in.view(), out.view(), join{seen.sink()});
    auto const got = out.items();
    for (extent i = 0; i < n; ++i)
      ASSERT_EQ(got[std::size_t(i)], small_interval::of(0, std::int32_t(i + 1))) << "at " << i << " of " << n;
    ASSERT_TRUE(out.canaries_alive()) << "n = " << n;
  }
  ASSERT_EQ(seen.text(), "");
}

template <class T>
void expect_sums(choice const& c)
{
  if (c.by == network::ballot && !std::unsigned_integral<T>) return;
  for (extent const n : sizes(c)) {
    std::vector<T> items;
    for (extent i = 0; i < n; ++i)
      items.push_back(std::is_integral_v<T> ? T(i * 2654435761u) : T(i % 7) - 3);  // float sums are exact
    std::vector<T> expected(items.size());
    std::inclusive_scan(items.begin(), items.end(), expected.begin(), onepass::plus{});
    guarded<T> const in(items, n % 3), out(n, 1);
    inclusive_scan(row(), c, in.view(), out.view());
    ASSERT_EQ(out.items(), expected) << "n = " << n;
    ASSERT_TRUE(out.canaries_alive()) << "n = " << n;
    inclusive_scan(row(), c, in.view(), in.view());
    ASSERT_EQ(in.items(), expected) << "in place, n = " << n;
  }
}
TEST_P(each_strategy, agrees_with_std_on_u32) { expect_sums<std::uint32_t>(chosen()); }
TEST_P(each_strategy, agrees_with_std_on_f32) { expect_sums<float>(chosen()); }

INSTANTIATE_TEST_SUITE_P(classic, each_strategy,
                         testing::Combine(testing::ValuesIn(all_strategies), testing::ValuesIn(networks)),
                         [](auto const& tested) {
                           auto name = std::string(std::get<0>(tested.param).name) + "_with_"
                                       + std::string(std::get<1>(tested.param).name);
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

TEST(strategies, share_a_workspace_call_after_call)
{
  onepass::workspace<exec_space> scratch(exec_space{});
  std::vector<std::uint32_t> items(2000, 1), expected(2000);
  std::iota(expected.begin(), expected.end(), 1u);
  guarded<std::uint32_t> const in(items);
  for (int repetition = 0; repetition < 3; ++repetition)
    for (auto const& s : all_strategies) {
      guarded<std::uint32_t> const out(2000);
      auto c           = shaped(s.id, network::raking);
      c.items_per_lane = 1;
      inclusive_scan(row().with(scratch), c, in.view(), out.view());
      ASSERT_EQ(out.items(), expected) << s.name;
    }
}

TEST(strategies, filter_the_worked_example)
{
  std::vector<std::uint32_t> const items{1, 0, 0, 0, 4, 3, 2, 0, 6, 8, 9, 0};
  std::vector<std::uint32_t> flags;
  for (auto const x : items) flags.push_back(x > 0);
  each_choice([&](choice const& c) {
    guarded<std::uint32_t> const in(flags), out(12);
    inclusive_scan(row(), c, in.view(), out.view());
    auto const places = out.items();
    std::vector<std::uint32_t> kept(places.back());
    for (std::size_t i = 0; i < items.size(); ++i)
      if (flags[i]) kept[places[i] - 1] = items[i];
    EXPECT_EQ(kept, (std::vector<std::uint32_t>{1, 4, 3, 2, 6, 8, 9}));
  });
}

TEST(ladder, scans_on_every_rung)
{
  for (auto const& r : ladder) {
    std::vector<std::uint32_t> expected(70001);
    std::iota(expected.begin(), expected.end(), 1u);
    guarded<std::uint32_t> const in(std::vector<std::uint32_t>(70001, 1)), out(70001);
    inclusive_scan(row(), choice_named(r.name), in.view(), out.view());
    EXPECT_EQ(out.items(), expected) << r.name;
  }
}

// ---- what is read and written

struct traffic {
  std::uint64_t read, written;
};

/// An item in memory that counts who comes by.
struct counted_item {
  std::uint32_t* item;
  traffic* count;
  ONEPASS_FUNCTION operator std::uint32_t() const
  {
    Kokkos::atomic_inc(&count->read);
    return *item;
  }
  ONEPASS_FUNCTION counted_item const& operator=(std::uint32_t x) const
  {
    Kokkos::atomic_inc(&count->written);
    *item = x;
    return *this;
  }
};
struct counted_items {
  using value_type = std::uint32_t;
  std::uint32_t* data;
  extent size;
  traffic* count;
  ONEPASS_FUNCTION counted_item operator()(extent i) const { return {data + i, count}; }
};

TEST(strategies, move_as_many_items_as_they_declare)
{
  for (auto const& s : all_strategies) {
    auto c = shaped(s.id, network::warp_brent_kung);
    if (c.items_per_lane == 0) c.items_per_lane = 1;
    c.teams           = 5;
    extent const tile = extent(c.wide.lanes) * c.items_per_lane;
    for (extent const n : {tile, 2 * tile, 17 * tile + 5}) {
      guarded<std::uint32_t> const in(std::vector<std::uint32_t>(std::size_t(n), 1)), out(n);
      single<traffic> const count;
      inclusive_scan(row(), c, counted_items{in.view().data(), n, count.view().data()},
                     counted_items{out.view().data(), n, count.view().data()});
      auto const moved = count.value();
      extent once      = 2;  // on hosts a tile is read from its cache again
      if (on_host) {
        EXPECT_GE(extent(moved.read + moved.written), items_moved(s.id, n, tile, c.teams)) << s.name;
        once = 3;
      }
      EXPECT_EQ(extent(moved.read + moved.written), items_moved(s.id, n, tile, c.teams) + (once - 2) * n)
          << s.name << ", n = " << n;
      EXPECT_EQ(out.items().back(), std::uint32_t(n));
    }
  }
}

TEST(look_back, says_how_far_it_looked)
{
  for (auto const how :
       {strategy::look_back, strategy::look_back_lane, strategy::look_back_fenced, strategy::look_back_fenced_lane}) {
    auto c             = shaped(how, network::raking);
    c.items_per_lane   = 1;
    extent const tiles = 50, n = tiles * c.wide.lanes;
    guarded<std::uint32_t> const in(std::vector<std::uint32_t>(std::size_t(n), 1)), out(n);
    single<look_back_distance> const distance;
    inclusive_scan(row(), c, in.view(), out.view(), onepass::plus{}, distance.view());
    auto const far = distance.value();
    EXPECT_EQ(far.tiles, 49u);
    EXPECT_GE(far.inspected, far.tiles);
    EXPECT_LE(far.inspected, far.tiles * far.farthest);
    EXPECT_LE(far.farthest, 49u);
  }
}

// ---- what cannot work

std::string refused(choice const& c)
{
  guarded<float> const in(std::vector<float>(100)), out(100);
  auto const said = refusal([&] { inclusive_scan(row(), c, in.view(), out.view()); });
  EXPECT_TRUE(out.untouched());
  return said;
}

TEST(strategies, refuse_before_anything_runs)
{
  auto const says = [](choice const& c, char const* sentence) {
    auto const said = refused(c);
    EXPECT_NE(said.find(sentence), std::string::npos) << said;
  };
  says({strategy::look_back, network::blelloch_unrolled, {64, 32}},
       on_host ? "the network is 256 lanes wide and the block 64" : "on a device they have 256");
  says({strategy::look_back, network::ballot}, "ballots add unsigned integers");
  says({strategy::chained, network::raking, {48, 16}}, "give powers of two");
  says({strategy::chained, network::raking, {16, 32}}, "16 lanes in warps of 32");
  if (on_host)
    says({strategy::chained, network::warp_brent_kung, {64, 4}},
         "one warp of 4 scans the sums of at most as many warps, and the block has 16");
  else says({strategy::chained, network::raking, {}, 7}, "7 items a lane");
  guarded<std::uint32_t> const in(std::vector<std::uint32_t>(100)), few(99);
  EXPECT_THROW(inclusive_scan(row(), choice{}, in.view(), few.view()), onepass::precondition_error);
  EXPECT_TRUE(few.untouched());
}

TEST(names, are_listed_when_one_is_not_known)
{
  EXPECT_EQ(choice_named("reduce-then-scan-raking").how, strategy::reduce_then_scan_raking);
  EXPECT_EQ(choice_named("ladder-8-items").items_per_lane, 8);
  EXPECT_EQ(network_named("brent-kung-padded"), network::brent_kung_padded);
  for (auto const& s : all_strategies) EXPECT_STREQ(entry_of(s.id).name, s.name);
  for (auto const& n : networks) EXPECT_STREQ(entry_of(n.id).name, n.name);
  auto const said = refusal([] { (void)choice_named("look-sideways"); });
  EXPECT_NE(said.find("look-sideways; there are scan-then-propagate, "), std::string::npos) << said;
  EXPECT_THROW((void)network_named("token-ring"), onepass::precondition_error);
}

}  // namespace
