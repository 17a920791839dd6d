// SPDX-License-Identifier: Apache-2.0
// Kokkos::Experimental's algorithms of these names; what they find they return, so those calls wait for the device.
#include "problem.hpp"

#include <Kokkos_StdAlgorithms.hpp>

namespace perf {

namespace {

namespace algorithms = Kokkos::Experimental;

entry const kokkos_std{"kokkos.std", [](race const& r) {
                         return with_type(item_types{}, r.type, [&](auto zero) -> call {
                           using T          = decltype(zero);
                           auto const in    = input_of<T>(r);
                           auto const out   = output_of<T>(r);
                           auto const first = algorithms::begin(in);
                           auto* told       = r.told;
                           if (r.stem() == "count_if")
                             return [=] { *told = algorithms::count_if(space(), in, lower_half<T>()); };
                           if (r.stem() == "find_if")
                             return [=] { *told = algorithms::find_if(space(), in, is_zero()) - first; };
                           if (r.stem() == "min_element")
                             return [=] { *told = algorithms::min_element(space(), in) - first; };
                           if (r.stem() == "minmax_element")
                             return [=] {
                               auto const both = algorithms::minmax_element(space(), in);
                               told[0]         = both.first - first;
                               told[1]         = both.second - first;
                             };
                           return [=] { algorithms::adjacent_difference(space(), in, out); };
                         });
                       }};

}  // namespace

}  // namespace perf
