// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/segmented.hpp>
#include <onepass/segmented_sort.hpp>

// Rows for scans, sums and sorts of segments of items of one type.
namespace tools {

/// The offsets of segments of 100 items.
inline std::vector<u32> even_offsets(std::size_t n)
{
  std::vector<u32> offsets;
  for (std::size_t at = 0; at < n; at += 100) offsets.push_back(u32(at));
  offsets.push_back(u32(n));
  return offsets;
}

/// The offsets of one segment with half of all items, and of others with 0 to 7, as the file's bytes say.
inline std::vector<u32> uneven_offsets(std::size_t n, file_bytes const& file)
{
  std::vector<u32> offsets{0, u32(n / 2)};
  for (std::size_t k = 0; offsets.back() < n; ++k)
    offsets.push_back(
        u32(std::min<std::size_t>(n, offsets.back() + std::max<std::size_t>(file[k % file.size()] % 8, k % 2))));
  return offsets;
}

template <class T>
void segmented_rows(session& s)
{
  auto const items = s.items<T>();
  for (auto const& [name, offsets] :
       {std::pair("even", even_offsets(items.size())), std::pair("uneven", uneven_offsets(items.size(), s.file()))}) {
    std::vector<T> exclusive(items.size()), inclusive(items.size()), sums(offsets.size() - 1), in_order = items;
    for (std::size_t segment = 0; segment + 1 < offsets.size(); ++segment) {
      T sum{};
      for (std::size_t i = offsets[segment]; i < offsets[segment + 1]; ++i) {
        exclusive[i] = sum;
        inclusive[i] = sum = static_cast<T>(sum + items[i]);
      }
      sums[segment] = sum;
      std::sort(in_order.begin() + offsets[segment], in_order.begin() + offsets[segment + 1]);
    }
    row const names{"", name, type_name<T>};
    if (s.wants_operator("plus")) {
      rows_of(s, names, "exclusive_segmented_scan", inputs(items, offsets), parts(part(exclusive, items)),
              [](auto const& place, auto const& in, auto const& bounds, auto const& out, auto const&) {
                onepass::exclusive_segmented_scan(place, in, bounds, out);
              });
      rows_of(s, names, "inclusive_segmented_scan", inputs(items, offsets), parts(part(inclusive, items)),
              [](auto const& place, auto const& in, auto const& bounds, auto const& out, auto const&) {
                onepass::inclusive_segmented_scan(place, in, bounds, out);
              });
      rows_of(s, names, "segmented_reduce", inputs(items, offsets), parts(part(sums, sums)),
              [](auto const& place, auto const& in, auto const& bounds, auto const& out, auto const&) {
                onepass::segmented_reduce(place, in, bounds, out);
              });
    }
    if (s.wants_operator("none"))
      rows_of(
          s, names, "segmented_sort", inputs(items, offsets), parts(part(in_order, items)),
          [](auto const& place, auto const& in, auto const& bounds, auto const& out, auto const&) {
            onepass::segmented_sort(place, in, out, bounds);
          },
          all_backends);
  }
}

}  // namespace tools
