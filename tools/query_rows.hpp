// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/adjacent_difference.hpp>
#include <onepass/count.hpp>
#include <onepass/find.hpp>
#include <onepass/minmax.hpp>

#include <numeric>

// Questions about items of one type, whose answers are a number, and the differences of neighbours.
namespace tools {

/// The only item of an output.
inline constexpr auto the_one = [](auto const& view) { return Kokkos::subview(view, 0); };

template <class T>
void query_rows(session& s)
{
  auto const items = s.items<T>();
  auto const first = items.begin(), last = items.end();
  auto const one = [](auto answer) { return part(std::vector<decltype(answer)>{answer}, 1); };

  for (u32 const percent : percents) {
    keep_percent const keep{percent};
    row const names{"", std::to_string(percent) + " %", type_name<T>};
    rows_of(s, names, "count_if", inputs(items), parts(one(u64(std::count_if(first, last, keep)))),
            [=](auto const& place, auto const& in, auto const& out, auto const&) {
              onepass::count_if(place, in, the_one(out), keep);
            });
    rows_of(
        s, names, "find_if", inputs(items),
        parts(one(u64(std::find_if(first, last, keep) - first)), one(u64(std::find_if_not(first, last, keep) - first))),
        [=](auto const& place, auto const& in, auto const& out, auto const& other, auto const&) {
          onepass::find_if(place, in, the_one(out), keep);
          onepass::find_if_not(place, in, the_one(other), keep);
        },
        all_backends);
    rows_of(
        s, names, "all_of, any_of, none_of", inputs(items),
        parts(one(u8(std::all_of(first, last, keep))), one(u8(std::any_of(first, last, keep))),
              one(u8(std::none_of(first, last, keep)))),
        [=](auto const& place, auto const& in, auto const& all, auto const& any, auto const& none, auto const&) {
          onepass::all_of(place, in, the_one(all), keep);
          onepass::any_of(place, in, the_one(any), keep);
          onepass::none_of(place, in, the_one(none), keep);
        },
        all_backends);
  }

  row const names{"", "<", type_name<T>};
  auto const both = std::minmax_element(first, last);
  rows_of(s, names, "min_element", inputs(items), parts(one(u64(std::min_element(first, last) - first))),
          [](auto const& place, auto const& in, auto const& out, auto const&) {
            onepass::min_element(place, in, the_one(out));
          });
  rows_of(s, names, "max_element", inputs(items), parts(one(u64(std::max_element(first, last) - first))),
          [](auto const& place, auto const& in, auto const& out, auto const&) {
            onepass::max_element(place, in, the_one(out));
          });
  rows_of(s, names, "minmax_element", inputs(items), parts(one(u64(both.first - first)), one(u64(both.second - first))),
          [](auto const& place, auto const& in, auto const& low, auto const& high, auto const&) {
            onepass::minmax_element(place, in, the_one(low), the_one(high));
          });

  std::vector<T> differences(items.size());
  std::adjacent_difference(first, last, differences.begin(), [](T a, T b) { return static_cast<T>(a - b); });
  rows_of(s, row{"", "-", type_name<T>}, "adjacent_difference", inputs(items), parts(part(differences, items)),
          [](auto const& place, auto const& in, auto const& out, auto const&) {
            onepass::adjacent_difference(place, in, out);
          });
}

}  // namespace tools
