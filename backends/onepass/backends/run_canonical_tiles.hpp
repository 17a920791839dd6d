// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/canonical_tiles.hpp>
#include <onepass/backends/kokkos/canonical_tiles.hpp>

namespace onepass::ONEPASS_ABI {

// The tiles of the canonical tree by themselves, for callers who make what is before them: two passes, and between them
// the caller. Tiles have canonical_tree<Program>::items items; the last one may have fewer.

/// Queues totals[t] = tile t of the program's n items, combined; none if n is 0.
template <place_like Where, item_program Program>
void canonical_totals(Where const& where, Program const& program, extent n, typename Program::aggregate_type* totals)
{
  if (n == 0) return;
  canonical_program<Program> const tree{program};
  backends::host::inside_call const here;
  if constexpr (on_host<space_of<Where>>) backends::host::canonical_totals(where, tree, n, totals);
  else backends::kokkos::canonical_totals(where, tree, n, totals);
}

/// Queues the results of the program's n items, where before[t] is everything before tile t. finish() is not called.
template <place_like Where, item_program Program>
void canonical_results(Where const& where, Program const& program, extent n, typename Program::aggregate_type* before)
{
  if (n == 0) return;
  canonical_program<Program> const tree{program};
  backends::host::inside_call const here;
  if constexpr (on_host<space_of<Where>>) backends::host::canonical_results(where, tree, n, before);
  else backends::kokkos::canonical_results(where, tree, n, before);
}

}  // namespace onepass::ONEPASS_ABI
