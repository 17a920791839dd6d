// SPDX-License-Identifier: Apache-2.0
// The stages of the classic table, and what they make together.
#include "images.hpp"
#include "refusal.hpp"
#include "row.hpp"

#include <onepass/classic/images.hpp>
#include <onepass/summed_area_table.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

template <class T>
using cube = Kokkos::View<T***, Kokkos::LayoutRight, memory_space, Kokkos::MemoryUnmanaged>;

template <class T>
cube<T> cube_of(guarded<T> const& memory, extent a, extent b, extent c)
{
  return cube<T>(memory.view().data(), std::size_t(a), std::size_t(b), std::size_t(c));
}

struct image_size {
  extent y, x, c;
  std::size_t numbers() const { return std::size_t(y * x * c); }
};
constexpr image_size sizes[] = {{1, 1, 1}, {1, 70, 3}, {70, 1, 3}, {31, 33, 4}, {32, 64, 2}, {65, 97, 3}, {5, 300, 7}};

TEST(classic_images, channels_are_taken_apart_and_put_together)
{
  for (auto const& [y, x, c] : sizes) {
    image_size const size{y, x, c};
    auto const items = random_items<std::uint8_t>(extent(size.numbers()));
    guarded<std::uint8_t> const image(items), back(extent(size.numbers()));
    guarded<std::uint32_t> const planes(extent(size.numbers()));
    onepass::classic::deinterleave(row(), cube_of(image, y, x, c), cube_of(planes, c, y, x));
    auto const got = planes.items();
    for (extent i = 0; i < y * x; ++i)
      for (extent k = 0; k < c; ++k)
        ASSERT_EQ(got[std::size_t(k * y * x + i)], items[std::size_t(i * c + k)])
            << y << " x " << x << " x " << c << ", pixel " << i;
    onepass::classic::interleave(row(), cube_of(planes, c, y, x), cube_of(back, y, x, c));
    ASSERT_EQ(back.items(), items);
    ASSERT_TRUE(planes.canaries_alive() && back.canaries_alive());
  }
}

TEST(classic_images, planes_are_transposed)
{
  for (auto const& [y, x, c] : sizes) {
    image_size const size{y, x, c};
    auto const items = random_items<std::uint32_t>(extent(size.numbers()));
    guarded<std::uint32_t> const in(items), out(extent(size.numbers()));
    onepass::classic::transpose(row(), cube_of(in, c, y, x), cube_of(out, c, x, y));
    auto const got = out.items();
    for (extent k = 0; k < c; ++k)
      for (extent i = 0; i < y; ++i)
        for (extent j = 0; j < x; ++j)
          ASSERT_EQ(got[std::size_t((k * x + j) * y + i)], items[std::size_t((k * y + i) * x + j)])
              << k << ", " << i << ", " << j;
    ASSERT_TRUE(out.canaries_alive());
  }
}

TEST(classic_images, make_the_table_of_the_single_pass)
{
  for (auto const& [y, x, c] : sizes) {
    image_size const size{y, x, c};
    guarded<std::uint8_t> const in(random_items<std::uint8_t>(extent(size.numbers())));
    guarded<std::uint32_t> const classic(extent(size.numbers())), single(extent(size.numbers()));
    onepass::classic::summed_area_table(row(), cube_of(in, y, x, c), cube_of(classic, y, x, c));
    onepass::summed_area_table(row(), cube_of(in, y, x, c), cube_of(single, y, x, c));
    ASSERT_EQ(classic.items(), single.items()) << y << " x " << x << " x " << c;
    ASSERT_TRUE(classic.canaries_alive());
  }
}

TEST(classic_images, refuse_extents_that_do_not_fit)
{
  guarded<std::uint32_t> const in(24), out(24);
  auto const said = refusal([&] { onepass::classic::transpose(row(), cube_of(in, 2, 3, 4), cube_of(out, 2, 3, 4)); });
  for (char const* part : {"transpose", "2 x 3 x 4", "2 x 4 x 3"})
    EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_NE(refusal([&] { onepass::classic::deinterleave(row(), cube_of(in, 2, 3, 4), cube_of(out, 2, 3, 4)); }), "");
  EXPECT_TRUE(out.untouched());
}

}  // namespace
