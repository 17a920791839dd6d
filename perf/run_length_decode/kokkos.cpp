// SPDX-License-Identifier: Apache-2.0
// As a Kokkos user would write it: a scan of the lengths, and for every output item a search for its run.
#include "problem.hpp"

namespace perf {

namespace {

struct scan_lengths {
  using value_type = std::int64_t;
  input_view<std::uint32_t> lengths;
  Kokkos::View<std::int64_t*, space> begins;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& sum, bool last) const
  {
    if (last) begins(k) = sum;
    sum += lengths(k);
  }
};

template <class T>
struct search {
  input_view<T> symbols;
  Kokkos::View<std::int64_t*, space> begins;
  output_view<T> out;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    std::int64_t low = 0, high = std::int64_t(begins.extent(0));
    while (high - low > 1) {
      auto const middle = low + (high - low) / 2;
      if (begins(middle) <= i) low = middle;
      else high = middle;
    }
    out(i) = symbols(low);
  }
};

entry const scan_and_search{"kokkos.scan_and_search", [](race const& r) {
                              return with_type(item_types{}, r.type, [&](auto zero) -> call {
                                using T      = decltype(zero);
                                using policy = Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>;
                                auto const n = r.items;
                                Kokkos::View<std::int64_t*, space> const begins("begins", symbols_of<T>(r).extent(0));
                                scan_lengths const scan{lengths_of<T>(r), begins};
                                search<T> const body{symbols_of<T>(r), begins, output_of<T>(r)};
                                return [=] {
                                  Kokkos::parallel_scan("scan", policy(0, std::int64_t(begins.extent(0))), scan);
                                  Kokkos::parallel_for("search", policy(0, n), body);
                                };
                              });
                            }};

}  // namespace

}  // namespace perf
