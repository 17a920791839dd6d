// SPDX-License-Identifier: Apache-2.0
// Kokkos::Experimental::exclusive_scan and inclusive_scan, its algorithms in the style of std::.
#include "problem.hpp"

#include <Kokkos_StdAlgorithms.hpp>

namespace perf {

namespace {

entry const kokkos_std{"kokkos.std", [](race const& r) {
                         return with_type(item_types{}, r.type, [&](auto zero) -> call {
                           using T        = decltype(zero);
                           auto const in  = input_of<T>(r);
                           auto const out = output_of<T>(r);
                           if (r.primitive == "exclusive_scan")
                             return [=] { Kokkos::Experimental::exclusive_scan(space(), in, out, T(0)); };
                           return [=] { Kokkos::Experimental::inclusive_scan(space(), in, out); };
                         });
                       }};

}  // namespace

}  // namespace perf
