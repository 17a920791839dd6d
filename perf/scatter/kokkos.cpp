// SPDX-License-Identifier: Apache-2.0
// An atomic addition each, as most codes do it: floats differ from run to run.
#include "problem.hpp"

namespace perf {

namespace {

template <class T>
struct add {
  input_view<u32> indices;
  input_view<T> values;
  output_view<T> bins;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { Kokkos::atomic_add(&bins(indices(i)), values(i)); }
};

entry const atomics{"kokkos.atomic_add", [](race const& r) {
                      return with_type(item_types{}, r.type, [&](auto zero) -> call {
                        using T = decltype(zero);
                        add<T> const body{indices_in(r), input_of<T>(r, 1), bins_out<T>(r)};
                        Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>> const all(0, r.items);
                        return [=] { Kokkos::parallel_for("atomic_add", all, body); };
                      });
                    }};

}  // namespace

}  // namespace perf
