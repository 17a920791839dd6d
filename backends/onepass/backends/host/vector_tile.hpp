// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/leaf.hpp>
#include <onepass/backends/host/wide.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// One tile on one thread, in vector registers. While it is scanned, the next one is reduced, so that memory is always
/// busy.
template <direct Program>
class cached_tile<Program> {
  using value = typename Program::memo_type;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  value upsweep() const { return leaf<Program>::reduce(input(), last_ - first_); }

  value downsweep(value prefix, cached_tile const& next, bool stream) const
  {
    if constexpr (Program::shape == output_shape::mapped) {
      bool const together = next.last_ - next.first_ == last_ - first_;
      value const sum     = leaf<Program>::scan(input(), program_->output().data + first_, last_ - first_, prefix,
                                            together ? next.input() : input(), stream);
      if (together) return sum;
    }
    return next.upsweep();
  }

private:
  value const* input() const { return program_->input().data + first_; }

  Program const* program_;
  extent first_, last_;
};

/// The same where memos are computed from items first, a piece at a time in the first-level cache. Memos of programs
/// that are not pure are kept until the tile is written.
template <vectorised Program>
  requires(!direct<Program>)
class cached_tile<Program> {
  using value                   = typename Program::memo_type;
  static constexpr bool kept    = !pure_program<Program>;
  static constexpr extent piece = 1024;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  value upsweep() const
  {
    auto sum = Program::identity();
    for (extent from = first_; from < last_; from += piece)
      sum = program_->combine(sum, leaf<Program>::reduce(make(from), items(from)));
    return sum;
  }

  value downsweep(value prefix, cached_tile const& next, bool stream) const
  {
    if constexpr (Program::shape == output_shape::mapped)
      for (extent from = first_; from < last_; from += piece) {
        fetch_ahead(program_->input(), next.first_ + (from - first_), items(from));
        value const* const m = kept ? memos(from) : make(from);
        leaf<Program>::scan(m, program_->output().data + from, items(from), prefix, m, stream);
      }
    return next.upsweep();
  }

private:
  extent items(extent from) const { return std::min(piece, last_ - from); }
  value* memos(extent from) const
  {
    return thread_buffer<value>(kept ? last_ - first_ : piece) + (kept ? from - first_ : 0);
  }

  [[gnu::noinline]] value const* make(extent from) const
  {
    extent const to = from + items(from);
    value* const m  = memos(from);
    in_wide_vectors([&]() __attribute__((always_inline)) { evaluate(*program_, from, to, m); });
    return m;
  }
  [[gnu::always_inline]] static void evaluate(Program const& given, extent from, extent to, value* made)
  {
    Program const p = given;  // a copy, which no store can change
    auto const in   = p.input();
    if constexpr (!looks_behind<Program>)
      each_stretch(
          in, from, to, [&](auto const& some, extent i, extent end) __attribute__((always_inline)) {
            for (; i < end; ++i) made[i - from] = p.evaluate(i, some(i));
          });
    else
      for (extent i = from; i < to; ++i) made[i - from] = p.evaluate(i, in(i), in(i > 0 ? i - 1 : 0));
  }

  Program const* program_;
  extent first_, last_;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
