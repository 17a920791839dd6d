// SPDX-License-Identifier: Apache-2.0
#include <onepass/operators.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace onepass;

namespace {

/// op(identity, x) and op(x, identity) are x, to the bit.
template <class Op, class T>
void expect_neutral(std::initializer_list<T> values)
{
  Op const op;
  T const neutral = Op::template identity<T>();
  for (T const x : values) {
    EXPECT_TRUE(op(neutral, x) == x);
    EXPECT_TRUE(op(x, neutral) == x);
  }
}

template <class T>
class operators_on : public testing::Test {};
using integers = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                                std::uint64_t, std::int64_t>;
TYPED_TEST_SUITE(operators_on, integers);

TYPED_TEST(operators_on, integers_leave_a_neutral_value_alone)
{
  using T         = TypeParam;
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  expect_neutral<plus, T>({0, 1, low, high});
  expect_neutral<multiplies, T>({0, 1, low, high});
  expect_neutral<minimum, T>({0, 1, low, high});
  expect_neutral<maximum, T>({0, 1, low, high});
  expect_neutral<bit_and, T>({0, 1, low, high});
  expect_neutral<bit_or, T>({0, 1, low, high});
  expect_neutral<bit_xor, T>({0, 1, low, high});
}

TEST(operators, floats_leave_a_neutral_value_alone)
{
  constexpr double inf = std::numeric_limits<double>::infinity();
  expect_neutral<plus, double>({0.0, -0.0, 1.5, -inf, inf});
  expect_neutral<multiplies, double>({0.0, -1.5, inf});
  expect_neutral<minimum, double>({0.0, -inf, inf});
  expect_neutral<maximum, double>({0.0, -inf, inf});
  expect_neutral<plus, Kokkos::Experimental::half_t>({Kokkos::Experimental::half_t(1.5f)});
  expect_neutral<plus, Kokkos::Experimental::bhalf_t>({Kokkos::Experimental::bhalf_t(1.5f)});
  expect_neutral<multiplies, Kokkos::complex<float>>({{1, -2}});
}

TEST(operators, the_neutral_value_of_plus_keeps_the_sign_of_zero)
{
  auto const neutral = plus::identity<double>();
  EXPECT_TRUE(std::signbit(plus{}(neutral, -0.0)));
  EXPECT_FALSE(std::signbit(plus{}(neutral, 0.0)));
  auto const z = plus{}(plus::identity<Kokkos::complex<double>>(), Kokkos::complex<double>(-0.0, 0.0));
  EXPECT_TRUE(std::signbit(z.real()));
  EXPECT_FALSE(std::signbit(z.imag()));
}

TEST(operators, integers_wrap)
{
  constexpr int high         = std::numeric_limits<int>::max();
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(plus{}(high, 1), std::numeric_limits<int>::min());
  EXPECT_EQ(plus{}(low, std::int64_t(-1)), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(multiplies{}(high, 2), -2);
  EXPECT_EQ(plus{}(std::uint8_t(200), std::uint8_t(100)), 44);
  EXPECT_EQ(multiplies{}(std::uint16_t(65535), std::uint16_t(65535)), 1);
}

struct labelled {
  int key, label;
  ONEPASS_FUNCTION friend bool operator<(labelled const& a, labelled const& b) { return a.key < b.key; }
};

TEST(operators, extremes_keep_the_older_of_equals)
{
  labelled const older{3, 1}, newer{3, 2};
  EXPECT_EQ(minimum{}(older, newer).label, 1);
  EXPECT_EQ(maximum{}(older, newer).label, 1);
}

/// No identity; says what it was given.
struct first_and_last {
  ONEPASS_FUNCTION labelled operator()(labelled const& older, labelled const& newer) const
  {
    return {older.key, newer.label};
  }
};

TEST(operators, an_operator_without_identity_is_completed_by_nothing_yet)
{
  using completed = monoid<first_and_last, labelled>;
  completed const sum{};
  auto const none = completed::identity();
  auto const a = completed::lift({1, 2}), b = completed::lift({3, 4});
  EXPECT_EQ(completed::value(sum.combine(a, b)).key, 1);
  EXPECT_EQ(completed::value(sum.combine(a, b)).label, 4);
  EXPECT_EQ(completed::value(sum.combine(none, b)).key, 3);
  EXPECT_EQ(completed::value(sum.combine(a, none)).label, 2);
  EXPECT_FALSE(sum.combine(none, none).present);
}

}  // namespace
