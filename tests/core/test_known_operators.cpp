// SPDX-License-Identifier: Apache-2.0
#include <onepass/known_operators.hpp>

#include <gtest/gtest.h>

using namespace onepass;

namespace {

template <class Op, class T, class Known>
constexpr bool becomes = std::is_same_v<known_operator_t<Op, T>, Known>;

using space = Kokkos::DefaultHostExecutionSpace;

static_assert(becomes<plus, int, plus>);
static_assert(becomes<std::plus<>, std::uint8_t, plus>);
static_assert(becomes<std::plus<double>, double, plus>);
static_assert(becomes<std::plus<float>, double, std::plus<float>>, "it would round");
static_assert(becomes<std::multiplies<>, int, multiplies>);
static_assert(becomes<std::bit_and<>, int, bit_and>);
static_assert(becomes<std::bit_or<int>, int, bit_or>);
static_assert(becomes<std::bit_xor<>, int, bit_xor>);
static_assert(becomes<std::minus<>, int, std::minus<>>);
static_assert(becomes<Kokkos::Sum<int, space>, int, plus>);
static_assert(becomes<Kokkos::Prod<float, space>, float, multiplies>);
static_assert(becomes<Kokkos::Min<int, space>, int, minimum>);
static_assert(becomes<Kokkos::Max<double, space>, double, maximum>);
static_assert(becomes<Kokkos::BAnd<int, space>, int, bit_and>);
static_assert(becomes<Kokkos::BOr<int, space>, int, bit_or>);

struct pair {
  int a, b;
  friend pair operator+(pair const& x, pair const& y) { return {x.a + y.a, x.b + y.b}; }
};
static_assert(becomes<std::plus<>, pair, std::plus<>>, "nobody knows its identity");

TEST(known_operators, other_reducers_of_kokkos_join)
{
  using reducer = Kokkos::MinLoc<double, int, space>;
  reducer::value_type result{};
  auto const op    = known_operator<reducer::value_type>(reducer(result));
  auto const first = op(reducer::value_type{1.5, 3}, reducer::value_type{0.5, 7});
  EXPECT_EQ(first.val, 0.5);
  EXPECT_EQ(first.loc, 7);
}

}  // namespace
