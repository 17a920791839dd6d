// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/items.hpp>

namespace onepass::backends::cuda {

/// Whether this backend makes the canonical tree of a program: in one pass by look-ahead, whatever the number of items.
template <class Place, item_program Program>
bool makes_canonical(Place const& where, Program const& program)
{
  if constexpr (looks_ahead<Program, canonical_tuning>())
    return where.chosen != schedule::two_pass && fits_look_ahead(where.space, program);
  else return false;
}

template <item_program Program>
void queue(place<Kokkos::Cuda, backend, canonical_tuning> const& where, Program const& program, item_count count,
           workspace<Kokkos::Cuda>& scratch)
{
  require(where.chosen == schedule::automatic || where.chosen == schedule::look_ahead, where.label,
          ": the CUDA backend makes the canonical tree by look-ahead, and Kokkos' teams by two-pass, not by ",
          name_of(where.chosen));
  if constexpr (looks_ahead<Program, canonical_tuning>())
    queue_look_ahead<canonical_tuning>(where.space, where.label, program, count, scratch);
}

}  // namespace onepass::backends::cuda
