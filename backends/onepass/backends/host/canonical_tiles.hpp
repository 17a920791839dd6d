// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/canonical.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// Calls use(tile, its number) for every tile of the canonical tree, each begun, by threads; on the serial backend by
/// the calling one.
template <class Exec, class Backend, item_program Program, class Use>
void each_canonical_tile(place<Exec, Backend, canonical_tuning> const& where, Program const&, extent n, Use const& use)
{
  static_assert(pure_program<Program>, "onepass: tiles by themselves are those of programs that keep no memos");
  using tile            = canonical_tile<Program>;
  constexpr extent size = canonical_tree<Program>::items;
  extent const tiles = tiles_of(n, size), bytes = n * extent(bytes_per_item<Program>);
  extent threads = 1;
  if constexpr (!std::is_same_v<Backend, serial_backend>)
    threads = std::min(threads_for(where.space, bytes, item_tuning_for<measured_tuning>().alone_from), tiles);
  on_threads(where.label, where.space, threads, [&](int w) {
    tile& mine = *thread_buffer<tile>(1);
    for (extent t = tiles * w / threads; t < tiles * (w + 1) / threads; ++t) {
      mine.begin(t, n, nullptr);
      use(mine, t);
    }
    release_streams();
  });
}

/// totals[t] = tile t of n items, combined.
template <class Where, item_program Program>
void canonical_totals(Where const& where, Program const& program, extent n, typename Program::aggregate_type* totals)
{
  each_canonical_tile(where, program, n, [&](auto& tile, extent t) { totals[t] = tile.upsweep(program); });
}

/// Writes the results of n items, where before[t] is everything before tile t.
template <class Where, item_program Program>
void canonical_results(Where const& where, Program const& program, extent n,
                       typename Program::aggregate_type const* before)
{
  bool const stream = streams<Program>(n);
  each_canonical_tile(where, program, n, [&](auto& tile, extent t) {
    (void)tile.upsweep(program);
    tile.downsweep(program, before[t], stream, (t + 1) * canonical_tree<Program>::items);
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
