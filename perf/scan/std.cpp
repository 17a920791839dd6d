// SPDX-License-Identifier: Apache-2.0
// std::exclusive_scan and std::inclusive_scan.
#include "harness/std_policies.hpp"
#include "problem.hpp"

#include <numeric>

namespace perf {

namespace {

struct scan {
  template <class... Policy>
  call operator()(race const& r, Policy const&... policy) const
  {
    return with_type(item_types{}, r.type, [&](auto zero) -> call {
      using T        = decltype(zero);
      auto const* in = static_cast<T const*>(r.in[0]);
      auto* out      = static_cast<T*>(r.out[0]);
      auto const n   = r.items;
      if (r.primitive == "exclusive_scan") return [=] { std::exclusive_scan(policy..., in, in + n, out, T(0)); };
      return [=] { std::inclusive_scan(policy..., in, in + n, out); };
    });
  }
};

std_entries<scan> const scans;

}  // namespace

}  // namespace perf
