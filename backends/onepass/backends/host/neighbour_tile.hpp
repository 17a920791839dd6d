// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/in_place.hpp>
#include <onepass/backends/host/wide.hpp>
#include <onepass/engine/items/neighbours.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// Programs of neighbours whose items and results lie in memory as they come: loops over them become vectors.
template <class P>
concept pairs_in_vectors = pairs_neighbours<P> && is_contiguous<input_of<P>>::value && writes_bytes<P>;

/// One tile, on one thread, of a program whose results are made of neighbours: all that it tells the next is its last
/// item, which is read before any thread writes the tile.
template <pairs_neighbours Program>
class cached_tile<Program> {
  using item      = typename Program::item_type;
  using output    = typename Program::output_type;
  using aggregate = typename Program::aggregate_type;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  aggregate upsweep() const { return latest_of(*program_, first_, last_); }

  aggregate downsweep(aggregate const& before, cached_tile& next, bool) const
  {
    if (first_ < last_) {
      if constexpr (pairs_in_vectors<Program>)
        in_wide_vectors([&]() __attribute__((always_inline)) {
          if (may_lie_in(program_->input(), program_->output())) write_in_pieces(*program_, first_, last_, before);
          else write_apart(*program_, first_, last_, before);
        });
      else write_plainly(*program_, first_, last_, before);
    }
    return next.upsweep();
  }

private:
  /// Nothing is written where items lie. By ordinary stores whatever the size: nothing else is done with a line, and a
  /// core that streams them waits longer for each than for the line that it reads (docs/decisions, 14).
  [[gnu::always_inline]] static void write_apart(Program const& given, extent first, extent last,
                                                 aggregate const& before)
  {
    Program const p = given;  // a copy, which no store can change
    auto const in   = p.input();
    auto const out  = p.output();
    out(first)      = p.result(in(first), {}, before);
    for (extent i = first + 1; i < last; ++i) out(i) = p.beside(in(i), in(i - 1));
  }

  /// Results are made in the first-level cache, some at a time, and then written where the items may lie.
  [[gnu::always_inline]] static void write_in_pieces(Program const& given, extent first, extent last, aggregate before)
  {
    constexpr extent piece = piece_items<output>;
    Program const p        = given;
    auto const out         = p.output();
    alignas(64) output made[piece];
    for (extent count; first < last; first += count) {
      count            = std::min(piece, last - first);
      item const* from = p.input().data + first;
      item const next  = from[count - 1];
      made[0]          = p.result(from[0], {}, before);
      for (extent k = 1; k < count; ++k) made[k] = p.beside(from[k], from[k - 1]);
      std::memcpy(out.data + first, made, std::size_t(count) * sizeof(output));
      before = {next, true};
    }
  }

  [[gnu::noinline]] static void write_plainly(Program const& given, extent first, extent last, aggregate const& before)
  {
    Program const p = given;
    write_beside(p, first, last, before);
  }

  Program const* program_;
  extent first_, last_;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
