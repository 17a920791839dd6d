// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "items.hpp"
#include "trial.hpp"

#include <algorithm>

// Places that items are read from, or go to, and cells that they are in.
namespace perf::hunt {

class places {
public:
  explicit places(dice const& d)
      : kind_(d.one_of<std::string>("places", {"uniform", "uniform", "in order", "near", "reversed", "zipf"}))
      , share_(d.one_of<std::int64_t>("share", {1, 1, 2, 7, 64, 1000}))
  {}

  /// How many places there are for n items.
  std::int64_t number(std::int64_t n) const { return std::max<std::int64_t>(n / share_, 1); }

  /// The place of each of n items.
  std::vector<u32> items(std::int64_t n) const
  {
    auto const all = std::uint64_t(number(n));
    return items_made<u32>(n, [&](std::int64_t i) {
      auto const random = mixed(std::uint64_t(i)), here = std::min(std::uint64_t(i / share_), all - 1);
      if (kind_ == "uniform") return u32(random % all);
      if (kind_ == "near" && random % 32 == 0) return u32(std::min(here + (random >> 32) % 64, all - 1));
      if (kind_ == "reversed") return u32(all - 1 - here);
      if (kind_ == "zipf") return u32((random >> 32 >> (mixed(random) & 31)) % all);  // each power of two as often
      return u32(here);
    });
  }

  std::string shape() const { return text(kind_, " ", share_, " a place"); }

private:
  std::string kind_;
  std::int64_t share_;
};

}  // namespace perf::hunt
