// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

#include <onepass/summed_area_table.hpp>

#include <cmath>

// Summed-area tables of the file's bytes as an image that is about as wide as it is high.
namespace tools {

// Of the file's bytes as pixels of one or three channels.
template <class T, int Channels>
void summed_area_table_rows_of(session& s, char const* name)
{
  using judge = exact<u32>;
  using Kokkos::LayoutRight, Kokkos::MemoryUnmanaged;
  constexpr auto channels = std::size_t(Channels);

  auto const all     = s.items<T>();
  auto const columns = std::max<std::size_t>(std::size_t(std::sqrt(double(all.size() / channels))), 1),
             rows = all.size() / channels / columns, pitch = columns * channels;
  if (rows == 0) return;
  std::vector<T> const image(all.begin(), all.begin() + long(rows * pitch));
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
      s, {"summed_area_table", name, type_name<T>}, problems,
      [=](auto const& place, auto const& in, auto const& out, auto const&) {
        using exec   = typename std::decay_t<decltype(place)>::execution_space;
        using pixels = std::conditional_t<Channels == 1, T const**, T const** [Channels]>;
        using sums   = std::conditional_t<Channels == 1, u32**, u32** [Channels]>;
        onepass::summed_area_table(place,
                                   Kokkos::View<pixels, LayoutRight, exec, MemoryUnmanaged>(in.data(), rows, columns),
                                   Kokkos::View<sums, LayoutRight, exec, MemoryUnmanaged>(out.data(), rows, columns));
      },
      all_backends);
}

template <class T>
void summed_area_table_rows(session& s)
{
  summed_area_table_rows_of<T, 1>(s, "grey");
  summed_area_table_rows_of<T, 3>(s, "3 channels");
}

}  // namespace tools
