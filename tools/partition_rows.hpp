// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/partition.hpp>

// Rows for partitions of items of one type.
namespace tools {

/// Assigns an item to one of three classes that look random.
struct class_of {
  template <class T>
  ONEPASS_FUNCTION int operator()(T const& x) const
  {
    return int(u32((u64(x) * 0x9e3779b97f4a7c15u) >> 32) % 3);
  }
};

template <class T>
void partition_rows(session& s)
{
  auto const items = s.items<T>();
  for (u32 const percent : percents) {
    keep_percent const keep{percent};
    std::vector<T> kept, others, all;
    std::partition_copy(items.begin(), items.end(), std::back_inserter(kept), std::back_inserter(others), keep);
    all = kept;
    all.insert(all.end(), others.begin(), others.end());
    row const names{"", std::to_string(percent) + " %", type_name<T>};
    std::size_t const count = kept.size();
    rows_of(s, names, "partition_if", inputs(items), parts(count, part(kept, items), part(others, items)),
            [=](auto const& place, auto const& in, auto const& out, auto const& rest, auto const& counted) {
              onepass::partition_if(place, in, out, rest, counted, keep);
            });
    rows_of(s, names, "partition_if_into_one", inputs(items), parts(count, part(all, items)),
            [=](auto const& place, auto const& in, auto const& out, auto const& counted) {
              onepass::partition_if_into_one(place, in, out, counted, keep);
            });
  }
  std::vector<T> classes[3];
  for (auto const& x : items) classes[class_of()(x)].push_back(x);
  std::vector<std::int64_t> const counts{std::int64_t(classes[0].size()), std::int64_t(classes[1].size()),
                                         std::int64_t(classes[2].size())};
  rows_of(s, {"", "thirds", type_name<T>}, "partition_three_way", inputs(items),
          parts(part(classes[0], items), part(classes[1], items), part(classes[2], items), part(counts, 3)),
          [](auto const& place, auto const& in, auto const& a, auto const& b, auto const& c, auto const& counted,
             auto const&) { onepass::partition_three_way(place, in, a, b, c, counted, class_of()); });
}

}  // namespace tools
