// SPDX-License-Identifier: Apache-2.0
// Kokkos::parallel_reduce into a View, so that nothing waits.
#include "problem.hpp"

namespace perf {

namespace {

template <class T>
struct sum {
  using value_type = T;
  input_view<T> in;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& total) const { total += in(i); }
};

entry const parallel_reduce{"kokkos.parallel_reduce", [](race const& r) {
                              return with_type(item_types{}, r.type, [&](auto zero) -> call {
                                using T = decltype(zero);
                                sum<T> const body{input_of<T>(r)};
                                value_view<T> const total(static_cast<T*>(r.out[0]));
                                auto const n = r.items;
                                return [=] {
                                  Kokkos::parallel_reduce(
                                      "parallel_reduce",
                                      Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n), body, total);
                                };
                              });
                            }};

}  // namespace

}  // namespace perf
