// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/items.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// A program whose memos are made again wherever they are needed, as two passes would make them again.
template <class Program>
struct remade : Program {
  static constexpr bool pure = true;
};

/// The program as look-ahead takes it: memos that are no flags do not travel between its warps.
template <class Program>
using looking_ahead = std::conditional_t<
    pure_program<Program> || std::is_same_v<typename Program::memo_type, bool> || Program::shape == output_shape::none,
    Program, remade<Program>>;

/// Whether this backend makes the canonical tree of a program: in one pass by look-ahead, whatever the number of items.
template <class Place, item_program Program>
bool makes_canonical(Place const& where, Program const& program)
{
  if constexpr (looks_ahead<looking_ahead<Program>, canonical_tuning>())
    return where.chosen != schedule::two_pass && fits_look_ahead<canonical_tuning>(where.space, program);
  else return false;
}

template <item_program Program>
void queue_program(place<Kokkos::Cuda, backend, canonical_tuning> const& where, Program const& program,
                   item_count count, workspace<Kokkos::Cuda>& scratch)
{
  require(where.chosen == schedule::automatic || where.chosen == schedule::look_ahead, where.label,
          ": the CUDA backend makes the canonical tree by look-ahead, and Kokkos' teams by two-pass, not by ",
          name_of(where.chosen));
  using taken = looking_ahead<Program>;
  if constexpr (looks_ahead<taken, canonical_tuning>())
    queue_look_ahead<canonical_tuning>(where.space, where.label, taken{program}, count, scratch);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
