// SPDX-License-Identifier: Apache-2.0
// std::lower_bound for each needle.
#include "harness/std_policies.hpp"
#include "problem.hpp"

#include <algorithm>

namespace perf {

namespace {

struct search {
  template <class... Policy>
  call operator()(race const& r, Policy const&... policy) const
  {
    return with_type(item_types{}, r.type, [&](auto zero) -> call {
      using T             = decltype(zero);
      auto const* first   = static_cast<T const*>(r.in[0]);
      auto const* last    = first + r.items;
      auto const* needles = static_cast<T const*>(r.in[1]);
      auto* positions     = static_cast<std::uint32_t*>(r.out[0]);
      return [=, n = r.items] {
        std::transform(policy..., needles, needles + n, positions,
                       [=](T const& x) { return std::uint32_t(std::lower_bound(first, last, x) - first); });
      };
    });
  }
};

std_entries<search> const searches;

}  // namespace

}  // namespace perf
