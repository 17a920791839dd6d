// SPDX-License-Identifier: Apache-2.0
// std::partition_copy.
#include "harness/inputs.hpp"
#include "harness/std_policies.hpp"
#include "problem.hpp"

#include <algorithm>

namespace perf {

namespace {

struct partition {
  template <class... Policy>
  call operator()(race const& r, Policy const&... policy) const
  {
    if (r.stem() != "partition_if") return {};
    return with_type(item_types{}, r.type, [&](auto zero) -> call {
      using T           = decltype(zero);
      auto const* first = static_cast<T const*>(r.in[0]);
      auto const* last  = first + r.items;
      auto *kept = static_cast<T*>(r.out[0]), *others = static_cast<T*>(r.out[1]);
      auto* count = r.counts;
      return [=, keep = keeping<T>(r.variant())] {
        *count = std::partition_copy(policy..., first, last, kept, others, keep).first - kept;
      };
    });
  }
};

std_entries<partition> const partitions;

}  // namespace

}  // namespace perf
