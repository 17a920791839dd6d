// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/merge.hpp>
#include <onepass/merge_sort.hpp>
#include <onepass/search.hpp>

#include <numeric>

// Sorts by merging, merges of items in order, and searches among them.
namespace tools {

template <class T>
void merge_rows(session& s)
{
  auto const items = s.items<T>();
  std::vector<u64> places(items.size());
  std::iota(places.begin(), places.end(), u64(0));
  std::stable_sort(places.begin(), places.end(), [&](u64 x, u64 y) { return items[x] < items[y]; });
  auto const all = sorted(items);
  rows_of(
      s, row{"", "<", type_name<T>}, "merge_sort", inputs(items), parts(part(all, all)),
      [](auto const& place, auto const& in, auto const& out, auto const&) { onepass::merge_sort(place, in, out); },
      all_backends);
  rows_of(
      s, row{"", "<", type_name<T>}, "merge_sort_by_key", inputs(items), parts(part(all, all), part(places, places)),
      [](auto const& place, auto const& in, auto const& out, auto const& from, auto const&) {
        onepass::merge_sort_by_key(place, in, onepass::counting<u64>{0, onepass::extent(in.size())}, out, from);
      },
      all_backends);

  for (u64 const share : {2, 100}) {  // of all items, those of the first input are one in so many
    auto const middle = items.begin() + long(items.size() / share);
    auto const a = sorted(std::vector<T>(items.begin(), middle)), b = sorted(std::vector<T>(middle, items.end()));
    std::vector<T> merged;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged));
    row names{"", "1 / " + std::to_string(share), type_name<T>};
    names.items = items.size();
    rows_of(
        s, names, "merge", inputs(a, b), parts(part(merged, merged)),
        [](auto const& place, auto const& one, auto const& other, auto const& out, auto const&) {
          onepass::merge(place, one, other, out);
        },
        all_backends);

    // Positions beside the keys, those of the first input first: equal keys leave them in order.
    std::vector<u64> order(items.size());
    std::iota(order.begin(), order.end(), u64(0));
    auto const key = [&](u64 i) { return i < a.size() ? a[i] : b[i - a.size()]; };
    std::stable_sort(order.begin(), order.end(), [&](u64 x, u64 y) { return key(x) < key(y); });
    rows_of(
        s, names, "merge_by_key", inputs(a, b), parts(part(merged, merged), part(order, order)),
        [](auto const& place, auto const& one, auto const& other, auto const& out, auto const& values, auto const&) {
          auto const as = onepass::extent(one.size()), bs = onepass::extent(other.size());
          onepass::merge_by_key(place, one, onepass::counting<u64>{0, as}, other, onepass::counting<u64>{u64(as), bs},
                                out, values);
        },
        all_backends);

    std::vector<u64> lower, upper;
    for (auto const& x : a) {
      lower.push_back(u64(std::lower_bound(b.begin(), b.end(), x) - b.begin()));
      upper.push_back(u64(std::upper_bound(b.begin(), b.end(), x) - b.begin()));
    }
    rows_of(
        s, names, "lower_bound, upper_bound", inputs(a, b), parts(part(lower, lower), part(upper, upper)),
        [](auto const& place, auto const& needles, auto const& in, auto const& low, auto const& high, auto const&) {
          onepass::lower_bound(place, in, needles, low);
          onepass::upper_bound(place, in, needles, high);
        },
        all_backends);
  }
}

}  // namespace tools
