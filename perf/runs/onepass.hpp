// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"

#include <onepass/runs.hpp>

namespace perf {

template <class T>
call enter_runs(race const& r, how h)
{
  auto const keys   = input_of<T>(r);
  auto const values = input_of<float>(r, 1);
  auto const heads  = output_of<T>(r);
  value_view<std::int64_t> const count(r.counts);
  bool const alone = r.variant() == 1;
  if (r.stem() == "run_length_encode") {
    auto const lengths = output_of<std::uint32_t>(r, 1);
    auto const encodes = [=](auto const& from) {
      return [=](auto const& place) { onepass::run_length_encode(place, from, heads, lengths, count); };
    };
    if (h == how::in_place) return alone ? in_place<T>(r, encodes(heads)) : call{};
    if (h == how::device_size) return on_machine(how::automatic, encodes(sized_on_device<T>(r)));
    return on_machine(h, encodes(keys));
  }
  if (r.stem() == "reduce_by_key") {
    auto const sums    = output_of<float>(r, 1);
    auto const reduces = [=](auto const& from) {
      return [=](auto const& place) { onepass::reduce_by_key(place, from, values, heads, sums, count); };
    };
    if (h == how::in_place) return alone ? in_place<T>(r, reduces(heads)) : call{};
    return on_machine(h, reduces(keys));
  }
  auto const prefixes = output_of<float>(r);
  return on_machine(h, [=](auto const& place) { onepass::exclusive_scan_by_key(place, keys, values, prefixes); });
}

}  // namespace perf
