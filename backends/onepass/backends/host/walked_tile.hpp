// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/engine/items/walk.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// One tile, on one thread, of a program that walks its items by itself.
template <walks Program>
class cached_tile<Program> {
  using aggregate = typename Program::aggregate_type;
  using kept      = typename Program::kept;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  [[gnu::noinline]] aggregate upsweep()
  {
    walked_program<Program> p = *program_;
    return p.read(first_, last_, memory());
  }

  [[gnu::noinline]] aggregate downsweep(aggregate const& prefix, cached_tile& next, bool) const
  {
    walked_program<Program> p = *program_;
    (void)p.write(first_, last_, prefix, memory());
    return next.upsweep();
  }

private:
  kept* memory() const
  {
    if constexpr (std::is_same_v<kept, nothing>) return nullptr;
    else return thread_buffer<kept, Program>(last_ - first_);
  }

  Program const* program_;
  extent first_, last_;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
