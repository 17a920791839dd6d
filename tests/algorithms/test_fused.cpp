// SPDX-License-Identifier: Apache-2.0
// Sums of what is computed, where compilers may fuse a product and a sum into one operation that rounds once: this
// source is compiled so, for processors that have one, and kernels of CUDA always are. Nor do zeros have signs here.
#include "guarded.hpp"
#include "inputs.hpp"

#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/scan.hpp>
#include <onepass/scatter.hpp>
#include <onepass/segmented.hpp>

#include <gtest/gtest.h>

#include <algorithm>

/// A third of a number, or of both parts of a complex one, made wherever it is needed.
template <class T>
struct third {
  KOKKOS_FUNCTION T operator()(T const& x) const
  {
    if constexpr (std::is_floating_point_v<T>) return x * T(1 / 3.0);
    else return {third<double>{}(x.real()), third<double>{}(x.imag())};
  }
};
template <class T>
constexpr bool onepass::repeatable<third<T>, T> = true;

namespace {

using namespace test;

/// Of x and -x together zero, if both are rounded.
struct signed_square {
  KOKKOS_FUNCTION double operator()(double x) const { return x * Kokkos::fabs(x); }
};

/// The signed squares of some numbers, computed where they are asked for.
struct signed_squares {
  using value_type = double;
  unmanaged<double> numbers;
  extent size;
  KOKKOS_FUNCTION double operator()(extent i) const { return signed_square{}(numbers(i)); }
};

class fused : public testing::Test {
protected:
  static constexpr extent n = 20000;

  std::vector<double> const numbers = pairs();
  guarded<double> const in{numbers};
  signed_squares const squares{in.view(), n};

  /// Numbers with both signs, in any order, whose squares have some bits more than f64.
  static std::vector<double> pairs()
  {
    random_words engine(seed());
    std::vector<double> all;
    while (extent(all.size()) < n) all.push_back(double(engine() >> 34)), all.push_back(-all.back());
    std::shuffle(all.begin(), all.end(), engine);
    return all;
  }
  /// The sum of the squares [begin, end), each of which is rounded, and then all.
  double sum(extent begin, extent end) const
  {
    auto all = onepass::long_sum<>::zero();
    for (extent i = begin; i < end; ++i) all.add(signed_square{}(numbers[std::size_t(i)]));
    return all.round_to<double>();
  }
};

TEST_F(fused, products_are_rounded_before_they_are_added_exactly)
{
  double total = 1;
  onepass::transform_reduce(onepass::exactly(row()), in.view(), total, signed_square{});
  EXPECT_EQ(total, 0) << "by a transform, seed " << seed();
  total = 1;
  onepass::reduce(onepass::exactly(row()), squares, total);
  EXPECT_EQ(total, 0) << "of a sequence, seed " << seed();
}

TEST_F(fused, products_of_two_inputs_are_exact)
{
  std::vector<double> sizes;
  for (double const x : numbers) sizes.push_back(std::abs(x));
  guarded<double> const other(sizes);
  double total = 1;
  onepass::dot(onepass::exactly(row()), in.view(), other.view(), total);
  EXPECT_EQ(total, 0) << "seed " << seed();
}

TEST_F(fused, products_are_rounded_before_segments_and_runs_are_added_exactly)
{
  std::vector<int> keys, offsets{0};
  std::vector<double> expected;
  for (int end = 0; end < n;) {
    int const begin = end;
    end             = std::min(int(n), begin + 1 + int(expected.size() % 700));
    for (int i = begin; i < end; ++i) keys.push_back(int(expected.size()));
    offsets.push_back(end);
    expected.push_back(sum(begin, end));
  }
  auto const number = extent(expected.size());
  guarded<int> const bounds(offsets), from(keys), to(number);
  guarded<double> const of_segments(number), of_runs(number);
  single<int> const runs;
  auto const exactly = onepass::exactly(row());
  onepass::segmented_reduce(exactly, squares, bounds.view(), of_segments.view());
  onepass::reduce_by_key(exactly, from.view(), squares, to.view(), of_runs.view(), runs.view());
  EXPECT_EQ(of_segments.items(), expected) << "seed " << seed();
  EXPECT_EQ(of_runs.items(), expected) << "seed " << seed();
}

TEST_F(fused, products_are_rounded_before_they_are_added_by_index)
{
  for (extent const rows : {1, 7, 1000}) {
    std::vector<int> indices;
    for (extent i = 0; i < n; ++i) indices.push_back(int(i % rows));
    std::vector<onepass::long_sum<>> all(std::size_t(rows), onepass::long_sum<>::zero());
    for (extent i = 0; i < n; ++i) all[std::size_t(i % rows)].add(signed_square{}(numbers[std::size_t(i)]));
    std::vector<double> expected;
    for (auto const& one : all) expected.push_back(one.round_to<double>());
    guarded<int> const places(indices);
    guarded<double> const out(std::vector<double>(std::size_t(rows), 0.0));
    onepass::scatter_add(row(), squares, places.view(), out.view());
    EXPECT_EQ(out.items(), expected) << rows << " rows, seed " << seed();
  }
}

/// What canonical scans make of thirds that they compute, and of such that lie in memory.
template <class T, class ViewOf>
void expect_thirds_rounded(std::vector<T> const& items, ViewOf const& view_of)
{
  std::vector<T> thirds;
  for (T const& x : items) thirds.push_back(third<T>{}(x));
  guarded<T> const in(items), made(thirds), out(extent(items.size())), expected(extent(items.size()));
  auto const exec = onepass::canonically(exec_space{});
  onepass::transform_inclusive_scan(exec, view_of(in), view_of(out), third<T>{}, onepass::plus{}, T(1));
  onepass::inclusive_scan(exec, view_of(made), view_of(expected), onepass::plus{}, T(1));
  EXPECT_EQ(out.items(), expected.items()) << "seed " << seed();
}

TEST_F(fused, products_are_rounded_before_they_are_added_canonically)
{
  auto const as_list   = [](auto const& items) { return items.view(); };
  auto const as_matrix = [](auto const& items) {
    using item = typename std::remove_cvref_t<decltype(items.view())>::value_type;
    return Kokkos::View<item**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryUnmanaged>(items.view().data(), 4,
                                                                                            n / 4);
  };
  std::vector<Kokkos::complex<double>> pairs;
  for (std::size_t i = 0; i < std::size_t(n); ++i) pairs.emplace_back(numbers[i], numbers[std::size_t(n) - 1 - i]);
  std::vector<float> const floats(numbers.begin(), numbers.end());
  expect_thirds_rounded(floats, as_matrix);
  expect_thirds_rounded(numbers, as_list);
  expect_thirds_rounded(numbers, as_matrix);
  expect_thirds_rounded(pairs, as_list);
  expect_thirds_rounded(pairs, as_matrix);
}

/// What is met is known where compilers take -0.0 for 0.0.
TEST(zeros_without_signs, whole_numbers_are_added_by_index)
{
  guarded<double> const values(std::vector<double>(50, 2.0)), out(std::vector<double>(100, 1.0));
  std::vector<int> indices;
  std::vector<double> expected(100, 1.0);
  for (int i = 0; i < 50; ++i) indices.push_back(i % 40), expected[std::size_t(i % 40)] += 2;
  guarded<int> const places(indices);
  onepass::scatter_add(row(), values.view(), places.view(), out.view());
  EXPECT_EQ(out.items(), expected);
}

TEST(unfused, numbers_stay_as_they_are)
{
  EXPECT_EQ(onepass::unfused(1 / 3.0f), 1 / 3.0f);
  EXPECT_EQ(onepass::unfused(1 / 3.0L), 1 / 3.0L);
}

}  // namespace
