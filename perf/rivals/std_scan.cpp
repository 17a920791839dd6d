// SPDX-License-Identifier: Apache-2.0
// std::exclusive_scan and std::inclusive_scan on the calling thread.
#include "../race.hpp"

#include <numeric>

namespace perf {

namespace {

const entry sequential{"std", [](race const& r) -> call {
  if (!on_host) return {};
  return with_type(r.type, [&](auto zero) -> call {
    using T        = decltype(zero);
    const auto in  = input_of<T>(r);
    const auto out = output_of<T>(r);
    const auto n   = r.items;
    if (r.primitive == "exclusive_scan") return [=] { std::exclusive_scan(in.data(), in.data() + n, out.data(), T(0)); };
    return [=] { std::inclusive_scan(in.data(), in.data() + n, out.data()); };
  });
}};

}  // namespace

}  // namespace perf
