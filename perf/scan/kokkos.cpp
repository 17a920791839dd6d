// SPDX-License-Identifier: Apache-2.0
// Kokkos::parallel_scan.
#include "problem.hpp"

namespace perf {

namespace {

template <class T, bool Inclusive>
struct scan_body {
  using value_type = T;
  input_view<T> in;
  output_view<T> out;

  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum, bool last) const
  {
    if (!Inclusive && last) out(i) = sum;
    sum = static_cast<T>(sum + in(i));
    if (Inclusive && last) out(i) = sum;
  }
};

template <bool Inclusive>
call enter_kokkos(race const& r)
{
  return with_type(item_types{}, r.type, [&](auto zero) -> call {
    using T = decltype(zero);
    scan_body<T, Inclusive> const body{input_of<T>(r), output_of<T>(r)};
    auto const n = r.items;
    return [=] {
      Kokkos::parallel_scan("parallel_scan", Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n), body);
    };
  });
}

entry const parallel_scan{"kokkos.parallel_scan", [](race const& r) {
                            return r.primitive == "exclusive_scan" ? enter_kokkos<false>(r) : enter_kokkos<true>(r);
                          }};

}  // namespace

}  // namespace perf
