// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan_by_key.hpp>

// Rows for runs of keys of one type, and their values.
namespace tools {

template <class T>
void runs_rows(session& s)
{
  auto const values = s.items<T>();
  for (u64 const mean : means) {
    auto const keys = with_runs(values, mean);
    std::vector<T> heads, sums, exclusive(keys.size()), inclusive(keys.size());
    std::vector<u64> lengths;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) heads.push_back(keys[i]), lengths.push_back(0), sums.push_back(0);
      ++lengths.back();
      exclusive[i] = sums.back();
      inclusive[i] = sums.back() = static_cast<T>(sums.back() + values[i]);
    }
    row const names{"", of_mean(mean), type_name<T>};
    std::size_t const count = heads.size();
    if (s.wants_operator("none"))
      rows_of(s, names, "run_length_encode", inputs(keys), parts(count, part(heads, keys), part(lengths, keys)),
              [](auto const& place, auto const& in, auto const& symbols, auto const& length, auto const& counted) {
                onepass::run_length_encode(place, in, symbols, length, counted);
              });
    if (!s.wants_operator("plus")) continue;
    rows_of(s, names, "reduce_by_key", inputs(keys, values), parts(count, part(heads, keys), part(sums, keys)),
            [](auto const& place, auto const& key, auto const& value, auto const& out, auto const& sum,
               auto const& counted) { onepass::reduce_by_key(place, key, value, out, sum, counted); });
    rows_of(s, names, "exclusive_scan_by_key", inputs(keys, values), parts(part(exclusive, keys)),
            [](auto const& place, auto const& key, auto const& value, auto const& out, auto const&) {
              onepass::exclusive_scan_by_key(place, key, value, out);
            });
    rows_of(s, names, "inclusive_scan_by_key", inputs(keys, values), parts(part(inclusive, keys)),
            [](auto const& place, auto const& key, auto const& value, auto const& out, auto const&) {
              onepass::inclusive_scan_by_key(place, key, value, out);
            });
  }
}

}  // namespace tools
