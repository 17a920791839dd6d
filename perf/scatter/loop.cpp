// SPDX-License-Identifier: Apache-2.0
// A loop on the calling thread.
#include "problem.hpp"

namespace perf {

namespace {

entry const loop{"loop", [](race const& r) {
                   return with_type(item_types{}, r.type, [&](auto zero) -> call {
                     using T            = decltype(zero);
                     auto const indices = indices_in(r);
                     auto const values  = input_of<T>(r, 1);
                     auto const bins    = bins_out<T>(r);
                     return [=, n = r.items] {
                       for (std::int64_t i = 0; i < n; ++i) bins(indices(i)) += values(i);
                     };
                   });
                 }};

}  // namespace

}  // namespace perf
