// SPDX-License-Identifier: Apache-2.0
#include "harness/scan_and_search.hpp"
#include "problem.hpp"

namespace perf {

namespace {

entry const decode{"kokkos.scan_and_search", [](race const& r) {
                     return with_type(item_types{}, r.type, [&](auto zero) -> call {
                       using T = decltype(zero);
                       return scan_and_search(symbols_of<T>(r), lengths_of<T>(r), output_of<T>(r));
                     });
                   }};

}  // namespace

}  // namespace perf
