// SPDX-License-Identifier: Apache-2.0
// Every item type against std:: on random data.
#include "guarded.hpp"
#include "inputs.hpp"
#include "sizes.hpp"

#include <onepass/scan.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace test;

namespace {

/// The operators again, written for the oracle alone.
template <class T>
T add(T a, T b)
{
  return static_cast<T>(a + b);
}
inline rgb add(rgb older, rgb newer) { return add_channels{}(older, newer); }
inline affine add(affine older, affine newer) { return {newer.a * older.a, newer.a * older.b + newer.b}; }

template <class T>
using sum_of = std::conditional_t<std::is_same_v<T, affine>, compose_from_identity,
                                  std::conditional_t<std::is_same_v<T, rgb>, add_channels, onepass::plus>>;

template <class T>
class scan_of : public testing::Test {
protected:
  static bool same(std::vector<T> const& got, std::vector<T> const& expected)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!(got[i] == expected[i])) {
        ADD_FAILURE() << "differs first at " << i << " of " << expected.size();
        return false;
      }
    return got.size() == expected.size();
  }
};

using types = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                             std::uint64_t, std::int64_t, Kokkos::Experimental::half_t, Kokkos::Experimental::bhalf_t,
                             float, double, Kokkos::complex<float>, Kokkos::complex<double>, affine, rgb>;
TYPED_TEST_SUITE(scan_of, types);

TYPED_TEST(scan_of, agrees_with_std_inclusive_scan)
{
  for (extent const n : some_sizes<TypeParam>()) {
    auto const items = random_items<TypeParam>(n);
    auto expected    = items;
    std::inclusive_scan(items.begin(), items.end(), expected.begin(), [](auto a, auto b) { return add(a, b); });

    guarded<TypeParam> const in(items), out(n);
    onepass::inclusive_scan(row(), in.view(), out.view(), sum_of<TypeParam>{});
    EXPECT_TRUE(this->same(out.items(), expected));
    EXPECT_TRUE(out.canaries_alive());
    EXPECT_TRUE(this->same(in.items(), items));
  }
}

TYPED_TEST(scan_of, agrees_with_std_exclusive_scan_in_place)
{
  for (extent const n : some_sizes<TypeParam>()) {
    auto const items = random_items<TypeParam>(n);
    auto const init  = random_items<TypeParam>(1, 7)[0];
    auto expected    = items;
    std::exclusive_scan(items.begin(), items.end(), expected.begin(), init, [](auto a, auto b) { return add(a, b); });

    guarded<TypeParam> const data(items);
    onepass::exclusive_scan(row(), data.view(), data.view(), sum_of<TypeParam>{}, init);
    EXPECT_TRUE(this->same(data.items(), expected));
    EXPECT_TRUE(data.canaries_alive());
  }
}

/// Tiles are copied between memory and a stage by words; items of three bytes begin anywhere in these.
TEST(scan_of_three_bytes, may_begin_and_end_anywhere_in_a_word)
{
  auto const all = random_items<rgb>(3 * some_sizes<rgb>().back() / 2 + 20);
  for (extent const begin : {0, 1, 2, 3, 5})
    for (extent const to : {0, 1, 4}) {
      extent const n = extent(all.size()) - 10;
      std::vector<rgb> expected(all.size(), rgb{1, 2, 3});
      std::inclusive_scan(all.begin() + begin, all.begin() + begin + n, expected.begin() + to, add_channels{});
      guarded<rgb> const in(all), out(std::vector<rgb>(all.size(), rgb{1, 2, 3}));
      auto const range = [&](extent first) { return std::pair<extent, extent>(first, first + n); };
      onepass::inclusive_scan(row(), Kokkos::subview(in.view(), range(begin)), Kokkos::subview(out.view(), range(to)),
                              add_channels{});
      EXPECT_TRUE(out.items() == expected) << "from item " << begin << " to item " << to;
      EXPECT_TRUE(out.canaries_alive());
    }
}

}  // namespace
