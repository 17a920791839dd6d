// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/canonical.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// Calls use(two tiles, first, last) for parts of the canonical tree's tiles, by threads; on the serial backend for all
/// of them, by the calling one.
template <class Exec, class Backend, item_program Program, class Use>
void each_part_of_tiles(place<Exec, Backend, canonical_tuning> const& where, Program const&, extent n, Use const& use)
{
  static_assert(pure_program<Program>, "onepass: tiles by themselves are those of programs that keep no memos");
  extent const tiles = tiles_of(n, canonical_tree<Program>::items), bytes = n * extent(bytes_per_item<Program>);
  extent threads = 1;
  if constexpr (!std::is_same_v<Backend, serial_backend>)
    threads = std::min(threads_for(where.space, bytes, item_tuning_for<measured_tuning>().alone_from), tiles);
  on_threads(where.label, where.space, threads, [&](int w) {
    use(thread_buffer<canonical_tile<Program>>(2), tiles * w / threads, tiles * (w + 1) / threads);
    release_streams();
  });
}

/// totals[t] = tile t of n items, combined.
template <class Where, item_program Program>
void canonical_totals(Where const& where, Program const& program, extent n, typename Program::aggregate_type* totals)
{
  each_part_of_tiles(where, program, n, [&](canonical_tile<Program>* tile, extent first, extent last) {
    tile[1].begin_without_items();
    for (extent t = first; t < last; ++t) {
      tile[0].begin(t, n, nullptr);
      host::walk(program, tile[1], Program::identity(), tile[0], false);
      totals[t] = tile[0].combine(program);
    }
  });
}

/// Writes the results of n items, where before[t] is everything before tile t.
template <class Where, item_program Program>
void canonical_results(Where const& where, Program const& program, extent n,
                       typename Program::aggregate_type const* before)
{
  bool const stream = streams<Program>(n);
  each_part_of_tiles(where, program, n, [&](canonical_tile<Program>* tile, extent first, extent last) {
    auto prefix = Program::identity();
    tile[0].begin_without_items();
    for (extent t = first; t <= last; ++t) {
      auto &mine = tile[(t - first) % 2], &next = tile[(t - first + 1) % 2];
      if (t < last) next.begin(t, n, nullptr);
      else next.begin_without_items();
      host::walk(program, mine, prefix, next, stream);
      if (t < last) prefix = before[t];
      (void)next.combine(program);
    }
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
