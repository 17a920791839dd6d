// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/wide.hpp>
#include <onepass/engine/items/reduce_alone.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// One tile, on one thread, of a program that reduces by itself.
template <reduces_alone Program>
class cached_tile<Program> {
  using aggregate = typename Program::aggregate_type;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  aggregate upsweep() const
  {
    aggregate all = Program::identity();
    if (first_ == last_) return all;
    in_wide_vectors([&]() __attribute__((always_inline)) { all = program_->reduce(first_, last_); });
    return all;
  }
  aggregate downsweep(aggregate const&, cached_tile& next, bool) const { return next.upsweep(); }

private:
  Program const* program_;
  extent first_, last_;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
