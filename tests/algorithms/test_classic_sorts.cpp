// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/classic/sorts.hpp>

#include <gtest/gtest.h>

using namespace test;
namespace classic = onepass::classic;

namespace {

using key = std::uint32_t;

std::vector<extent> sizes() { return {0, 1, 2, 3, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 5000, 20000}; }

template <class T>
std::vector<T> sorted(std::vector<T> keys)
{
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// The literature's example: 4 7 2 6 3 5 1 0, split by bit 0, then 1, then 2.
TEST(classic_split, does_the_literatures_example)
{
  std::vector<key> const steps[] = {
      {4, 7, 2, 6, 3, 5, 1, 0}, {4, 2, 6, 0, 7, 3, 5, 1}, {4, 0, 5, 1, 2, 6, 7, 3}, {0, 1, 2, 3, 4, 5, 6, 7}};
  for (int bit = 0; bit < 3; ++bit) {
    guarded<key> const in(steps[bit]), out(8);
    classic::split(row(), in.view(), out.view(), bit);
    expect_items(out, steps[bit + 1]);
  }
}

TEST(classic_split, is_stable)
{
  for (extent const n : sizes()) {
    auto const keys = random_keys<key>(n, spread::uniform);
    guarded<key> const in(keys), out(n);
    classic::split(row(), in.view(), out.view(), 5);
    ASSERT_NO_FATAL_FAILURE(
        expect_items(out, gathered(keys, order_of(keys, [](key a, key b) { return (a >> 5 & 1) < (b >> 5 & 1); }))));
  }
}

template <class T, class Sort>
void expect_sorts(Sort const& sort)
{
  for (extent const n : sizes())
    for (auto const how : {spread::uniform, spread::few, spread::ascending, spread::descending}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", spread " + std::to_string(int(how)));
      auto const keys = random_keys<T>(n, how);
      guarded<T> const data(keys, 1);
      sort(data.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(data, sorted(keys)));
    }
}

TEST(classic_sorts, split_sort_sorts)
{
  expect_sorts<std::uint8_t>([](auto const& keys) { classic::split_sort(row(), keys); });
  expect_sorts<std::uint16_t>([](auto const& keys) { classic::split_sort(row(), keys); });
}
TEST(classic_sorts, merge_sort_sorts)
{
  expect_sorts<key>([](auto const& keys) { classic::merge_sort(row(), keys); });
  expect_sorts<std::uint64_t>([](auto const& keys) { classic::merge_sort(row(), keys); });
}
TEST(classic_sorts, bitonic_sort_sorts)
{
  expect_sorts<key>([](auto const& keys) { classic::bitonic_sort(row(), keys); });
}

/// Keys of the largest value are not taken for what stands behind the end of a run.
TEST(classic_sorts, merge_sort_keeps_the_largest_keys)
{
  std::vector<std::uint8_t> keys(5000, 255);
  for (std::size_t i = 0; i < keys.size(); i += 3) keys[i] = std::uint8_t(i);
  guarded<std::uint8_t> const data(keys);
  classic::merge_sort(row(), data.view());
  expect_items(data, sorted(keys));
}

/// Keys that count how often they are read and written.
struct counted_keys {
  using value_type = key;
  key *data, *reads, *writes;
  extent size;

  struct reference {
    key *at, *reads, *writes;
    ONEPASS_FUNCTION operator key() const
    {
      Kokkos::atomic_inc(reads);
      return *at;
    }
    ONEPASS_FUNCTION void operator=(key x) const
    {
      Kokkos::atomic_inc(writes);
      *at = x;
    }
  };
  ONEPASS_FUNCTION reference operator()(extent i) const { return {data + i, reads + i, writes + i}; }
};

TEST(classic_merge, reads_and_writes_each_key_once_a_round)
{
  extent const n = 7013, length = 1500;
  auto keys = random_keys<key>(n, spread::uniform);
  for (extent first = 0; first < n; first += length)
    std::sort(keys.begin() + first, keys.begin() + std::min(n, first + length));
  std::vector<key> const zeros(std::size_t(n), 0), ones(std::size_t(n), 1);
  guarded<key> const in(keys), out(n), reads(zeros), writes(zeros);
  counted_keys const from{in.view().data(), reads.view().data(), writes.view().data(), n};
  counted_keys const to{out.view().data(), reads.view().data(), writes.view().data(), n};
  using merge = classic::merge_pairs<exec_space, counted_keys, counted_keys>;
  auto place  = row().named("merge");
  classic::detail::queue_teams(place, merge{from, to, length}, onepass::div_up(n, 2 * length));

  for (extent first = 0; first < n; first += 2 * length)
    std::sort(keys.begin() + first, keys.begin() + std::min(n, first + 2 * length));
  expect_items(out, keys);
  expect_items(reads, ones);
  expect_items(writes, ones);
}

TEST(classic_sorts, refuse_what_can_not_be_right)
{
  guarded<key> const in(std::vector<key>(100, 1)), out(99);
  expect_says(refusal([&] { classic::split(row(), in.view(), out.view(), 0); }), {"split", "99", "100"});
  expect_says(refusal([&] { classic::split(row(), in.view(), in.view(), 32); }), {"split", "no bit 32"});
  expect_says(refusal([&] { classic::split_sort(row(), in.view(), 33); }), {"split_sort", "33 bits"});
  expect_says(refusal([&] { classic::merge_runs(row(), in.view(), in.view(), 10); }), {"merge_runs", "shares memory"});
  expect_says(refusal([&] { classic::merge_runs(row(), in.view(), out.view(), 0); }), {"merge_runs", "0 keys"});
}

}  // namespace
