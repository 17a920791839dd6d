// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/canonical.hpp>
#include <onepass/backends/host/items.hpp>
#include <onepass/backends/kokkos/items.hpp>
#include <onepass/backends/serial/items.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/canonical.hpp>
#include <onepass/backends/cuda/items.hpp>
#include <onepass/backends/cuda/totals.hpp>
#endif

namespace onepass::ONEPASS_ABI {

/// Canonical calls of item programs. What only counts is the same in any order, so any machine makes it; the tree of
/// what else is combined is made in one pass on hosts, and by Kokkos' teams in two where no machine of the space's own
/// makes it.
template <place_like Where, item_program Program, class Size>
void run_canonical(Where const& where, Program const& program, Size const& size, char const* label)
{
  auto const& p = on(where);
  canonical_program<Program> const tree{program};
  if constexpr (counts_flags<Program> || counts_parts<Program>)
    detail::run_program(p.template tuned<measured_tuning>(), label, program, size);
  else if constexpr (on_host<space_of<Where>>)
    detail::run_program(p.template through<host_backend>(), label, tree, size);
  else {
#ifdef ONEPASS_HAS_CUDA
    if constexpr (std::is_same_v<space_of<Where>, Kokkos::Cuda>)
      if (backends::cuda::makes_canonical(p, tree))
        return detail::run_program(p.template through<cuda_backend>(), label, tree, size);
#endif
    detail::run_program(p, label, tree, size);
  }
}

}  // namespace onepass::ONEPASS_ABI
