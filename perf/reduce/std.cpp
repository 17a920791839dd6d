// SPDX-License-Identifier: Apache-2.0
// std::reduce.
#include "harness/std_policies.hpp"
#include "problem.hpp"

#include <numeric>

namespace perf {

namespace {

struct reduce {
  template <class... Policy>
  call operator()(race const& r, Policy const&... policy) const
  {
    return with_type(item_types{}, r.type, [&](auto zero) -> call {
      using T           = decltype(zero);
      auto const* first = static_cast<T const*>(r.in[0]);
      auto const* last  = first + r.items;
      auto* total       = static_cast<T*>(r.out[0]);
      return [=] { *total = std::reduce(policy..., first, last); };
    });
  }
};

std_entries<reduce> const sums;

}  // namespace

}  // namespace perf
