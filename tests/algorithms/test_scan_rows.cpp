// SPDX-License-Identifier: Apache-2.0
// Views of rank 2: every row scanned by itself.
#include "guarded.hpp"
#include "refusal.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/scan.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

using item = small_interval;

/// A matrix of intervals in guarded memory. Row r holds [b, b+1), [b+1, b+2), ... where no two rows are neighbours.
template <class Layout>
class matrix {
public:
  matrix(extent rows, extent columns)
      : rows_(rows)
      , columns_(columns)
      , memory_(rows * columns)
  {}

  static matrix filled(extent rows, extent columns)
  {
    matrix made(rows, columns);
    std::vector<item> items(std::size_t(rows * columns));
    auto const host = made.over(items.data());
    for (extent r = 0; r < rows; ++r)
      for (extent c = 0; c < columns; ++c) host(r, c) = item::of(made.begin(r) + int(c), made.begin(r) + int(c) + 1);
    made.memory_ = guarded<item>(items);
    return made;
  }

  auto view() const
  {
    return Kokkos::View<item**, Layout, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        memory_.view().data(), std::size_t(rows_), std::size_t(columns_));
  }

  /// Item (r, c) must be the row's own items up to c: behind it (inclusive), or before it and behind an init.
  void expect_stretches(bool inclusive) const
  {
    auto items      = memory_.items();
    auto const host = over(items.data());
    for (extent r = 0; r < rows_; ++r)
      for (extent c = 0; c < columns_; ++c)
        ASSERT_EQ(host(r, c), item::of(begin(r), begin(r) + int(c) + (inclusive ? 1 : 0)))
            << "at row " << r << ", column " << c << " of " << rows_ << " x " << columns_;
    EXPECT_TRUE(memory_.canaries_alive());
  }

private:
  int begin(extent row) const { return int(row * (columns_ + 1)); }
  auto over(item* items) const
  {
    return Kokkos::View<item**, Layout, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        items, std::size_t(rows_), std::size_t(columns_));
  }

  extent rows_, columns_;
  guarded<item> memory_;
};

/// Rows of every length against the tile: many in one, as long as one, many tiles long.
std::vector<std::pair<extent, extent>> shapes()
{
  std::vector<std::pair<extent, extent>> shapes{{0, 5}, {5, 0}, {1, 1}, {1, 1009}, {1009, 1}, {331, 3}, {37, 100}};
  for (auto const [from, tile, alike] : machines(sizeof(item)))
    for (extent const columns : {tile - 1, tile, tile + 1, 9 * tile + 5})
      if (columns > 0) shapes.push_back({from / columns + 7, columns});
  return shapes;
}

template <class Layouts>
class scan_by_rows : public testing::Test {
protected:
  faults seen;
};
template <class In, class Out>
struct layouts {
  using in  = In;
  using out = Out;
};
using combinations =
    testing::Types<layouts<Kokkos::LayoutRight, Kokkos::LayoutRight>, layouts<Kokkos::LayoutLeft, Kokkos::LayoutLeft>,
                   layouts<Kokkos::LayoutRight, Kokkos::LayoutLeft>>;
TYPED_TEST_SUITE(scan_by_rows, combinations);

TYPED_TEST(scan_by_rows, takes_every_item_of_a_row_once_and_in_order)
{
  for (auto const& [rows, columns] : shapes()) {
    auto const in = matrix<typename TypeParam::in>::filled(rows, columns);
    matrix<typename TypeParam::out> const out(rows, columns);
    onepass::inclusive_scan(row(), in.view(), out.view(), join{this->seen.sink()});
    out.expect_stretches(true);
    EXPECT_EQ(this->seen.text(), "") << rows << " x " << columns;
  }
}

TEST(scan_rows, are_right_in_place)
{
  for (auto const& [rows, columns] : shapes()) {
    faults const seen;
    auto const data = matrix<Kokkos::LayoutRight>::filled(rows, columns);
    onepass::inclusive_scan(row(), data.view(), data.view(), join{seen.sink()});
    data.expect_stretches(true);
    EXPECT_EQ(seen.text(), "") << rows << " x " << columns;
  }
}

TEST(scan_rows, begin_each_with_the_init)
{
  extent const rows = 300, columns = 50;
  guarded<int> const in(std::vector<int>(std::size_t(rows * columns), 2)), out(rows * columns);
  using matrix_of_int = Kokkos::View<int**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  onepass::exclusive_scan(row(), matrix_of_int(in.view().data(), rows, columns),
                          matrix_of_int(out.view().data(), rows, columns), onepass::plus{}, 7);
  auto const got = out.items();
  for (extent i = 0; i < rows * columns; ++i) ASSERT_EQ(got[std::size_t(i)], 7 + 2 * (i % columns)) << "at " << i;
}

TEST(scan_rows, of_a_part_of_a_matrix_leave_the_rest_alone)
{
  extent const rows = 60, columns = 40;
  using matrix_of_int = Kokkos::View<int**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  guarded<int> const data(std::vector<int>(std::size_t(rows * columns), 1));
  auto const part =
      Kokkos::subview(matrix_of_int(data.view().data(), rows, columns), std::pair(10, 50), std::pair(5, 35));
  onepass::inclusive_scan(row(), part, part);
  auto const got = data.items();
  for (extent r = 0; r < rows; ++r)
    for (extent c = 0; c < columns; ++c) {
      bool const inside = r >= 10 && r < 50 && c >= 5 && c < 35;
      ASSERT_EQ(got[std::size_t(r * columns + c)], inside ? c - 4 : 1) << "at row " << r << ", column " << c;
    }
}

TEST(scan_rows, refuse_an_output_of_another_shape)
{
  using matrix_of_int = Kokkos::View<int**, Kokkos::LayoutRight, memory_space>;
  matrix_of_int const in("in", 6, 4), out("out", 4, 6);
  auto const said = refusal([&] { onepass::inclusive_scan(row(), in, out); });
  EXPECT_NE(said.find("4 x 6"), std::string::npos) << said;
}

}  // namespace
