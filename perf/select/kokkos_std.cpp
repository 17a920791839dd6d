// SPDX-License-Identifier: Apache-2.0
// Kokkos::Experimental::copy_if and unique_copy; they return their count, so each call waits for the device.
#include "harness/inputs.hpp"
#include "problem.hpp"

#include <Kokkos_StdAlgorithms.hpp>

namespace perf {

namespace {

namespace algorithms = Kokkos::Experimental;

entry const kokkos_std{"kokkos.std", [](race const& r) {
                         return with_type(item_types{}, r.type, [&](auto zero) -> call {
                           using T        = decltype(zero);
                           auto const in  = input_of<T>(r);
                           auto const out = output_of<T>(r);
                           auto* told     = r.told;
                           if (r.stem() == "unique")
                             return [=] { *told = algorithms::unique_copy(space(), in, out) - algorithms::begin(out); };
                           return [=, keep = keeping<T>(r.variant())] {
                             *told = algorithms::copy_if(space(), in, out, keep) - algorithms::begin(out);
                           };
                         });
                       }};

}  // namespace

}  // namespace perf
