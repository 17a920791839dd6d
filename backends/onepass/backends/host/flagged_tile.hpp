// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/flags.hpp>
#include <onepass/engine/items/sum_since_flag.hpp>
#include <onepass/engine/stream.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// A mapped program whose memos are flags and whose combination restarts at each: scans by key and by rows.
template <class Program>
concept restarts_at_flags =
    Program::shape == output_shape::mapped&& sums_by_flags<Program>&& std::is_same_v<typename Program::memo_type, bool>;

/// One tile, on one thread, of such a program. Flags are bits, 64 a word. What a tile tells the next depends on its
/// items from the last flag on alone, so the upsweep combines no others; the downsweep goes from flag to flag, in loops
/// that know that there is none.
template <restarts_at_flags Program>
class cached_tile<Program> {
  using item      = typename Program::item_type;
  using aggregate = typename Program::aggregate_type;
  using word      = std::uint64_t;

  static constexpr extent piece    = 256;  ///< items that are written past the caches together
  static constexpr int most_walked = 16;   ///< flags of a word; with more, branches cost more than they spare

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  [[gnu::noinline]] aggregate upsweep()
  {
    Program const p  = *program_;  // a copy, which no store can change
    auto const in    = p.input();
    word* const bits = words();
    extent latest = first_ - 1, flags = 0;
    for (extent from = first_; from < last_; from += 64) {
      extent const to = std::min(from + 64, last_);
      word const w = bits[(from - first_) / 64] = flags_of(p, in, from, to);
      if (w != 0) latest = from + 63 - std::countl_zero(w);
      flags += std::popcount(w);
    }
    // From the last flag on, or all items where no flag is set.
    auto const sum = sum_since_flag(p, in, std::max(latest, first_), last_, latest >= first_);
    return p.after(Program::identity(), {std::uint32_t(flags), sum});
  }

  aggregate downsweep(aggregate const& prefix, cached_tile& next, bool stream) const
  {
    bool written = false;
    if constexpr (is_contiguous<decltype(program_->output())>::value) {
      if (stream) write<true>(prefix);
      written = stream;
    }
    if (!written) write<false>(prefix);
    return next.upsweep();
  }

private:
  /// The flags of items [from, to).
  template <class In>
  static word flags_of(Program const& p, In const& in, extent from, extent to)
  {
    if constexpr (reads_flags<Program>) {
      auto const* const w = p.flag_words() + from / 32;
      int const shift     = int(from % 32);
      word bits           = (word(w[0]) | (to - from + shift > 32 ? word(w[1]) << 32 : 0)) >> shift;
      if (to - from + shift > 64) bits |= word(w[2]) << (64 - shift);
      return to - from < 64 ? bits & ((word(1) << (to - from)) - 1) : bits;
    } else return flag_words<64>::word_at(p, in, from, to);
  }

  template <bool Stream>
  [[gnu::noinline]] void write(aggregate const& prefix) const
  {
    Program const p        = *program_;
    word const* const bits = words();
    auto now               = prefix;
    using output           = typename Program::output_type;
    auto const in          = p.input();
    auto const out         = p.output();
    alignas(64) output made[Stream ? piece : 1];
    for (extent begin = first_; begin < last_; begin += piece) {
      extent const end = std::min(begin + piece, last_);
      auto const step  = [&](extent i, bool flag) __attribute__((always_inline))
      {
        item const x   = in(i);
        auto const own = p.lift(i, x, flag);  // before x is overwritten in place
        if constexpr (Stream) made[i - begin] = p.result(x, flag, now);
        else out(i) = p.result(x, flag, now);
        now = p.combine(now, own);
      };
      for (extent from = begin; from < end; from += 64) {
        if constexpr (reads_flags<Program>) fetch_pages_ahead(in, from, 64);
        walk(bits[(from - first_) / 64], from, std::min(from + 64, end), step);
      }
      if constexpr (Stream) stream_out(out.data + begin, made, std::size_t(end - begin) * sizeof(output));
    }
  }

  /// Calls step(i, flag) for all items of a word in order; where flags are many, in one loop.
  template <class Step>
  [[gnu::always_inline]] static void walk(word bits, extent from, extent to, Step const& step)
  {
    extent i = from;
    if (std::popcount(bits) > most_walked) {
      for (; i < to; ++i) step(i, (bits >> (i - from) & 1) != 0);
      return;
    }
    for (; bits != 0; bits &= bits - 1) {
      for (extent const head = from + std::countr_zero(bits); i < head; ++i) step(i, false);
      step(i++, true);
    }
    for (; i < to; ++i) step(i, false);
  }

  word* words() const { return thread_buffer<word, struct words_of_flags>((last_ - first_) / 64 + 1); }

  Program const* program_;
  extent first_, last_;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
