// SPDX-License-Identifier: Apache-2.0
// std::merge, which has no form with values beside the keys.
#include "harness/std_policies.hpp"
#include "problem.hpp"

#include <algorithm>

namespace perf {

namespace {

struct merge {
  template <class... Policy>
  call operator()(race const& r, Policy const&... policy) const
  {
    return with_type(item_types{}, r.type, [&](auto zero) -> call {
      using T = decltype(zero);
      if (r.stem() != "merge") return {};
      halves<T> const in(r, 0);
      auto* out = static_cast<T*>(r.out[0]);
      return [=] { std::merge(policy..., in.a, in.a + in.as, in.b, in.b + in.bs, out); };
    });
  }
};

std_entries<merge> const merges;

}  // namespace

}  // namespace perf
