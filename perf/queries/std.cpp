// SPDX-License-Identifier: Apache-2.0
// std::count_if, find_if, min_element, minmax_element and adjacent_difference.
#include "harness/std_policies.hpp"
#include "problem.hpp"

#include <algorithm>
#include <numeric>

namespace perf {

namespace {

struct question {
  template <class... Policy>
  call operator()(race const& r, Policy const&... policy) const
  {
    return with_type(item_types{}, r.type, [&](auto zero) -> call {
      using T           = decltype(zero);
      auto const* first = static_cast<T const*>(r.in[0]);
      auto const* last  = first + r.items;
      auto* out         = static_cast<T*>(r.out[0]);
      auto* told        = r.told;
      if (r.stem() == "count_if") return [=] { *told = std::count_if(policy..., first, last, lower_half<T>()); };
      if (r.stem() == "find_if") return [=] { *told = std::find_if(policy..., first, last, is_zero()) - first; };
      if (r.stem() == "min_element") return [=] { *told = std::min_element(policy..., first, last) - first; };
      if (r.stem() == "minmax_element")
        return [=] {
          auto const both = std::minmax_element(policy..., first, last);
          told[0]         = both.first - first;
          told[1]         = both.second - first;
        };
      return [=] { std::adjacent_difference(policy..., first, last, out); };
    });
  }
};

std_entries<question> const questions;

}  // namespace

}  // namespace perf
