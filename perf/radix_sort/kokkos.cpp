// SPDX-License-Identifier: Apache-2.0
// Kokkos::sort, which sorts in place: a copy comes first, and is timed with it. It has no stable sort by key.
#include "problem.hpp"

#include <Kokkos_Sort.hpp>

namespace perf {

namespace {

entry const kokkos_sort{"kokkos.sort", [](race const& r) -> call {
                          if (r.primitive != "radix_sort") return {};
                          return with_type(item_types{}, r.type, [&](auto zero) -> call {
                            using T        = decltype(zero);
                            auto const in  = input_of<T>(r);
                            auto const out = output_of<T>(r);
                            return [=] {
                              Kokkos::deep_copy(space(), out, in);
                              Kokkos::sort(space(), out);
                            };
                          });
                        }};

}  // namespace

}  // namespace perf
