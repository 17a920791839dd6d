// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/leaf.hpp>
#include <onepass/backends/host/wide.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// One tile, on one thread, of a program that counts. Some items at a time are counted in numbers as wide as they are,
/// or as the words of a struct of few, which vectors have the most of; these hold the count of so many.
template <tallies Program>
class cached_tile<Program> {
  using item  = typename Program::item_type;
  using count = as_wide_as<item>;

  static constexpr extent some = sizeof(count) == 1 ? 255 : 4096;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  extent upsweep() const
  {
    extent all = 0;
    in_wide_vectors([&]() __attribute__((always_inline)) { all = tally(*program_, first_, last_); });
    return all;
  }
  extent downsweep(extent, cached_tile& next, bool) const { return next.upsweep(); }

private:
  [[gnu::always_inline]] static extent tally(Program const& given, extent first, extent last)
  {
    Program const p = given;  // a copy, which no store can change
    auto const in   = p.input();
    extent all      = 0;
    for (extent to; first < last; first = to) {
      to         = std::min(first + some, last);
      count here = 0;
      each_stretch(
          in, first, to, [&](auto const& some_items, extent i, extent end) __attribute__((always_inline)) {
            for (; i < end; ++i) here = static_cast<count>(here + static_cast<count>(p.evaluate(i, some_items(i))));
          });
      all += extent(here);
    }
    return all;
  }

  Program const* program_;
  extent first_, last_;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
