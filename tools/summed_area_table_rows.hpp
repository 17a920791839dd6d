// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

#include <onepass/summed_area_table.hpp>

#include <cmath>

// Summed-area tables of the file's bytes as an image that is about as wide as it is high.
namespace tools {

template <class T>
void summed_area_table_rows(session& s)
{
  using judge    = exact<u32>;
  auto const all = s.items<T>();
  for (std::size_t const channels : {1, 3}) {
    auto const columns = std::max<std::size_t>(std::size_t(std::sqrt(double(all.size() / channels))), 1),
               rows = all.size() / channels / columns, pitch = columns * channels;
    std::vector<T> const image(all.begin(), all.begin() + long(rows * pitch));
    if (image.empty()) continue;
    std::vector<u32> table(image.size());
    for (std::size_t y = 0; y < rows; ++y)
      for (std::size_t i = 0; i < pitch; ++i) {
        auto const at = y * pitch + i;
        table[at]     = image[at];
        if (y > 0) table[at] += table[at - pitch];
        if (i >= channels) table[at] += table[at - channels];
        if (y > 0 && i >= channels) table[at] -= table[at - pitch - channels];
      }
    std::vector<problem<judge, T>> const problems{
        {"bytes", {&image}, image.size() * (sizeof(T) + sizeof(u32)), judge{table, poison<u32>()}}};
    measure_everywhere(
        s, {"summed_area_table", channels == 1 ? "grey" : "3 channels", type_name<T>}, problems,
        [=](auto const& place, auto const& in, auto const& out, auto const&) {
          using exec = typename std::decay_t<decltype(place)>::execution_space;
          using Kokkos::LayoutRight;
          if (channels == 1)
            onepass::summed_area_table(
                place, Kokkos::View<T const**, LayoutRight, exec, Kokkos::MemoryUnmanaged>(in.data(), rows, columns),
                Kokkos::View<u32**, LayoutRight, exec, Kokkos::MemoryUnmanaged>(out.data(), rows, columns));
          else
            onepass::summed_area_table(
                place,
                Kokkos::View<T const** [3], LayoutRight, exec, Kokkos::MemoryUnmanaged>(in.data(), rows, columns),
                Kokkos::View<u32** [3], LayoutRight, exec, Kokkos::MemoryUnmanaged>(out.data(), rows, columns));
        },
        all_backends);
  }
}

}  // namespace tools
