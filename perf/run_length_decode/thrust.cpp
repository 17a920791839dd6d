// SPDX-License-Identifier: Apache-2.0
// Thrust's way: scan the lengths, scatter the runs' numbers to where they begin, scan by maximum, gather.
#include "problem.hpp"

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>

namespace perf {

namespace {

entry const scatter_and_gather{
    "thrust", [](race const& r) {
      return with_type(item_types{}, r.type, [&](auto zero) -> call {
        using T          = decltype(zero);
        auto const where = thrust::cuda::par_nosync.on(space().cuda_stream());
        auto const n = r.items, runs = std::int64_t(symbols_of<T>(r).extent(0));
        auto const* from   = symbols_of<T>(r).data();
        auto const* length = lengths_of<T>(r).data();
        auto* const to     = static_cast<T*>(r.out[0]);
        Kokkos::View<std::uint32_t*, space> const begins(Kokkos::view_alloc("begins", Kokkos::WithoutInitializing),
                                                         std::size_t(runs));
        Kokkos::View<std::uint32_t*, space> const owners(Kokkos::view_alloc("owners", Kokkos::WithoutInitializing),
                                                         std::size_t(n));
        return [=] {
          thrust::exclusive_scan(where, length, length + runs, begins.data());
          Kokkos::deep_copy(space(), owners, 0u);
          thrust::scatter(where, thrust::counting_iterator<std::uint32_t>(0),
                          thrust::counting_iterator<std::uint32_t>(std::uint32_t(runs)), begins.data(), owners.data());
          thrust::inclusive_scan(where, owners.data(), owners.data() + n, owners.data(),
                                 thrust::maximum<std::uint32_t>());
          thrust::gather(where, owners.data(), owners.data() + n, from, to);
        };
      });
    }};

}  // namespace

}  // namespace perf
