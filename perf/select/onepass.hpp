// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/machines.hpp"

#include <onepass/select.hpp>
#include <onepass/unique.hpp>

namespace perf {

template <class T>
call enter_select(race const& r, how h)
{
  auto const in  = input_of<T>(r);
  auto const out = output_of<T>(r);
  value_view<std::int64_t> const count(r.counts);
  bool const unique = r.stem() == "unique";
  auto const keep   = keeping<T>(unique ? 0 : r.variant());

  auto const selects = [=](auto const& from) {
    return [=](auto const& place) { onepass::select_if(place, from, out, count, keep); };
  };
  auto const unifies = [=](auto const& from) {
    return [=](auto const& place) { onepass::unique(place, from, out, count); };
  };
  if (h == how::in_place) {
    if (r.primitive == "select_if.100") return in_place<T>(r, selects(out));
    if (r.primitive == "unique.run1") return in_place<T>(r, unifies(out));
    return {};
  }
  if (h == how::device_size) {
    auto const sized = sized_on_device<T>(r);
    return unique ? on_machine(how::automatic, unifies(sized)) : on_machine(how::automatic, selects(sized));
  }
  return unique ? on_machine(h, unifies(in)) : on_machine(h, selects(in));
}

}  // namespace perf
