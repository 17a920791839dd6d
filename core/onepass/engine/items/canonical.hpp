// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/two_pass.hpp>
#include <onepass/engine/raking.hpp>

namespace onepass {

// The canonical tree: the expression that a device's team computes for a tile under canonical_tuning, and the two-pass
// schedule for all tiles. A leaf is N = 144 / bytes_per_item<Program> items, a tile 128 leaves:
//
//   leaf     identity · x0 · x1 · ...                          from the left
//   group    identity · leaf0 · ... · leaf15
//   tile     identity · group0 · ... · group7
//   block    identity · group of 16 tiles · ... (8 of them)    128 tiles, combined as the leaves of a tile are
//   all      initial · block0 · block1 · ...
//
// An item's prefix is (block prefix · (groups of tiles before · tiles before)), then (groups before · leaves before),
// then the items of the leaf, one after another. Items that are missing at the end count as the identity.

/// A team simulated by one thread, which does the work of all `Threads` threads in turn: so a host evaluates exactly
/// the expressions of a device.
template <int Threads, int Radix>
struct ensemble {
  static constexpr int threads = Threads;

  ONEPASS_FUNCTION static int rank() { return 0; }
};

template <int N, class Program, int Threads, int Radix>
class tile<N, Program, ensemble<Threads, Radix>> {
public:
  using item      = typename Program::item_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr int items = N * Threads;

private:
  using stage   = stage_for<Program, items>;
  using thread  = thread_items<N, Program, stage>;
  using network = raking<Threads, Radix, inside_of<Program>>;

public:
  ONEPASS_FUNCTION tile(Program const& program, ensemble<Threads, Radix> const&, extent index, extent n)
      : program_(program)
      , first_(index * items)
      , valid_(int(n - first_ < items ? n - first_ : items))
  {}

  ONEPASS_FUNCTION aggregate upsweep()
  {
    stage{in_}.take(lone_team{}, program_.input(), first_, valid_);
    for (int r = 0; r < Threads; ++r) {
      auto const in = thread_of(r);
      in.evaluate(program_, memos_[r]);
      before_[r] = in.combined(program_, memos_[r], r);
    }
    network::exclusive_scan(algebra_of(program_), before_, total_);
    return algebra_of(program_).after(Program::identity(), first_, total_);
  }

  ONEPASS_FUNCTION static void arrange() {}  // there is no look-back to prepare for

  ONEPASS_FUNCTION void downsweep(aggregate const& prefix)
  {
    lone_team const out{};
    if constexpr (Program::shape == output_shape::mapped) {
      using output = typename Program::output_type;
      for (int r = 0; r < Threads; ++r)
        thread_of(r).results(program_, memos_[r], algebra_of(program_).after(prefix, first_, before_[r]),
                             reinterpret_cast<output*>(out_) + r * N);
      stage_out<items>(out, reinterpret_cast<output const*>(out_), program_.output(), first_, valid_);
    }
    if constexpr (Program::shape == output_shape::compacted) {
      auto const all = algebra_of(program_).after(prefix, first_, total_);
      each_staging<Program>([&]<int... C>(std::integer_sequence<int, C...> columns) {
        staged_columns<Program, C...> const made(program_, out_, first_, valid_, prefix, all);
        for (int r = 0; r < Threads; ++r)
          thread_of(r).compact(program_, memos_[r], prefix, first_, before_[r], made, columns);
        made.template write<items>(out, prefix, all);
      });
    }
  }

private:
  ONEPASS_FUNCTION thread thread_of(int rank) const
  {
    return thread::of(program_, stage{const_cast<char*>(in_)}, rank, first_, valid_);
  }

  Program const& program_;
  extent first_;
  int valid_;
  typename thread::memos memos_[Threads];
  inside_of<Program> before_[Threads], total_;
  alignas(16) char in_[stage_bytes<Program>(items)], out_[stage_bytes<Program>(items)];
};

/// The scan of the tiles' aggregates by one thread, with the same expressions.
template <int N, class Program, int Threads, int Radix, class Board>
ONEPASS_FUNCTION void scan_spine(Program const& program, extent n, ensemble<Threads, Radix> const&, Board const& board)
{
  using aggregate    = typename Program::aggregate_type;
  extent const tiles = tiles_of(n, N * Threads);
  auto const now     = board.current_epoch();
  auto carry         = program.initial();
  for (extent first = 0; first < tiles; first += Threads) {
    aggregate before[Threads], total;
    for (int r = 0; r < Threads; ++r)
      before[r] = first + r < tiles ? board.template read<aggregate>(first + r).value() : Program::identity();
    raking<Threads, Radix, aggregate>::exclusive_scan(program, before, total);
    for (int r = 0; r < Threads && first + r < tiles; ++r)
      board.publish({first + r, now}, tile_status::aggregate, program.combine(carry, before[r]));
    carry = program.combine(carry, total);
  }
  program.finish(carry, n);
  board.close(now, tiles * descriptor<aggregate>::words);
}

}  // namespace onepass
