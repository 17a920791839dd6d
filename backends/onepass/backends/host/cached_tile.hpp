// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/stream.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::host {

/// One tile on one thread: reduced, which brings it into the cache, then scanned from there. The tile is cut into four
/// strips, which are processed interleaved, each in order, so that the operator need not commute.
template <class Program>
class cached_tile {
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr bool keeps_memos = !pure_program<Program> && Program::shape != output_shape::none;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
      , strip_((last - first) / strips)
  {}

  [[gnu::noinline]] aggregate upsweep()
  {
    Program const p       = *program_;  // a copy, which no store can change
    auto const in         = p.input();
    memo* const m         = memos();
    aggregate sum[strips] = {Program::identity(), Program::identity(), Program::identity(), Program::identity()};

    auto const add = [&](int s, extent i) {
      auto const& item = in(i);  // no copy: small structs would pass through integer registers
      memo const x     = evaluated(p, i, item, in(i > 0 ? i - 1 : 0));
      if constexpr (keeps_memos) m[i - first_] = x;
      sum[s] = p.combine(sum[s], p.lift(i, item, x));
    };
    auto const add_four = [&](extent i) {
      add(0, i);
      add(1, i + strip_);
      add(2, i + 2 * strip_);
      add(3, i + 3 * strip_);
    };
    // The first of each apart: behind it the compiler knows that an operator without identity has had items.
    if (strip_ > 0) add_four(first_);
    for (extent i = first_ + 1; i < first_ + strip_; ++i) add_four(i);
    for (extent i = first_ + strips * strip_; i < last_; ++i) add(3, i);

    auto all = Program::identity();
    for (int s = 0; s < strips; ++s) {
      before_[s] = all;
      all        = p.combine(all, sum[s]);
    }
    return all;
  }

  /// Writes the tile, past the caches if `stream`, while the next tile is prefetched; then reduces the next tile.
  aggregate downsweep(aggregate const& prefix, cached_tile& next, bool stream) const
  {
    if constexpr (Program::shape == output_shape::mapped) {
      bool written = false;
      if constexpr (is_contiguous<decltype(program_->output())>::value) {
        if (stream) write<true>(prefix, next.first_);
        written = stream;
      }
      if (!written) write<false>(prefix, next.first_);
    }
    return next.upsweep();
  }

private:
  template <bool Stream>
  [[gnu::noinline]] void write(aggregate const& prefix, extent next) const
  {
    using output           = typename Program::output_type;
    constexpr extent piece = piece_items<output>;
    Program const p        = *program_;
    auto const in          = p.input();
    auto const out         = p.output();
    memo const* m          = memos();
    aggregate now[strips]  = {p.combine(prefix, before_[0]), p.combine(prefix, before_[1]),
                              p.combine(prefix, before_[2]), p.combine(prefix, before_[3])};

    auto const result = [&](int s, extent i) -> output {
      auto const& item = in(i);
      memo x;
      if constexpr (pure_program<Program>) x = evaluated(p, i, item, in(i > 0 ? i - 1 : 0));
      else x = m[i - first_];
      output const made = p.result(item, x, now[s]);
      now[s]            = p.combine(now[s], p.lift(i, item, x));
      return made;
    };
    alignas(64) output buffer[Stream ? strips : 1][Stream ? piece : 1];
    for (extent done = 0; done < strip_; done += piece) {
      extent const count = std::min(piece, strip_ - done), from = first_ + done;
      fetch_ahead(in, next + strips * done, strips * count);
      for (extent k = 0; k < count; ++k) {
        if constexpr (Stream) {
          buffer[0][k] = result(0, from + k);
          buffer[1][k] = result(1, from + k + strip_);
          buffer[2][k] = result(2, from + k + 2 * strip_);
          buffer[3][k] = result(3, from + k + 3 * strip_);
        } else {
          out(from + k)              = result(0, from + k);
          out(from + k + strip_)     = result(1, from + k + strip_);
          out(from + k + 2 * strip_) = result(2, from + k + 2 * strip_);
          out(from + k + 3 * strip_) = result(3, from + k + 3 * strip_);
        }
      }
      if constexpr (Stream)
        for (int s = 0; s < strips; ++s)
          stream_out(out.data + from + s * strip_, buffer[s], std::size_t(count) * sizeof(output));
    }
    for (extent i = first_ + strips * strip_; i < last_; ++i) out(i) = result(3, i);
  }

  /// The memos of the items of this thread's tile.
  memo* memos() const
  {
    if constexpr (!keeps_memos) return nullptr;
    else return thread_buffer<memo>(last_ - first_);
  }

  Program const* program_;
  extent first_, last_, strip_;
  aggregate before_[strips];  // what precedes each strip within the tile
};

}  // namespace onepass::ONEPASS_ABI::backends::host
