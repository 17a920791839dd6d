// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/kokkos/ranges.hpp>

namespace onepass {

/// Tiles for which a range program may be asked to note something: none where threads work alone.
template <class Program, where Where>
extent range_tiles(Where const& somewhere, extent limit)
{
  using backend = backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend> || std::is_same_v<backend, host_backend>) return 0;
  else {
    const auto p = on(somewhere).template through<kokkos_backend>();
    return backends::kokkos::range_tiles<space_of<Where>, Program, typename place_of<Where>::tuning>(p, limit);
  }
}

/// Runs a range program (engine/range_program.hpp) over at most `limit` positions, asynchronously.
template <where Where, class Program>
void run_ranges(Where const& somewhere, Program const& program, extent limit, char const* label)
{
  using backend = backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend>) program.alone(0, program.size());
  else if constexpr (std::is_same_v<backend, host_backend>) {
    constexpr extent items = std::is_same_v<typename place_of<Where>::tuning, tiny_tuning> ? 16 : extent(1) << 16;
    const extent     n     = program.size();
    run_each(somewhere, [=](extent t) { program.alone(t * items, t * items + items < n ? t * items + items : n); }, div_up(n, items), label);
  } else {
    const auto p = on(somewhere).or_named(label).template through<kokkos_backend>();  // teams do it on every device
    backends::kokkos::run_ranges(p, program, limit);
  }
}

}  // namespace onepass
