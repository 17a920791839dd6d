// SPDX-License-Identifier: Apache-2.0
// Sums that round in any order, where they are right all the same: onepass' own, and Kokkos::parallel_reduce.
#include "harness/machines.hpp"
#include "problem.hpp"

#include <onepass/reduce.hpp>

namespace perf {

namespace {

template <class Queue>
call rounds(race const& r, Queue const& queue)
{
  if (r.primitive != "exact_sum.small") return {};
  return with_type(item_types{}, r.type, [&](auto zero) -> call {
    using T = decltype(zero);
    return queue(input_of<T>(r), value_view<T>(static_cast<T*>(r.out[0])));
  });
}

template <class In>
struct sum {
  using value_type = typename In::non_const_value_type;
  In in;
  KOKKOS_FUNCTION void operator()(std::int64_t i, value_type& total) const { total += in(i); }
};

entry const own{"onepass.rounded", [](race const& r) {
                  return rounds(r, [](auto const& in, auto const& total) {
                    return with_workspace(onepass::on(space()),
                                          [=](auto const& place) { onepass::reduce(place, in, total); });
                  });
                }};

entry const parallel_reduce{
    "kokkos.parallel_reduce", [](race const& r) {
      return rounds(r, [n = r.items](auto const& in, auto const& total) -> call {
        return [=] {
          Kokkos::parallel_reduce("parallel_reduce", Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n),
                                  sum<std::remove_cvref_t<decltype(in)>>{in}, total);
        };
      });
    }};

}  // namespace

}  // namespace perf
