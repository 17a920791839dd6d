// SPDX-License-Identifier: Apache-2.0
// The classic pipeline, and two of its stages: sum every row, transpose, sum every row again, transpose back.
#include "problem.hpp"

#include <onepass/classic/images.hpp>

namespace perf {

namespace {

/// A View of rank 2 as the only plane of one of rank 3.
template <class View>
auto plane(View const& v)
{
  return Kokkos::View<typename View::value_type***, Kokkos::LayoutRight, space, Kokkos::MemoryUnmanaged>(
      v.data(), 1, v.extent(0), v.extent(1));
}

entry const classic{"classic", [](race const& r) {
                      return with_type(item_types{}, r.type, [&](auto zero) -> call {
                        using T         = decltype(zero);
                        auto const in   = plane(image<T>(r));
                        auto const high = plane(tall<T>(r));
                        auto const out = plane(table<T>(r)), side = plane(table<T>(r, true));
                        auto const exec = space();
                        if (r.primitive == "rows") return [=] { onepass::classic::scan_rows(exec, in, out); };
                        if (r.primitive == "transpose") return [=] { onepass::classic::transpose(exec, high, side); };
                        Kokkos::View<sum_type<T>***, Kokkos::LayoutRight, space> const lying("lying", 1, out.extent(1),
                                                                                             out.extent(2)),
                            standing("standing", 1, side.extent(1), side.extent(2));
                        return [=] {
                          onepass::classic::scan_rows(exec, in, lying);
                          onepass::classic::transpose(exec, lying, standing);
                          onepass::classic::scan_rows(exec, standing, standing);
                          onepass::classic::transpose(exec, standing, out);
                        };
                      });
                    }};

}  // namespace

}  // namespace perf
