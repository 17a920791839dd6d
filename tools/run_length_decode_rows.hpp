// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/run_length.hpp>

// Rows for the decoding of runs of items of one type.
namespace tools {

template <class T>
void run_length_decode_rows(session& s)
{
  auto const items = s.items<T>();
  for (u64 const mean : means) {
    auto const wanted = with_runs(items, mean);
    std::vector<T> symbols;
    std::vector<u32> lengths;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (i == 0 || mixed(i) % mean == 0) symbols.push_back(wanted[i]), lengths.push_back(0);
      ++lengths.back();
    }
    auto const decode = [](auto const& place, auto const& symbol, auto const& length, auto const& out,
                           auto const& total) { onepass::run_length_decode(place, symbol, length, out, total); };
    row names{"", of_mean(mean), type_name<T>};
    names.items = wanted.size();
    rows_of(s, names, "run_length_decode", inputs(symbols, lengths), parts(wanted.size(), part(wanted, wanted)),
            decode);
    if (mean != 32) continue;
    names.op = "no room";  // room for half of it; the total shows how much there was
    std::vector<T> const half(wanted.begin(), wanted.begin() + long(wanted.size() / 2));
    rows_of(s, names, "run_length_decode", inputs(symbols, lengths), parts(wanted.size(), part(half, half)), decode);
  }
}

}  // namespace tools
