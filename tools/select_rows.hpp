// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

#include <onepass/select.hpp>

// Compaction of items of one type.
namespace tools {

/// Keeps about so many of a hundred different items.
struct keep_percent {
  u32 percent;

  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x) const
  {
    return u32((u64(x) * 0x9e3779b97f4a7c15u) >> 32) % 100 < percent;
  }
};

/// The items kept, behind them what nobody may write, and their number.
template <class T, class Keep>
exact<T, onepass::extent> kept_of(std::vector<T> const& items, Keep const& keep)
{
  exact<T, onepass::extent> made{std::vector<T>(items.size(), poison<T>()), 0};
  made.total = keep(items.begin(), items.end(), made.items.begin()) - made.items.begin();
  return made;
}

template <class T>
void select_rows(session& s)
{
  using judge      = exact<T, onepass::extent>;
  const auto items = items_of<T>(s.file());
  const auto rows  = [&](std::string primitive, std::string how, std::vector<T> const& input, judge expected, auto const& call) {
    const auto written = std::size_t(expected.total);
    measure_everywhere(s, {std::move(primitive), std::move(how), type_name<T>},
                       std::vector<problem<T, judge>>{{"bytes", &input, written, std::move(expected)}}, call);
  };
  for (const u32 percent : {0u, 1u, 50u, 99u, 100u}) {
    const keep_percent kept{percent};
    rows("select_if", std::to_string(percent) + " %", items,
         kept_of(items, [&](auto first, auto last, auto out) { return std::copy_if(first, last, out, kept); }),
         [=](auto const& place, auto const& in, auto const& out, auto const& count) { onepass::select_if(place, in, out, count, kept); });
  }
  for (const u64 mean : {1, 32, 500}) {
    const auto runs = with_runs(items, mean);
    rows("unique", "run " + std::to_string(mean), runs,
         kept_of(runs, [](auto first, auto last, auto out) { return std::unique_copy(first, last, out); }),
         [](auto const& place, auto const& in, auto const& out, auto const& count) { onepass::unique(place, in, out, count); });
  }
}

}  // namespace tools
