// SPDX-License-Identifier: Apache-2.0
// One std::fill_n per run, on the calling thread.
#include "problem.hpp"

#include <algorithm>

namespace perf {

namespace {

entry const fill{"std", [](race const& r) -> call {
                   if (!on_host) return {};
                   return with_type(item_types{}, r.type, [&](auto zero) -> call {
                     using T            = decltype(zero);
                     auto const symbols = symbols_of<T>(r);
                     auto const lengths = lengths_of<T>(r);
                     auto const out     = output_of<T>(r);
                     return [=] {
                       auto* to = out.data();
                       for (std::size_t k = 0; k < symbols.size(); ++k) to = std::fill_n(to, lengths(k), symbols(k));
                     };
                   });
                 }};

}  // namespace

}  // namespace perf
