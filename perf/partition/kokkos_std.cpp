// SPDX-License-Identifier: Apache-2.0
// Kokkos::Experimental::partition_copy; it returns its counts, so each call waits for the device.
#include "harness/inputs.hpp"
#include "problem.hpp"

#include <Kokkos_StdAlgorithms.hpp>

namespace perf {

namespace {

namespace algorithms = Kokkos::Experimental;

entry const kokkos_std{"kokkos.std", [](race const& r) -> call {
                         if (r.stem() != "partition_if") return {};
                         return with_type(item_types{}, r.type, [&](auto zero) -> call {
                           using T         = decltype(zero);
                           auto const in   = input_of<T>(r);
                           auto const kept = output_of<T>(r, 0), others = output_of<T>(r, 1);
                           auto* told = r.told;
                           return [=, keep = keeping<T>(r.variant())] {
                             *told = algorithms::partition_copy(space(), in, kept, others, keep).first
                                     - algorithms::begin(kept);
                           };
                         });
                       }};

}  // namespace

}  // namespace perf
