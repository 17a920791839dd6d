// SPDX-License-Identifier: Apache-2.0
// Keys of every type, alone.
#include "kernel_log.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/radix_sort.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

template <class T>
class radix_sort_of : public testing::Test {};
using types = testing::Types<std::uint8_t, std::int16_t, std::uint32_t, double>;
TYPED_TEST_SUITE(radix_sort_of, types);

/// Sorted, whatever the bits that say the same: zeros may not change places either.
template <class T>
std::vector<T> sorted(std::vector<T> const& keys, bool descending = false)
{
  return gathered(keys, order_of(keys, [&](T a, T b) { return descending ? key_less(b, a) : key_less(a, b); }));
}

TYPED_TEST(radix_sort_of, sorts_any_number_of_keys)
{
  for (extent const n : sort_sizes()) {
    SCOPED_TRACE("n = " + std::to_string(n));
    auto const keys = random_keys<TypeParam>(n, spread::uniform);
    guarded<TypeParam> const in(keys), out(n);
    onepass::radix_sort(row(), in.view(), out.view());
    ASSERT_NO_FATAL_FAILURE(expect_items(out, sorted(keys)));
    ASSERT_NO_FATAL_FAILURE(expect_items(in, keys));
  }
}

TYPED_TEST(radix_sort_of, sorts_in_place_and_descending)
{
  for (extent const n : {extent(0), extent(1), extent(77), extent(9001), many_keys})
    for (bool const descending : {false, true}) {
      SCOPED_TRACE("n = " + std::to_string(n));
      auto const keys = random_keys<TypeParam>(n, spread::uniform);
      guarded<TypeParam> const data(keys, 1);
      onepass::radix_sort(row(), data.view(), {.descending = descending});
      ASSERT_NO_FATAL_FAILURE(expect_items(data, sorted(keys, descending)));
    }
}

/// Few keys that are in order already are copied, or stay where they are.
TYPED_TEST(radix_sort_of, keeps_what_is_in_order)
{
  for (auto const how : {spread::ascending, spread::equal})
    for (extent const n : {extent(20), extent(40), extent(500)})
      for (extent const wrong : {extent(0), n - 1}) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", all but " + std::to_string(wrong));
        auto keys = sorted(random_keys<TypeParam>(n, how));
        std::swap(keys[std::size_t(wrong)], keys[0]);
        guarded<TypeParam> const in(keys, 1), out(n, 3);
        onepass::radix_sort(row(), in.view(), out.view());
        ASSERT_NO_FATAL_FAILURE(expect_items(out, sorted(keys)));
        onepass::radix_sort(row(), in.view());
        ASSERT_NO_FATAL_FAILURE(expect_items(in, sorted(keys)));
      }
}

TYPED_TEST(radix_sort_of, sorts_keys_however_they_are_spread)
{
  for (auto const how : spreads)
    for (extent const n : {extent(65), extent(100), extent(129), extent(257), extent(1000), extent(3000), many_keys}) {
      SCOPED_TRACE("spread " + std::to_string(int(how)) + ", n = " + std::to_string(n));
      auto const keys = random_keys<TypeParam>(n, how);
      guarded<TypeParam> const in(keys, 1), out(n, 3);
      onepass::radix_sort(row(), in.view(), out.view());
      ASSERT_NO_FATAL_FAILURE(expect_items(out, sorted(keys)));
    }
}

/// Every range of bits sorts by these alone, and so shows stability without values.
TYPED_TEST(radix_sort_of, sorts_by_some_of_the_bits)
{
  constexpr int bits = 8 * int(sizeof(TypeParam));
  for (extent const n : {extent(500), extent(3001), extent(20011)})
    for (auto const& [begin, end] : {std::pair(0, 0),
                                     {0, 1},
                                     {0, bits},
                                     {3, bits - 2},
                                     {bits / 2, bits},
                                     {bits - 1, bits},
                                     {bits / 2 - 1, bits / 2 + 4}}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", bits " + std::to_string(begin) + " to " + std::to_string(end));
      auto const keys = random_keys<TypeParam>(n, spread::uniform);
      guarded<TypeParam> const in(keys), out(n);
      for (bool const descending : {false, true}) {
        onepass::radix_sort(row(), in.view(), out.view(), {descending, begin, end});
        auto const part = [b = begin, e = end](TypeParam x) {
          return b == e ? 0 : std::uint64_t(onepass::key_code(x)) << (64 - e) >> (64 - e + b);
        };
        auto const expected = gathered(keys, order_of(keys, [&](TypeParam x, TypeParam y) {
                                         return descending ? part(y) < part(x) : part(x) < part(y);
                                       }));
        ASSERT_NO_FATAL_FAILURE(expect_items(out, expected));
      }
    }
}

/// Keys that are counted rather than moved, where there are enough of them.
template <class T>
class radix_sort_of_small : public testing::Test {};
using small_types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t>;
TYPED_TEST_SUITE(radix_sort_of_small, small_types);

TYPED_TEST(radix_sort_of_small, sorts_many_keys_however_they_are_spread)
{
  for (extent const n : {0, 1, 255, 4097, tiny_row ? 30011 : sizeof(TypeParam) == 1 ? (1 << 20) + 3 : (1 << 22) + 3})
    for (auto const how : {spread::uniform, spread::equal, spread::skewed, spread::narrow})
      for (bool const descending : {false, true}) {
        SCOPED_TRACE("spread " + std::to_string(int(how)) + ", n = " + std::to_string(n)
                     + (descending ? ", descending" : ""));
        auto keys = random_keys<TypeParam>(n, how);
        guarded<TypeParam> const in(keys, 1), out(n, 3), aligned(n), data(keys);
        onepass::radix_sort(row(), in.view(), out.view(), {.descending = descending});
        onepass::radix_sort(row(), in.view(), aligned.view(), {.descending = descending});
        onepass::radix_sort(row(), data.view(), {.descending = descending});
        std::sort(keys.begin(), keys.end());
        if (descending) std::reverse(keys.begin(), keys.end());
        ASSERT_NO_FATAL_FAILURE(expect_items(out, keys));
        ASSERT_NO_FATAL_FAILURE(expect_items(aligned, keys));
        ASSERT_NO_FATAL_FAILURE(expect_items(data, keys));
      }
}

/// One piece of memory serves the counts and what the machines below take of it.
TEST(radix_sort, counts_keys_in_the_callers_memory)
{
  auto keys        = random_keys<std::uint8_t>(tiny_row ? many_keys : 1 << 20, spread::uniform);
  auto const place = row();
  using exec       = std::remove_cvref_t<decltype(place.space)>;
  Kokkos::View<char*, typename exec::memory_space> const memory("memory", 1 << 17);
  onepass::workspace<exec> scratch(place.space, memory);
  guarded<std::uint8_t> const data(keys);
  for (bool const descending : {true, false})
    onepass::radix_sort(place.with(scratch), data.view(), {.descending = descending});
  std::sort(keys.begin(), keys.end());
  expect_items(data, keys);
}

/// The host takes digits from the top; it counts one of those in which all keys are alike, and asks for the next.
TEST(radix_sort, counts_no_digit_after_another_that_all_keys_share)
{
  if constexpr (std::is_same_v<ONEPASS_ROW_BACKEND, onepass::host_backend>) {
    std::vector<std::uint64_t> keys(tiny_row ? many_keys : 1 << 20);
    random_words words(seed());
    for (auto& key : keys) key = words() >> 44;
    guarded<std::uint64_t> const in(keys, 1), out(extent(keys.size()), 3);
    int counted = 0;
    {
      kernel_log const log;
      onepass::radix_sort(row(), in.view(), out.view());
      for (auto const& kernel : log.kernels) counted += kernel.label.ends_with("(count)");
    }
    EXPECT_TRUE(tiny_row || counted <= 2) << counted;  // of tiny buckets many do not fit, and are counted again
    std::sort(keys.begin(), keys.end());
    expect_items(out, keys);
  }
}

/// What Kokkos::Serial runs needs no workspace for few keys.
TEST(radix_sort, takes_few_keys_without_a_workspace)
{
  auto const place = row();
  using exec       = std::remove_cvref_t<decltype(place.space)>;
  if constexpr (std::is_same_v<ONEPASS_ROW_BACKEND, onepass::serial_backend>) {
    Kokkos::View<char*, typename exec::memory_space> const memory("memory", 256);
    onepass::workspace<exec> scratch(place.space, memory);
    for (bool const in_place : {false, true})
      for (extent n = 0; n <= 32; ++n) {
        auto keys = random_keys<std::uint64_t>(n, spread::uniform);
        guarded<std::uint64_t> const in(keys), out(n);
        if (in_place) onepass::radix_sort(place.with(scratch), in.view());
        else onepass::radix_sort(place.with(scratch), in.view(), out.view());
        std::sort(keys.begin(), keys.end());
        ASSERT_NO_FATAL_FAILURE(expect_items(in_place ? in : out, keys));
      }
  }
}

}  // namespace
