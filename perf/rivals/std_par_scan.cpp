// SPDX-License-Identifier: Apache-2.0
// The same with std::execution::par, which the GNU library runs on TBB.
#include "../race.hpp"

#include <execution>
#include <numeric>

namespace perf {

namespace {

const entry parallel{"std.par", [](race const& r) -> call {
  if (!on_host) return {};
  return with_type(r.type, [&](auto zero) -> call {
    using T        = decltype(zero);
    const auto in  = input_of<T>(r);
    const auto out = output_of<T>(r);
    const auto n   = r.items;
    if (r.primitive == "exclusive_scan") return [=] { std::exclusive_scan(std::execution::par, in.data(), in.data() + n, out.data(), T(0)); };
    return [=] { std::inclusive_scan(std::execution::par, in.data(), in.data() + n, out.data()); };
  });
}};

}  // namespace

}  // namespace perf
