// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

namespace perf {

template <class Lengths>
struct scan_lengths {
  using value_type = std::int64_t;
  Lengths lengths;
  Kokkos::View<std::int64_t*, space> begins;
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& sum, bool last) const
  {
    if (last) begins(k) = sum;
    sum += lengths(k);
  }
};

template <class Symbols, class Out>
struct search_symbol {
  Symbols symbols;
  Kokkos::View<std::int64_t*, space> begins;
  Out out;
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

/// Run-length decoding as a Kokkos user would write it: a scan of the lengths, and for every output item a search for
/// its run.
template <class Symbols, class Lengths, class Out>
call scan_and_search(Symbols const& symbols, Lengths const& lengths, Out const& out)
{
  using policy    = Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>;
  auto const runs = std::int64_t(lengths.size()), n = std::int64_t(out.size());
  Kokkos::View<std::int64_t*, space> const begins("begins", std::size_t(runs));
  scan_lengths<Lengths> const scan{lengths, begins};
  search_symbol<Symbols, Out> const search{symbols, begins, out};
  return [=] {
    Kokkos::parallel_scan("scan", policy(0, runs), scan);
    Kokkos::parallel_for("search", policy(0, n), search);
  };
}

}  // namespace perf
