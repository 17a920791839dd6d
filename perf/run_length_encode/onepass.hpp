// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/machines.hpp"

#include <onepass/run_length.hpp>

namespace perf {

template <class T>
call enter_run_length_encode(race const& r, how h)
{
  auto const in      = input_of<T>(r);
  auto const symbols = output_of<T>(r);
  auto const lengths = output_of<std::uint32_t>(r, 1);
  value_view<std::int64_t> const count(r.counts);
  auto const encodes = [=](auto const& from) {
    return [=](auto const& place) { onepass::run_length_encode(place, from, symbols, lengths, count); };
  };
  if (h == how::in_place) return r.variant() == 1 ? in_place<T>(r, encodes(symbols)) : call{};
  if (h == how::device_size) return on_machine(how::automatic, encodes(sized_on_device<T>(r)));
  return on_machine(h, encodes(in));
}

}  // namespace perf
