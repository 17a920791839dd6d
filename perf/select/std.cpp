// SPDX-License-Identifier: Apache-2.0
// std::copy_if and std::unique_copy.
#include "harness/inputs.hpp"
#include "harness/std_policies.hpp"
#include "problem.hpp"

#include <algorithm>

namespace perf {

namespace {

struct select {
  template <class... Policy>
  call operator()(race const& r, Policy const&... policy) const
  {
    return with_type(item_types{}, r.type, [&](auto zero) -> call {
      using T           = decltype(zero);
      auto const* first = static_cast<T const*>(r.in[0]);
      auto const* last  = first + r.items;
      auto* out         = static_cast<T*>(r.out[0]);
      auto* count       = r.counts;
      if (r.stem() == "unique") return [=] { *count = std::unique_copy(policy..., first, last, out) - out; };
      return [=, keep = keeping<T>(r.variant())] { *count = std::copy_if(policy..., first, last, out, keep) - out; };
    });
  }
};

std_entries<select> const selections;

}  // namespace

}  // namespace perf
