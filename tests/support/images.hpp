// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of tables and filters.
#pragma once
#include "compaction.hpp"
#include "inputs.hpp"

#include <onepass/raster.hpp>

namespace test {

/// Rows, columns and channels, and the number of padding numbers between rows.
struct frame {
  extent rows, columns, channels = 1, padding = 0;
  extent pitch() const { return columns * channels + padding; }
  extent numbers() const { return rows * pitch(); }
  extent at(extent y, extent x, extent c) const { return y * pitch() + x * channels + c; }
  std::string text() const
  {
    return std::to_string(rows) + " x " + std::to_string(columns) + " x " + std::to_string(channels) + ", padding "
           + std::to_string(padding);
  }
};

/// The pixels of guarded memory, channels interleaved.
template <class T, int C = 1>
auto image_of(guarded<T> const& memory, frame const& f)
{
  if constexpr (C == 1) {
    Kokkos::LayoutStride const layout(f.rows, f.pitch(), f.columns, 1);
    return Kokkos::View<T**, Kokkos::LayoutStride, memory_space, Kokkos::MemoryUnmanaged>(memory.view().data(), layout);
  } else {
    Kokkos::LayoutStride const layout(f.rows, f.pitch(), f.columns, f.channels, C, 1);
    return Kokkos::View<T** [C], Kokkos::LayoutStride, memory_space, Kokkos::MemoryUnmanaged>(memory.view().data(),
                                                                                              layout);
  }
}

/// Checks that `out` has these numbers, and that nothing was written between its rows and around it.
template <class T>
void expect_image(guarded<T> const& out, frame const& f, std::vector<T> const& expected)
{
  auto const got = out.items();
  for (extent y = 0; y < f.rows; ++y) {
    for (extent i = 0; i < f.pitch(); ++i) {
      bool const inside = i < f.columns * f.channels;
      auto const k      = std::size_t(y * f.pitch() + i);
      ASSERT_TRUE(got[k] == (inside ? expected[k] : poison_of<T>()))
          << f.text() << ": row " << y << ", number " << i << (inside ? "" : " (padding)");
    }
  }
  ASSERT_TRUE(out.canaries_alive()) << f.text();
}

}  // namespace test
