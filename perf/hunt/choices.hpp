// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "items.hpp"
#include "trial.hpp"

#include <algorithm>
#include <iterator>

// Items of which some are wanted: their density and distribution.
namespace perf::hunt {

/// The predicate of selection and partition.
template <class T>
struct is_wanted {
  KOKKOS_FUNCTION bool operator()(T const& item) const
  {
    if constexpr (std::is_floating_point_v<T>) return item > 0;
    else return (to_number(item) & 1) != 0;
  }
};

template <class T>
std::vector<T> wanted_of(std::vector<T> const& items)
{
  std::vector<T> wanted;
  std::copy_if(items.begin(), items.end(), std::back_inserter(wanted), is_wanted<T>());
  return wanted;
}

struct choices {
  std::int64_t per_mille, together;

  explicit choices(dice const& d)
      : per_mille(d.chance("any density", 50) ? d.below("density", 1001)
                                              : d.one_of<std::int64_t>("round density", {0, 1, 20, 500, 970, 1000}))
      , together(d.one_of<std::int64_t>("together", {1, 1, 1, 30, 3000}))
  {}

  /// Groups of `together` neighbours are wanted or not.
  template <class T>
  std::vector<T> items(std::int64_t n) const
  {
    return items_made<T>(n, [*this](std::int64_t i) {
      bool const wanted = mixed(std::uint64_t(i / together) + 12345) % 1000 < std::uint64_t(per_mille);
      auto const random = mixed(std::uint64_t(i));
      if constexpr (std::is_floating_point_v<T>) return static_cast<T>(wanted ? 1 + (random & 0xffff) : 0);
      else return from_number<T>((random & ~std::uint64_t(1)) | wanted);
    });
  }

  std::string shape() const { return text("wanted ", per_mille, "/1000 by ", together); }
};

}  // namespace perf::hunt
