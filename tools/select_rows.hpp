// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/select.hpp>
#include <onepass/unique.hpp>

// Rows for compactions of items of one type.
namespace tools {

template <class T>
void select_rows(session& s)
{
  auto const items = s.items<T>();
  for (u32 const percent : percents) {
    keep_percent const keep{percent};
    std::vector<T> kept;
    std::vector<u64> positions;
    std::vector<u8> flags(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      if (keep(items[i])) kept.push_back(items[i]), positions.push_back(i), flags[i] = u8(i | 1);
    row const names{"", std::to_string(percent) + " %", type_name<T>};
    std::size_t const count = kept.size();
    rows_of(s, names, "select_if", inputs(items), parts(count, part(kept, items)),
            [=](auto const& place, auto const& in, auto const& out, auto const& counted) {
              onepass::select_if(place, in, out, counted, keep);
            });
    rows_of(s, names, "select_flagged", inputs(items, flags), parts(count, part(kept, items)),
            [](auto const& place, auto const& in, auto const& flag, auto const& out, auto const& counted) {
              onepass::select_flagged(place, in, flag, out, counted);
            });
    rows_of(s, names, "select_indices", inputs(items), parts(count, part(positions, items)),
            [=](auto const& place, auto const& in, auto const& out, auto const& counted) {
              onepass::select_indices(place, in, out, counted, keep);
            });
  }
  for (u64 const mean : means) {
    auto const keys = with_runs(items, mean);
    std::vector<T> heads, values;
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (i == 0 || keys[i] != keys[i - 1]) heads.push_back(keys[i]), values.push_back(items[i]);
    row const names{"", of_mean(mean), type_name<T>};
    std::size_t const count = heads.size();
    rows_of(s, names, "unique", inputs(keys), parts(count, part(heads, keys)),
            [](auto const& place, auto const& in, auto const& out, auto const& counted) {
              onepass::unique(place, in, out, counted);
            });
    rows_of(s, names, "unique_by_key", inputs(keys, items), parts(count, part(heads, keys), part(values, keys)),
            [](auto const& place, auto const& in, auto const& beside, auto const& out, auto const& out_beside,
               auto const& counted) { onepass::unique_by_key(place, in, beside, out, out_beside, counted); });
  }
}

}  // namespace tools
