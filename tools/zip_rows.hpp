// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/unique.hpp>
#include <onepass/zip.hpp>

// Rows for runs of keys in two columns, of keys that are alike without being equal, and for runs longer than one item.
namespace tools {

/// Whether keys agree in all but their last four bits.
struct alike {
  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& a, T const& b) const
  {
    return a / 16 == b / 16;
  }
};

template <class T>
void zip_rows(session& s)
{
  auto const values = s.items<T>();
  for (u64 const mean : means) {
    auto const keys = with_runs(values, mean);
    row const names{"", of_mean(mean), type_name<T>};
    std::vector<u8> beside(keys.size());  // its runs begin elsewhere than those of the keys
    for (std::size_t i = 0; i < keys.size(); ++i) beside[i] = u8(mixed(i / (2 * mean)) % 4);

    if (s.wants_operator("none")) {
      std::vector<T> heads;
      std::vector<u8> heads_beside;
      std::vector<u32> lengths, long_begins, long_lengths;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i] != keys[i - 1] || beside[i] != beside[i - 1])
          heads.push_back(keys[i]), heads_beside.push_back(beside[i]), lengths.push_back(0);
        ++lengths.back();
      }
      for (std::size_t begin = 0, end = 1; begin < keys.size(); begin = end++) {
        while (end < keys.size() && keys[end] == keys[begin]) ++end;
        if (end - begin > 1) long_begins.push_back(u32(begin)), long_lengths.push_back(u32(end - begin));
      }
      rows_of(
          s, names, "unique, columns", inputs(keys, beside),
          parts(heads.size(), part(heads, keys), part(heads_beside, keys)),
          [](auto const& place, auto const& a, auto const& b, auto const& out_a, auto const& out_b,
             auto const& counted) { onepass::unique(place, onepass::zip(a, b), onepass::zip(out_a, out_b), counted); });
      rows_of(s, names, "run_length_encode, columns", inputs(keys, beside),
              parts(heads.size(), part(heads, keys), part(heads_beside, keys), part(lengths, keys)),
              [](auto const& place, auto const& a, auto const& b, auto const& out_a, auto const& out_b,
                 auto const& length, auto const& counted) {
                onepass::run_length_encode(place, onepass::zip(a, b), onepass::zip(out_a, out_b), length, counted);
              });
      rows_of(s, names, "non_trivial_runs", inputs(keys),
              parts(long_begins.size(), part(long_begins, keys.size() / 2), part(long_lengths, keys.size() / 2)),
              [](auto const& place, auto const& in, auto const& begin, auto const& length, auto const& counted) {
                onepass::non_trivial_runs(place, in, begin, length, counted);
              });
    }

    if (!s.wants_operator("plus")) continue;
    std::vector<T> last, sums;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i == 0 || !alike()(keys[i - 1], keys[i])) last.push_back(0), sums.push_back(0);
      last.back() = keys[i];
      sums.back() = static_cast<T>(sums.back() + values[i]);
    }
    rows_of(s, names, "reduce_by_key, last", inputs(keys, values),
            parts(last.size(), part(last, keys), part(sums, keys)),
            [](auto const& place, auto const& key, auto const& value, auto const& out, auto const& sum,
               auto const& counted) {
              onepass::reduce_by_key<onepass::run_key::last>(place, key, value, out, sum, counted, onepass::plus{},
                                                             alike{});
            });
  }
}

}  // namespace tools
