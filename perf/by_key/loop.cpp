// SPDX-License-Identifier: Apache-2.0
#include "harness/loops.hpp"
#include "problem.hpp"

#include <functional>

namespace perf {

namespace {

entry const loop{
    "loop", [](race const& r) {
      return with_type(item_types{}, r.type, [&](auto zero) -> call {
        using T            = decltype(zero);
        auto const* keys   = static_cast<T const*>(r.in[0]);
        auto const* values = static_cast<float const*>(r.in[1]);
        auto* heads        = static_cast<T*>(r.out[0]);
        auto const out     = r.out;
        auto const n       = r.items;
        auto* count        = r.counts;
        if (r.stem() == "reduce_by_key")
          return
              [=] { *count = reduce_by_loop(keys, values, n, heads, static_cast<float*>(out[1]), std::plus<float>()); };
        return [=] { scan_by_loop<false>(keys, values, n, static_cast<float*>(out[0]), 0.f, std::plus<float>()); };
      });
    }};

}  // namespace

}  // namespace perf
