// SPDX-License-Identifier: Apache-2.0
// gather, scatter and scatter_add against plain loops; sums of floats against their digits.
#include "by_index.hpp"
#include "compaction.hpp"
#include "inputs.hpp"

#include <onepass/onepass.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace {

using namespace test;

template <class T>
class scatter_add : public testing::Test {};
using types = testing::Types<float, double, std::uint32_t>;
TYPED_TEST_SUITE(scatter_add, types);

TYPED_TEST(scatter_add, adds_scalars)
{
  using T = TypeParam;
  for (bool const wild : {false, true})
    for (extent const n : {extent(0), extent(1), extent(100), extent(30000)})
      for (int const rows : {1, 7, 1000, 50000}) {
        auto const values  = rough_values<T>(n, wild);
        auto const indices = random_indices(n, rows);
        auto const before  = rough_values<T>(rows, false);
        guarded<T> const in(values, 1), out(before, 1);
        guarded<int> const where(indices);
        onepass::scatter_add(row(), in.view(), where.view(), out.view());
        expect_bits(out.items(), added(before, values, indices, 1));
        EXPECT_TRUE(out.canaries_alive());
      }
}

template <class T>
void adds_shapes(std::vector<T> const& values)
{
  auto const n = extent(values.size());
  for (auto const* const shape : {"sorted", "one", "zipf", "late crowd"})
    for (int const rows : {3, 40, 300, 3000}) {
      auto const indices = shaped_indices(n, rows, shape);
      auto const before  = rough_values<T>(rows, false);
      guarded<T> const in(values), out(before);
      guarded<int> const where(indices);
      onepass::scatter_add(row(), in.view(), where.view(), out.view());
      expect_bits(out.items(), added(before, values, indices, 1));
      EXPECT_TRUE(out.canaries_alive()) << shape << " into " << rows;
    }
}
TEST(scatter_values, are_added_crowded_and_sorted)
{
  for (extent const n : {extent(3), extent(1001), extent(70001)}) {
    adds_shapes(rough_values<long long>(n, false));  // which is not std::int64_t
    adds_shapes(rough_values<float>(n, false));
  }
}

/// Sums of windows and digits: values of all kinds that a sample of others does not announce, and rows of zeros.
template <class T>
void adds_whatever_a_sample_says(std::vector<int> const& magnitudes, std::vector<double> const& some)
{
  using limits   = std::numeric_limits<T>;
  auto special   = std::vector<T>{limits::max(), limits::max(), -limits::max(), limits::denorm_min(), limits::min()};
  extent const n = 80000;
  constexpr int rows = 40;
  for (double const x : some) special.push_back(T(x));
  special.push_back(limits::infinity());
  random_words engine(seed());
  std::normal_distribution<double> normal;
  for (int const magnitude : magnitudes) {
    std::vector<T> values, before(rows, T(-0.0));
    std::vector<int> indices;
    for (extent i = 0; i < n; ++i) {
      indices.push_back(int(engine() % 20));
      values.push_back(indices.back() < 3 ? T(0) : T(std::ldexp(normal(engine), magnitude)));
    }
    std::size_t at = 11;
    for (T const x : special) values[at] = x, indices[at] = 20 + int(at) % 13, at += 97;
    values[7] = T(-0.0), indices[7] = 35;
    values[9] = -limits::max(), indices[9] = indices[at - 97];  // which an infinity does not mind
    before[5] = limits::infinity(), before[6] = limits::max(), before[8] = limits::denorm_min(), before[9] = T(0x1p100);
    guarded<T> const in(values), out(before);
    guarded<int> const where(indices);
    onepass::scatter_add(row(), in.view(), where.view(), out.view());
    expect_bits(out.items(), added(before, values, indices, 1));
  }
}
TEST(scatter_values, are_added_whatever_a_sample_says)
{
  adds_whatever_a_sample_says<double>({-1060, -300, 0, 1015}, {0x1p-500, 0x1p300, -0x1p300, 0x1p-1000, 1e-20, -1e15});
  adds_whatever_a_sample_says<float>({-140, -60, 0, 110, 125}, {0x1p-70, 0x1p60, -0x1p60, 0x1p-130, 1e-20, -1e15});
}

/// Few values, of which rows have one or many, or one row half of them: of all magnitudes, infinities and NaNs, zeros
/// for -0.0, and in one row all outside of the window.
template <class T>
void adds_few()
{
  constexpr int most = sizeof(T) == 8 ? 1000 : 120;
  random_words engine(seed() + sizeof(T));
  for (extent const n : {1, 9, 11, 400, 401, 1536, 1537, 4001})
    for (int const rows : {1, int(n + 2) / 3, int(2 * n), int(6 * n)})
      for (int const kind : {0, 1, 2, 3, 4, 5}) {
        std::vector<T> values, before;
        std::vector<int> indices;
        for (extent i = 0; i < n; ++i) {
          double const x = std::ldexp(double(engine() >> 11) * 0x1p-53 - .5, kind == 1 || kind == 4
                                                                                 ? int(engine() % (2 * most)) - most
                                                                             : kind == 5 && i % 5 < 2 ? most
                                                                                                      : 0);
          auto const odd = kind == 2 ? engine() % 60 : 60;
          values.push_back(odd == 0    ? std::numeric_limits<T>::infinity()
                           : odd == 1  ? -std::numeric_limits<T>::infinity()
                           : odd == 2  ? std::numeric_limits<T>::max()
                           : odd == 3  ? std::numeric_limits<T>::denorm_min()
                           : kind != 3 ? T(x)
                                       : T(int(engine() % 3) - 1));
          indices.push_back((kind == 4 && i % 2) || (kind == 5 && i % 5 < 2) ? rows / 2
                                                                             : int(engine() % unsigned(rows)));
        }
        for (int b = 0; b < rows; ++b) before.push_back(b % 3 ? T(-0.0) : T(1.0 / (b + 1)));
        guarded<T> const in(values, 1), out(before, 1);
        guarded<int> const where(indices, 1);
        onepass::scatter_add(row(), in.view(), where.view(), out.view());
        expect_bits(out.items(), added(before, values, indices, 1));
        EXPECT_TRUE(out.canaries_alive()) << n << " into " << rows << ", kind " << kind << ", seed " << seed();
      }
}
TEST(scatter_values, are_added_if_few_whatever_they_are)
{
  adds_few<float>();
  adds_few<double>();
}

/// So many rows that a sum for each would be too much memory, of which few are met.
TEST(scatter_values, are_added_to_rows_of_which_few_are_met)
{
  constexpr int rows = 5000011, met = 500, step = rows / met;
  for (bool const wild : {false, true}) {
    auto const values = rough_values<double>(2000, wild);
    auto const near   = random_indices(2000, met);
    auto indices      = near;
    for (int& b : indices) b *= step;
    guarded<double> const in(values), out(std::vector<double>(rows, -0.0));
    guarded<int> const where(indices);
    onepass::scatter_add(row(), in.view(), where.view(), out.view());
    std::vector<double> sums;
    auto const got = out.items();
    int touched    = 0;
    for (int b = 0; b < rows; ++b)
      if (b % step == 0 && b < met * step) sums.push_back(got[std::size_t(b)]);
      else touched += got[std::size_t(b)] != 0 || !std::signbit(got[std::size_t(b)]);
    expect_bits(sums, added(std::vector<double>(met, -0.0), values, near, 1));
    EXPECT_EQ(touched, 0);
    EXPECT_TRUE(out.canaries_alive());
  }
}

/// More rows than a team's memory has: parts that stretches cut, parts with values that no sample announces, zeros that
/// are added to -0.0.
template <class T>
void adds_to_many_rows()
{
  extent const n = 90000;
  random_words engine(seed() + sizeof(T));
  for (auto const* const shape : {"sorted", "one", "zipf"})
    for (int const rows : {3000, 30000, 80000})
      for (bool const odd : {false, true}) {
        auto values  = rough_values<T>(n, false);
        auto indices = shaped_indices(n, rows, shape);
        std::vector<T> before(std::size_t(rows), T(-0.0));
        for (extent i = 0; i < n; i += 3) indices[std::size_t(i)] = int(engine() % unsigned(rows));
        for (extent i = 0; i < n; ++i) {  // some rows have nothing but zeros
          int& b = indices[std::size_t(i)];
          if (i % 5 == 0) values[std::size_t(i)] = T(i % 2 ? 0.0 : -0.0), b -= b % 11;
          else if (b % 11 == 0) b = b == 0 ? 1 : b - 1;
        }
        for (int b = 0; b < rows; b += 7) before[std::size_t(b)] = T(b);
        if (odd)
          for (extent i = 0; i < n; i += 1 + extent(engine() % 20000)) {
            auto const sign        = engine() % 2 ? 1.0 : -1.0;
            values[std::size_t(i)] = T(sign * std::ldexp(1.0, int(engine() % 240) - 120));
            if (engine() % 9 == 0) values[std::size_t(i)] = std::numeric_limits<T>::infinity();
          }
        guarded<T> const in(values, 1), out(before, 1);
        guarded<int> const where(indices, 1);
        onepass::scatter_add(row(), in.view(), where.view(), out.view());
        expect_bits(out.items(), added(before, values, indices, 1));
        EXPECT_TRUE(out.canaries_alive()) << shape << " into " << rows << ", seed " << seed();
      }
}
TEST(scatter_values, are_added_to_many_rows)
{
  adds_to_many_rows<float>();
  adds_to_many_rows<double>();
}

/// Indices near each other, but for one perhaps; values of all kinds, zeros that are added to -0.0, rows without any.
template <class T>
void adds_local(extent n, int rows, char const* shape)
{
  random_words engine(seed() + std::uint64_t(n) + std::uint64_t(rows));
  std::vector<int> indices;
  for (extent i = 0; i < n; ++i) {
    auto const b = int((*shape == 'l' ? std::min(i, n / 2) : i) * rows / n);
    indices.push_back(*shape == 'r'   ? rows - 1 - b
                      : *shape != 'n' ? b
                                      : std::clamp(b + int(engine() % 41) - 20, 0, rows - 1));
  }
  if (*shape == 'o') indices[std::size_t(n / 2)] = 0;
  auto values = rough_values<T>(n, false);
  std::vector<T> before(std::size_t(rows), T(-0.0));
  for (int b = 0; b < rows; b += 7) before[std::size_t(b)] = T(b);
  for (extent i = 0; i < n; ++i)  // each eleventh row has nothing but zeros
    if (indices[std::size_t(i)] % 11 == 0) values[std::size_t(i)] = T(i % 2 ? 0.0 : -0.0);
  for (extent i = 0; i < n; i += 1 + extent(engine() % unsigned(n / 4))) {
    values[std::size_t(i)] = T(std::ldexp(engine() % 2 ? 1.0 : -1.0, int(engine() % 240) - 120));
    if (engine() % 9 == 0) values[std::size_t(i)] = std::numeric_limits<T>::infinity();
  }
  if (*shape == 'n' && n < 100000)  // many that lie outside of any window
    for (extent i = n / 2; i < n; ++i)
      values[std::size_t(i)] = T(std::ldexp(1.0 + double(i), int(engine() % 200) - 100));
  auto const wanted = added(before, values, indices, 1);
  for (int k = 0; k < 3; ++k) values.push_back(T(7)), indices.push_back(rows - 1);  // which are not meant
  guarded<T> const in(values, 1), out(before, 1);
  guarded<int> const where(indices, 1);
  auto const meant = std::pair(std::size_t(0), std::size_t(n));
  onepass::scatter_add(row(), Kokkos::subview(in.view(), meant), Kokkos::subview(where.view(), meant), out.view());
  expect_bits(out.items(), wanted);
  EXPECT_TRUE(out.canaries_alive()) << n << ' ' << shape << " into " << rows << ", seed " << seed();
}
TEST(scatter_values, are_added_where_indices_are_local)
{
  for (auto const* const shape : {"in order", "reversed", "near", "one is far", "late crowd"})
    for (extent const n : {extent(1450), extent(5003), extent(40001)})
      for (int const each : {1, 3, 30}) {
        adds_local<float>(n, int(n) / each, shape);
        adds_local<double>(n, 2 * int(n) / each + 1, shape);
      }
  if (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible)  // hosts do that in another way
    adds_local<double>(1100003, 275001, "near");
}

/// Parts of 16 rows: what is found of indices by the calling thread, without a space.
TEST(local_parts, are_found_if_indices_are_local)
{
  using contiguous = onepass::contiguous<double>;
  using sums       = onepass::local_sums<contiguous, double>;
  using add        = onepass::add_program<onepass::contiguous<int const>, onepass::contiguous<double const>, sums>;
  extent const n = 5000, rows = 1600;
  auto const values = rough_values<double>(n, false);
  for (auto const* const shape : {"sorted", "sorted but for one", "zipf", "late crowd", "one"}) {
    auto indices = shaped_indices(n, int(rows), std::string(shape).substr(0, 6).c_str());
    if (std::string(shape) == "sorted but for one") indices[std::size_t(n - 1)] = 0;  // 99 parts below its chunk's
    std::vector<double> out(rows, 0.5);
    onepass::fixed_window window{.top = 1023};
    sums to({out.data(), rows});
    to.window = &window;
    add const program{{indices.data(), n}, {values.data(), n}, to, n};
    using parts = onepass::local_parts<add, 4>;
    extent left = 0;
    std::vector<std::uint32_t> chunks(std::size_t(parts::parts_of(rows)));
    std::vector<std::uint32_t> listed(chunks.size() * std::size_t(parts::room_for(n, rows)));
    parts const found{program, &left, chunks.data(), listed.data()};
    onepass::find_local_parts<add, 4>{found}.alone(0, found.chunks());
    EXPECT_EQ(left, std::string(shape) == "sorted" ? 0 : n) << shape;
    if (left != 0) continue;
    onepass::add_local_parts<add, 4>{found}.alone(0, found.parts());
    expect_bits(out, added(std::vector<double>(rows, 0.5), values, indices, 1));
  }
}

/// The last part has one row, so that a border between parts lies among the items that are fewer than a unit.
TEST(scatter_values, are_added_where_the_last_part_is_small)
{
  for (int const rows : {65, 129, 65537})
    for (int const n : {rows, rows + 1, rows + 2, rows + 3}) {
      auto const values = rough_values<double>(n, false);
      std::vector<int> indices;
      for (int i = 0; i < n; ++i) indices.push_back((n - i) % rows);
      std::vector<double> const before(std::size_t(rows), 0.1);
      guarded<double> const in(values), out(before);
      guarded<int> const where(indices);
      onepass::scatter_add(row(), in.view(), where.view(), out.view());
      expect_bits(out.items(), added(before, values, indices, 1));
    }
}

template <class Layout, class T>
void adds_rows()
{
  constexpr std::size_t columns = 3;
  for (extent const n : {extent(0), extent(5), extent(4000)}) {
    int const rows     = 50;
    auto const values  = rough_values<T>(n * extent(columns), n < 1000);
    auto const indices = random_indices(n, rows);
    auto const before  = rough_values<T>(rows * extent(columns), false);
    using matrix       = Kokkos::View<T**, Layout, memory_space>;
    matrix const in("in", std::size_t(n), columns), out("out", rows, columns);
    auto const fill = [](matrix const& m, std::vector<T> const& items) {
      auto const host = Kokkos::create_mirror_view(m);
      for (std::size_t i = 0; i < items.size(); ++i) host(i / columns, i % columns) = items[i];
      Kokkos::deep_copy(m, host);
    };
    fill(in, values), fill(out, before);
    guarded<int> const where(indices);
    onepass::scatter_add(row(), in, where.view(), out);
    Kokkos::fence();
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, out);
    std::vector<T> got;
    for (std::size_t i = 0; i < before.size(); ++i) got.push_back(host(i / columns, i % columns));
    expect_bits(got, added(before, values, indices, columns));
  }
}
TYPED_TEST(scatter_add, adds_rows_of_matrices)
{
  adds_rows<Kokkos::LayoutRight, TypeParam>();
  adds_rows<Kokkos::LayoutLeft, TypeParam>();
}

TEST(scatter_values, are_the_same_in_every_order_and_leave_the_others)
{
  auto values  = rough_values<float>(5000, false);
  auto indices = random_indices(5000, 13);
  std::vector<float> before(20, -0.0f);
  before[18] = std::numeric_limits<float>::signaling_NaN();
  guarded<float> const in(values), out(before), other(before);
  guarded<int> const where(indices);
  onepass::scatter_add(onepass::exactly(row()), in.view(), where.view(), out.view());
  std::reverse(values.begin(), values.end());
  std::reverse(indices.begin(), indices.end());
  guarded<float> const turned(values);
  guarded<int> const there(indices);
  onepass::scatter_add(row(), turned.view(), there.view(), other.view());
  expect_bits(other.items(), out.items());
  for (auto const& kept : {out.items(), other.items()})
    EXPECT_EQ(std::memcmp(&kept[13], &before[13], 7 * sizeof(float)), 0) << "nothing was added";
}

/// Sums of f64 that are no f32 but zero, by every way of adding them: some beside others, some left of large ones.
TEST(scatter_values, that_underflow_are_positive_zeros)
{
  for (auto const& [n, rows] :
       {std::pair{3, 2}, {100, 7}, {100, 1000}, {30000, 7}, {30000, 1000}, {30000, 50000}, {70000, 7}, {70000, 3000}})
    for (double const size : {1e-60, 1e-45, 1e30}) {
      std::vector<double> values;
      std::vector<int> indices;
      std::vector<float> before(std::size_t(rows), -0.0f);
      for (int i = 0; i < n; i += 3) {
        values.insert(values.end(), {-1e-60, size, -size});
        indices.insert(indices.end(), 3, i * 3 % rows);
      }
      auto expected = before;
      for (int const b : indices) expected[std::size_t(b)] = 0;
      guarded<double> const in(values);
      guarded<int> const where(indices);
      guarded<float> const out(before);
      onepass::scatter_add(row(), in.view(), where.view(), out.view());
      expect_bits(out.items(), expected);
    }
}

TEST(scatter_values, gather_and_scatter_move_rows)
{
  std::vector<int> order(1000);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_words(seed()));
  auto const items = random_items<double>(1000);
  guarded<int> const where(order);
  guarded<double> const in(items), there(1000), back(1000);
  onepass::gather(row(), in.view(), where.view(), there.view());
  auto const moved = there.items();
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(moved[i], items[std::size_t(order[i])]);
  onepass::scatter(row(), there.view(), where.view(), back.view());
  EXPECT_EQ(back.items(), items);

  Kokkos::View<int**, memory_space> const from("from", 4, 2), to("to", 3, 2);
  Kokkos::deep_copy(from, 7);
  guarded<int> const some(std::vector<int>{2, 0});
  onepass::scatter(row(), from, some.view(), to);
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, to);
  EXPECT_EQ(host(0, 1), 7);
  EXPECT_EQ(host(1, 0), 0);
  EXPECT_EQ(host(2, 0), 7);
}

TEST(scatter_refuses, what_is_wrong)
{
  guarded<float> const in(std::vector<float>(4, 1)), out(std::vector<float>(3, 0));
  guarded<int> const wrong(std::vector<int>{0, 3, -1, 1}), many(std::vector<int>(5, 0));
  EXPECT_THROW(onepass::scatter_add(row().checked(), in.view(), wrong.view(), out.view()), onepass::precondition_error);
  EXPECT_THROW(onepass::scatter(row().checked(), in.view(), wrong.view(), out.view()), onepass::precondition_error);
  EXPECT_THROW(onepass::gather(row().checked(), out.view(), wrong.view(), in.view()), onepass::precondition_error);
  EXPECT_THROW(onepass::scatter_add(row(), in.view(), many.view(), out.view()), onepass::precondition_error);
  EXPECT_THROW(onepass::scatter_add(row(), in.view(), wrong.view(), in.view()), onepass::precondition_error);
  EXPECT_EQ(out.items(), std::vector<float>(3, 0));
  onepass::scatter(row(), in.view(), wrong.view(), out.view());
  EXPECT_EQ(out.items(), (std::vector<float>{1, 1, 0})) << "rows that there are not are not written";
  EXPECT_TRUE(out.canaries_alive());
}

TEST(scatter_refuses, rows_of_2_31_items)
{
  guarded<int> const indices(std::vector<int>{0});
  guarded<float> const a(1), b(1);  // no item is looked at
  using matrix = Kokkos::View<float**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  matrix const from(a.view().data(), 1, std::size_t(1) << 31), to(b.view().data(), 1, std::size_t(1) << 31);
  expect_says(refusal([&] { onepass::gather(row(), from, indices.view(), to); }), {"gather", "2^31 items"});
  expect_says(refusal([&] { onepass::scatter(row(), from, indices.view(), to); }), {"scatter", "2^31 items"});
  expect_says(refusal([&] { onepass::scatter_add(row(), from, indices.view(), to); }), {"scatter_add", "2^31 items"});
  EXPECT_TRUE(a.untouched() && b.untouched());
}

}  // namespace
