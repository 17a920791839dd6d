// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/kokkos/ranges.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/ranges.hpp>
#endif

namespace onepass {

/// Tiles for which a range program may be asked to note something: none where threads work alone.
template <class Program, where Where>
extent range_tiles(Where const& somewhere, extent limit)
{
  using backend = backend_of<Where>;
  auto const p  = on(somewhere).template through<backend>();
  if constexpr (std::is_same_v<backend, kokkos_backend>) return backends::kokkos::range_tiles<Program>(p, limit);
#ifdef ONEPASS_HAS_CUDA
  else if constexpr (std::is_same_v<backend, cuda_backend>) return backends::cuda::range_tiles<Program>(p, limit);
#endif
  else return 0;
}

/// Runs a range program (engine/range_program.hpp) over at most `limit` positions, asynchronously.
template <where Where, class Program>
void run_ranges(Where const& somewhere, Program const& program, extent limit, char const* label)
{
  using backend = backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend>) program.alone(0, program.size());
  else if constexpr (std::is_same_v<backend, host_backend>) {
    constexpr extent items =
        backends::host::range_items_for<typename place_of<Where>::tuning>(Program::alone_at_a_time);
    extent const n = program.size();
    run_each(
        somewhere, [=](extent t) { program.alone(t * items, t * items + items < n ? t * items + items : n); },
        div_up(n, items), label);
  } else {
    auto const p = on(somewhere).or_named(label).template through<backend>();
    if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run_ranges(p, program, limit);
#ifdef ONEPASS_HAS_CUDA
    else backends::cuda::run_ranges(p, program, limit);
#endif
  }
}

}  // namespace onepass
