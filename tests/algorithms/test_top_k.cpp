// SPDX-License-Identifier: Apache-2.0
// Keys of every type; the oracle sorts positions by key, then position.
#include "kernel_log.hpp"
#include "refusal.hpp"
#include "row.hpp"
#include "sorting.hpp"

#include <onepass/top_k.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

template <class T>
class top_k_of : public testing::Test {};
using types = testing::Types<std::uint8_t, std::int16_t, std::uint32_t, double>;  // codes of 1, 2, 4, 8 bytes
TYPED_TEST_SUITE(top_k_of, types);

template <class T>
void expect_first(guarded<T> const& in, std::vector<T> const& keys, extent k, bool descending)
{
  SCOPED_TRACE(std::to_string(k) + " of " + std::to_string(keys.size()) + (descending ? ", descending" : ""));
  guarded<T> const first(k, 1);
  guarded<std::uint32_t> const indices(k);
  onepass::top_k(row(), in.view(), k, first.view(), indices.view(), {.descending = descending});
  auto const expected = first_of(keys, k, descending);
  ASSERT_NO_FATAL_FAILURE(expect_items(indices, expected));
  ASSERT_NO_FATAL_FAILURE(expect_items(first, gathered(keys, expected)));

  guarded<T> const alone(k, 1);
  onepass::top_k(row(), in.view(), k, alone.view(), {.descending = descending});
  ASSERT_NO_FATAL_FAILURE(expect_items(alone, gathered(keys, expected)));

  if (k == 0) return;
  single<T> const last;
  onepass::select_kth(row(), in.view(), k - 1, last.view(), {.descending = descending});
  T const got = last.value(), wanted = alone.items().back();
  ASSERT_EQ(std::memcmp(&got, &wanted, sizeof(T)), 0);
}

TYPED_TEST(top_k_of, agrees_with_std)
{
  for (extent const n : {0, 1, 2, 63, 64, 65, 257, 4096, 4097, 10007}) {
    auto const keys = random_keys<TypeParam>(n, n % 2 ? spread::uniform : spread::narrow);
    guarded<TypeParam> const in(keys, n % 3);
    extent last = -1;
    for (extent const k : {extent(0), extent(1), extent(2), extent(33), n / 100, n / 4, n / 4 + 1, n - 1, n})
      if (k > last && k <= n) { ASSERT_NO_FATAL_FAILURE(expect_first(in, keys, last = k, k % 2 == 0)); }
  }
}

TYPED_TEST(top_k_of, finds_them_however_keys_are_spread)
{
  for (auto const how : spreads)
    for (extent const n : {extent(4099), many_keys}) {
      SCOPED_TRACE("spread " + std::to_string(int(how)));
      auto const keys = random_keys<TypeParam>(n, how);
      guarded<TypeParam> const in(keys, 1);
      for (extent const k : {extent(1), extent(64), n / 9}) {
        ASSERT_NO_FATAL_FAILURE(expect_first(in, keys, k, false));
        ASSERT_NO_FATAL_FAILURE(expect_first(in, keys, k, true));
      }
    }
}

/// Hosts compare blocks of items with a limit, and sample where many are below it.
TYPED_TEST(top_k_of, takes_keys_in_any_order)
{
  auto const ordered = [](auto keys, int how) {
    std::stable_sort(keys.begin(), keys.end(), [](auto const& a, auto const& b) { return key_less(a, b); });
    if (how == 1) std::reverse(keys.begin(), keys.end());
    if (how == 2) std::reverse(keys.begin() + extent(keys.size()) / 3, keys.end());
    return keys;
  };
  for (extent const n : {16, 17, 64, 65, 80, 129, 300, 2500})
    for (auto const how : {spread::uniform, spread::few})
      for (int const order : {0, 1, 2, 3}) {
        SCOPED_TRACE("spread " + std::to_string(int(how)) + ", order " + std::to_string(order));
        auto keys = random_keys<TypeParam>(n, how);
        if (order < 3) keys = ordered(keys, order);
        guarded<TypeParam> const in(keys, n % 3);
        for (extent const k : {1, 4, 22, 300})
          if (k <= n) { ASSERT_NO_FATAL_FAILURE(expect_first(in, keys, k, (k + order) % 2 == 0)); }
      }
}

/// The sign of a zero is not in its code, nor in its rank but by its position; what is not a number lies at both ends.
TEST(top_k, keeps_the_signs_of_zeros_and_takes_what_is_no_number)
{
  double const nan = std::numeric_limits<double>::quiet_NaN(), least = std::numeric_limits<double>::denorm_min();
  for (extent const n : {7, 40, 100, 3000}) {
    std::vector<double> keys;
    for (extent i = 0; i < n; ++i) {
      auto const kind = std::uint32_t(i) * 2654435769u >> 28;
      keys.push_back(kind < 5    ? 0.0
                     : kind < 10 ? -0.0
                     : kind < 12 ? -least
                     : kind < 14 ? least
                     : kind < 15 ? nan
                                 : -nan);
    }
    guarded<double> const in(keys);
    for (extent const k : {extent(1), extent(3), extent(7), n / 8, n / 3, n / 2, 2 * n / 3, n})
      for (bool const descending : {false, true})
        if (k > 0) {
          ASSERT_NO_FATAL_FAILURE(expect_first(in, keys, k, descending));
          auto const expected = keys[first_of(keys, k, descending)[std::size_t(k - 1)]];
          double got          = 1;
          onepass::select_kth(row(), in.view(), k - 1, got, {.descending = descending});
          EXPECT_EQ(std::memcmp(&got, &expected, sizeof(double)), 0) << k << " of " << n;
        }
  }
}

/// Keys improve until a host samples what follows, where the last of the samples that count is a zero.
TEST(top_k, finds_zeros_behind_samples_that_are_zeros)
{
  for (extent const n : {4001, 4002, 4003, 4004})
    for (bool const descending : {true, false}) {
      std::vector<float> keys;
      for (extent i = 0; i < n; ++i)
        keys.push_back((descending ? 1.f : -1.f) * float(std::min<extent>(0, i - 1000)) * (i < n - 16 || descending));
      guarded<float> const in(keys);
      for (extent const k : {1, 2, 3, 4}) {
        guarded<float> const first(k);
        onepass::top_k(row(), in.view(), k, first.view(), {.descending = descending});
        ASSERT_NO_FATAL_FAILURE(expect_items(first, gathered(keys, first_of(keys, k, descending)))) << n << ' ' << k;
      }
    }
}

/// Keys decrease until a host samples what follows (backends/host/selections.hpp), where the samples are the least.
TEST(top_k, finds_them_where_samples_mislead)
{
  extent const begin = 224, samples = 64, step = 100, n = begin + samples * step, k = 22;
  std::vector<std::uint32_t> keys;
  for (extent i = 0; i < n; ++i)
    keys.push_back(i < begin ? std::uint32_t(2 * n - i) : std::uint32_t(1000 + i * 7919 % n));
  for (extent s = 0; s < samples; ++s)
    keys[std::size_t(begin + s * step + (extent(std::uint32_t(s) * 2654435769u) * step >> 32))] =
        std::uint32_t(samples - s);
  guarded<std::uint32_t> const in(keys);
  ASSERT_NO_FATAL_FAILURE(expect_first(in, keys, k, false));
}

/// By some of the bits alone many keys are equal, and only their positions tell them apart.
TEST(top_k, compares_some_of_the_bits_and_takes_keys_apart)
{
  extent const n  = 2 * many_keys;
  auto const keys = random_keys<std::uint32_t>(n, spread::uniform);
  guarded<std::uint32_t> const in(keys);
  Kokkos::View<std::uint32_t*, Kokkos::LayoutStride, memory_space> const apart(in.view().data(),
                                                                               Kokkos::LayoutStride(n / 2, 2));
  for (auto const& [begin, end] : {std::pair{0, 0}, {3, 9}, {32, 32}, {30, 32}}) {
    extent const k = 500;
    guarded<std::uint32_t> const first(k);
    onepass::top_k(row(), apart, k, first.view(), {true, begin, end});
    std::vector<std::uint32_t> expected;
    for (extent i = 0; i < n; i += 2) expected.push_back(keys[std::size_t(i)]);
    std::stable_sort(expected.begin(), expected.end(), [b = begin, e = end](std::uint64_t x, std::uint64_t y) {
      return (x & ((std::uint64_t(1) << e) - 1)) >> b > (y & ((std::uint64_t(1) << e) - 1)) >> b;
    });
    expected.resize(std::size_t(k));
    ASSERT_NO_FATAL_FAILURE(expect_items(first, expected));
  }
}

TEST(select_kth, gives_the_key_of_every_rank)
{
  auto const keys = random_keys<double>(many_keys, spread::few);
  guarded<double> const in(keys);
  auto const order = first_of(keys, many_keys, false);
  for (extent const k : {extent(0), extent(1), many_keys / 100, many_keys / 2, many_keys - 1}) {
    single<double> const key;
    single<std::int64_t> const index;
    onepass::select_kth(row(), in.view(), k, key.view(), index.view());
    auto const got = key.value(), expected = keys[order[std::size_t(k)]];
    EXPECT_EQ(index.value(), extent(order[std::size_t(k)])) << k;
    EXPECT_EQ(std::memcmp(&got, &expected, sizeof(double)), 0) << k;
    double variable    = 0;
    std::int64_t place = -1;
    onepass::select_kth(row(), in.view(), k, variable, place);
    EXPECT_EQ(place, index.value()) << k;
    EXPECT_EQ(std::memcmp(&variable, &expected, sizeof(double)), 0) << k;
  }
}

TEST(top_k_discipline, waits_for_nothing_and_refuses_what_can_not_be_right)
{
  extent const n = many_keys, k = 100;
  auto const keys = random_keys<std::uint32_t>(n, spread::uniform);
  guarded<std::uint32_t> const in(keys), first(k), few(k - 1), indices(k);
  for (auto const& mine : Kokkos::Experimental::partition_space(exec_space{}, 1, 1)) {
    onepass::workspace<exec_space> scratch(mine);
    auto const call = [&] { onepass::top_k(row(mine).with(scratch), in.view(), k, first.view(), indices.view()); };
    expect_discipline_of(call, mine);
  }
  expect_says(refusal([&] { onepass::top_k(row(), in.view(), n + 1, first.view()); }),
              {"top_k", std::to_string(n), std::to_string(n + 1)});
  expect_says(refusal([&] { onepass::top_k(row(), in.view(), k, few.view(), indices.view()); }),
              {"top_k", "99", "100"});
  expect_says(refusal([&] { onepass::top_k(row(), in.view(), k, first.view(), first.view()); }),
              {"top_k", "shares memory"});
  expect_says(refusal([&] { onepass::top_k(row(), in.view(), k, few.view(), indices.view(), {.end_bit = 33}); }),
              {"top_k", "33"});
  EXPECT_TRUE(few.untouched());
  if constexpr (std::is_same_v<ONEPASS_ROW_BACKEND, onepass::serial_backend>) {  // not once more for each backend
    guarded<std::uint8_t> const narrow(k);
    single<std::uint32_t> const key;
    expect_says(refusal([&] { onepass::top_k(row(), in.view(), k, first.view(), narrow.view()); }), {"top_k", "wider"});
    expect_says(refusal([&] { onepass::select_kth(row(), in.view(), n, key.view()); }), {"select_kth"});
    EXPECT_TRUE(narrow.untouched());
  }
}

}  // namespace
