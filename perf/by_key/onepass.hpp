// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"

#include <onepass/reduce_by_key.hpp>
#include <onepass/scan_by_key.hpp>

namespace perf {

template <class T>
call enter_by_key(race const& r, how h)
{
  auto const keys   = input_of<T>(r);
  auto const values = input_of<float>(r, 1);
  if (r.stem() == "reduce_by_key") {
    auto const heads = output_of<T>(r);
    auto const sums  = output_of<float>(r, 1);
    value_view<std::int64_t> const count(r.counts);
    auto const reduces = [=](auto const& from) {
      return [=](auto const& place) { onepass::reduce_by_key(place, from, values, heads, sums, count); };
    };
    if (h == how::in_place) return r.variant() == 1 ? in_place<T>(r, reduces(heads)) : call{};
    return on_machine(h, reduces(keys));
  }
  auto const prefixes = output_of<float>(r);
  return on_machine(h, [=](auto const& place) { onepass::exclusive_scan_by_key(place, keys, values, prefixes); });
}

}  // namespace perf
