// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/compact_parts.hpp>
#include <onepass/backends/host/sums_up_to_flags.hpp>
#include <onepass/engine/items/serial.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// One tile, on one thread, of any other compacting program. The thread keeps the items and their memos, so that a
/// later tile may already write where the items were read.
template <class Program>
  requires(Program::shape == output_shape::compacted
           && !(lists_flags<Program> || lists_parts<Program> || sums_up_to_flags<Program>))
class cached_tile<Program> {
  using item      = typename Program::item_type;
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;

  struct kept {
    item x;
    memo m;
  };

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  aggregate upsweep()
  {
    Program const p = *program_;
    auto in         = p.input();
    kept* k         = mine();
    auto sum        = Program::identity();
    for (extent i = first_; i < last_; ++i) {
      item const x  = in(i);
      memo const m  = evaluated(p, i, x, i > first_ ? k[i - first_ - 1].x : item(in(i > 0 ? i - 1 : 0)));
      k[i - first_] = {x, m};
      sum           = p.combine(sum, p.lift(i, x, m));
    }
    return sum;
  }

  aggregate downsweep(aggregate const& prefix, cached_tile& next, bool) const
  {
    Program const p = *program_;
    kept const* k   = mine();
    auto now        = prefix;
    for (extent i = first_; i < last_; ++i) {
      item const& x = k[i - first_].x;
      memo const& m = k[i - first_].m;
      write_kept(p, i, x, m, now);
      now = p.combine(now, p.lift(i, x, m));
    }
    return next.upsweep();
  }

private:
  kept* mine() const { return thread_buffer<kept>(last_ - first_); }

  Program const* program_;
  extent first_, last_;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
