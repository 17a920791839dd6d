// SPDX-License-Identifier: Apache-2.0
// Searches for the first item and merges by teams of several threads.
#include "host_teams.hpp"
#include "seed.hpp"

#include <onepass/programs/find.hpp>
#include <onepass/programs/merge.hpp>
#include <onepass/sequences.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

using namespace onepass;

namespace {

struct is_set {
  template <class T>
  bool operator()(T const& x) const
  {
    return x != T(0);
  }
};

/// Of n items those at `set` are wanted; they begin `shift` items behind 16 bytes.
template <int Threads, class T>
void expect_found(extent n, std::vector<extent> const& set, std::size_t shift)
{
  alignas(16) static T memory[5000];
  std::fill(std::begin(memory), std::end(memory), T(1));  // what lies outside is wanted, and not asked for
  T* const items = memory + shift;
  std::fill(items, items + n, T(0));
  for (extent const i : set) items[i] = T(1);
  extent found = n;

  using program = find_first_program<contiguous<T const>, is_set>;
  program const find{{items, n}, {}, {n}, &found};
  constexpr int tile = program::positions(test::numbers<Threads>);
  int const tiles    = int(div_up(n, tile));
  test::on_teams<range_sums, 1, Threads>(tiles, [&](auto const& team, int t) {
    find.template together<tile>(team, t, t * tile, std::min<extent>(t * tile + tile, n));
  });
  EXPECT_EQ(found, set.empty() ? n : *std::min_element(set.begin(), set.end())) << n << " items, " << shift;
}

TEST(find_teams, find_the_first_of_a_tile_and_of_all)
{
  test::random_words engine(test::seed());
  for (extent const n : {1, 63, 64, 144, 577, 2000})
    for (std::size_t const shift : {0, 1}) {
      for (int times = 0; times < 4; ++times) {
        std::vector<extent> set;
        for (int k = 0; k < times; ++k) set.push_back(extent(engine() % std::uint64_t(n)));
        expect_found<4, std::uint32_t>(n, set, shift);
        expect_found<7, std::uint8_t>(n, set, shift);
        expect_found<4, double>(n, set, shift);
      }
      expect_found<4, std::uint32_t>(n, {n - 1}, shift);
      expect_found<4, std::uint8_t>(n, {n - 1, n / 2}, shift);
    }
}

/// An item, and where it came from.
struct marked {
  int key, from;
  friend bool operator==(marked const&, marked const&) = default;
};
struct by_key {
  bool operator()(marked const& a, marked const& b) const { return a.key < b.key; }
};

template <int Threads>
void expect_merged(extent as, extent bs, unsigned values)
{
  test::random_words engine(test::seed());
  auto const made = [&](extent n, int base) {
    std::vector<int> keys;
    for (extent i = 0; i < n; ++i) keys.push_back(int(engine() % values));
    std::sort(keys.begin(), keys.end());
    std::vector<marked> items;
    for (int const key : keys) items.push_back({key, base++});
    return items;
  };
  auto const a = made(as, 0), b = made(bs, 1000000);
  std::vector<marked> expected, out(std::size_t(as + bs));
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), by_key{});
  std::vector<int> expected_from, from(out.size());
  for (auto const& x : expected) expected_from.push_back(x.from);
  std::vector<extent> splits(out.size() + 1);

  using items   = contiguous<marked const>;
  using beside  = values_beside<counting<int>, counting<int>, contiguous<int>>;
  using program = merge_program<items, items, contiguous<marked>, by_key, beside>;
  program const merge{{a.data(), as},
                      {b.data(), bs},
                      {as},
                      {bs},
                      {out.data(), as + bs},
                      {},
                      {{0, as}, {1000000, bs}, {from.data(), as + bs}},
                      splits.data()};
  constexpr int tile  = program::positions(test::numbers<Threads>);
  constexpr int words = int(div_up(program::stage_words(tile), Threads));
  int const tiles     = int(div_up(as + bs, tile));
  for (int t = 0; t < tiles; ++t) merge.seek(t, extent(t) * tile);
  test::on_teams<range_sums, words, Threads>(tiles, [&](auto const& team, int t) {
    merge.template together<tile>(team, t, t * tile, std::min<extent>(t * tile + tile, as + bs));
  });
  EXPECT_EQ(out == expected, true) << as << " and " << bs << " of " << values;
  EXPECT_EQ(from, expected_from) << as << " and " << bs << " of " << values;
}

TEST(merge_teams, merge_tiles_of_any_split)
{
  for (unsigned const values : {1u, 3u, 1000u})
    for (auto const& [as, bs] :
         {std::pair<extent, extent>{1, 0}, {0, 1}, {63, 65}, {64, 0}, {500, 500}, {1, 1300}, {1111, 3}}) {
      expect_merged<4>(as, bs, values);
      expect_merged<7>(as, bs, values);
    }
}

/// Random items, which tells who asks for others.
struct unsorted_items {
  using value_type = int;

  std::vector<int> const& items;
  std::atomic<int>& outside;

  int operator()(extent k) const
  {
    if (0 <= k && k < extent(items.size())) return items[std::size_t(k)];
    ++outside;
    return 0;
  }
};

TEST(merge_teams, stay_inside_of_inputs_that_are_not_sorted)
{
  constexpr int threads = 4;
  using program         = merge_program<unsorted_items, unsorted_items, contiguous<int>, std::less<>, keys_alone>;
  constexpr int tile    = program::positions(test::numbers<threads>);
  constexpr int words   = int(div_up(program::stage_words(tile), threads));
  test::random_words engine(test::seed());
  std::atomic<int> outside{0};
  for (int turn = 0; turn < 20; ++turn) {
    std::vector<int> a(std::size_t(10 * tile + turn)), b(std::size_t(10 * tile - turn)), out(a.size() + b.size());
    for (auto* const items : {&a, &b})
      for (auto& x : *items) x = int(engine() % 1000);
    extent const as = extent(a.size()), bs = extent(b.size()), all = as + bs;
    std::vector<extent> splits(out.size());
    program const merge{{a, outside}, {b, outside}, {as}, {bs}, {out.data(), all}, {}, {}, splits.data()};
    int const tiles = int(div_up(all, tile));
    for (int t = 0; t < tiles; ++t) merge.seek(t, extent(t) * tile);
    test::on_teams<range_sums, words, threads>(tiles, [&](auto const& team, int t) {
      merge.template together<tile>(team, t, t * tile, std::min<extent>(t * tile + tile, all));
    });
    EXPECT_EQ(outside, 0) << "turn " << turn;
  }
}

}  // namespace
