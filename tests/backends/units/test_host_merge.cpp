// SPDX-License-Identifier: Apache-2.0
// Merges in vector registers, where onepass has Highway and this machine gains by them, against std::merge.
#include "seed.hpp"

#include <gtest/gtest.h>
#include <onepass/backends/host/merge_in_vectors.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace onepass::backends::host;

namespace {

/// Numbers from the least to the greatest, these among them; `mask` makes many of them alike.
template <class T>
std::vector<T> in_order(std::size_t n, std::uint64_t mask, test::random_words& engine)
{
  using of = std::numeric_limits<T>;
  std::vector<T> all;
  for (std::size_t i = 0; i < n; ++i) {
    auto const bits = engine() & mask;
    if (bits % 64 == 0) all.push_back(bits % 128 == 0 ? of::max() : of::lowest());
    else if (bits % 64 == 1) all.push_back(of::has_infinity ? of::infinity() : of::max());
    else all.push_back(T(std::is_floating_point_v<T> ? 1 + bits % 10007 : bits));
  }
  std::sort(all.begin(), all.end());
  return all;
}

template <class T>
void expect_merged(std::vector<T> const& a, std::vector<T> const& b)
{
  auto const merge = merge_of<T>();
  if (!merge) return;
  constexpr std::size_t room = 64;
  std::vector<T> want(room, T(42)), got(a.size() + b.size() + 2 * room, T(42));
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
  want.resize(got.size(), T(42));
  merge(a.data(), a.data() + a.size(), b.data(), b.data() + b.size(), got.data() + room);
  ASSERT_TRUE(got == want) << a.size() << " and " << b.size() << " numbers of " << sizeof(T) << " bytes";
}

template <class T>
class host_merge : public testing::Test {};
using types = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                             std::uint64_t, long long, float, double>;
TYPED_TEST_SUITE(host_merge, types);

TYPED_TEST(host_merge, agrees_with_std)
{
  SCOPED_TRACE("seed " + std::to_string(test::seed()));
  test::random_words engine(test::seed());
  for (std::size_t const n : {2, 3, 7, 16, 31, 64, 65, 127, 200, 258, 500, 1000, 4099, 20000})
    for (std::size_t const as : {n / 2, n / 30 + 1, n - n / 30 - 1, std::size_t(1), n - 1})
      for (std::uint64_t const mask : {~std::uint64_t(0), std::uint64_t(3), std::uint64_t(7) << 40, std::uint64_t(0)})
        ASSERT_NO_FATAL_FAILURE(
            expect_merged(in_order<TypeParam>(as, mask, engine), in_order<TypeParam>(n - as, mask, engine)));
}

/// Runs that meet in a part only, and stretches of one of them.
TYPED_TEST(host_merge, runs_that_hardly_meet)
{
  test::random_words engine(test::seed());
  for (std::size_t const n : {10, 100, 1000, 5000})
    for (std::size_t const shared : {std::size_t(0), std::size_t(1), n / 10, n / 2})
      for (std::size_t const stretch : {1, 50, 700}) {
        auto const all = in_order<TypeParam>(n, ~std::uint64_t(0), engine);
        std::vector<TypeParam> a, b;
        for (std::size_t i = 0; i < n; ++i)
          (i < (n - shared) / 2 || (i < (n + shared) / 2 && i / stretch % 2) ? a : b).push_back(all[i]);
        if (a.empty() || b.empty()) continue;
        ASSERT_NO_FATAL_FAILURE(expect_merged(a, b));
        ASSERT_NO_FATAL_FAILURE(expect_merged(b, a));
      }
}

}  // namespace
