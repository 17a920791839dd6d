// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/flags.hpp>
#include <onepass/engine/items/running.hpp>
#include <onepass/engine/items/serial.hpp>
#include <onepass/engine/items/sum_since_flag.hpp>
#include <onepass/engine/stream.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// The flags of items [from, to), 64 or fewer. Those from `begin` on may be read again.
template <class Program, class In>
std::uint64_t flag_word(Program const& p, In const& in, extent from, extent to, [[maybe_unused]] extent begin)
{
  if constexpr (reads_flags<Program>) {
    auto const* const w = p.flag_words() + from / 32;
    int const shift     = int(from % 32);
    auto bits           = (std::uint64_t(w[0]) | (to - from + shift > 32 ? std::uint64_t(w[1]) << 32 : 0)) >> shift;
    if (to - from + shift > 64) bits |= std::uint64_t(w[2]) << (64 - shift);
    return to - from < 64 ? bits & ((std::uint64_t(1) << (to - from)) - 1) : bits;
  } else return flag_words<64>::word_at(p, in, from, to, begin);
}

inline constexpr int most_walked          = 16;  ///< flags of 64; with more, branches cost more than they spare
inline constexpr std::uint64_t every_flag = ~std::uint64_t(0);

/// The flags of one tile, on one thread, of a program whose combination restarts at each: bits, 64 a word. What such a
/// tile tells the next depends on its items from the last flag on alone, so an upsweep combines no others.
template <class Program>
class flags_of_tile {
public:
  flags_of_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

protected:
  using aggregate = typename Program::aggregate_type;
  using word      = std::uint64_t;

  /// The tile's aggregate; calls seen(from, to, flags) for each word of items [from, to).
  template <class Seen>
  [[gnu::always_inline]] aggregate raise(Program const& p, Seen const& seen) const
  {
    auto in          = p.input();
    word* const bits = words();
    extent latest = first_ - 1, flags = 0;
    for (extent from = first_; from < last_; from += 64) {
      extent const to = std::min(from + 64, last_);
      word const w = bits[(from - first_) / 64] = flag_word(p, in, from, to, first_);
      if (w != 0) latest = from + 63 - std::countl_zero(w);
      flags += std::popcount(w);
      seen(from, to, w);
    }
    // From the last flag on, or all items where no flag is set.
    auto const sum = sum_since_flag(p, in, std::max(latest, first_), last_, latest >= first_);
    return p.after(Program::identity(), {std::uint32_t(flags), sum});
  }

  word* words() const { return thread_buffer<word, struct words_of_flags>((last_ - first_) / 64 + 1); }

  Program const* program_;
  extent first_, last_;
};

/// A mapped program whose memos are flags and whose combination restarts at each: scans by key and by rows.
template <class Program>
concept restarts_at_flags =
    Program::shape == output_shape::mapped&& sums_by_flags<Program>&& std::is_same_v<typename Program::memo_type, bool>;

/// Calls step(i, flag) for items [from, to) of a word in order: from flag to flag, in loops that know that there is
/// none; where flags are many in one loop, and in one that knows it where all are set.
template <class Step>
[[gnu::always_inline]] inline void walk_word(std::uint64_t flags, extent from, extent to, Step const& step)
{
  extent i = from;
  if (flags == every_flag) {
    for (; i < from + 64; ++i) step(i, std::true_type{});
    return;
  }
  if (std::popcount(flags) > most_walked) {
    for (; i < to; ++i) step(i, (flags >> (i - from) & 1) != 0);
    return;
  }
  for (; flags != 0; flags &= flags - 1) {
    for (extent const head = from + std::countr_zero(flags); i < head; ++i) step(i, std::false_type{});
    step(i++, std::true_type{});
  }
  for (; i < to; ++i) step(i, std::false_type{});
}

/// Writes the results of items [first, last) of such a program, past the caches if `Stream`; `prefix` precedes them,
/// and words(from, to) gives the flags of 64 items or fewer.
template <bool Stream, restarts_at_flags Program, class Words>
[[gnu::always_inline]] inline void write_from_flag_to_flag(Program const& p, extent first, extent last,
                                                           typename Program::aggregate_type prefix, Words const& words)
{
  constexpr extent piece = 256;  // items that are written past the caches together
  using output           = typename Program::output_type;
  using now              = running<Program>;
  if (first >= last) return;
  auto in  = p.input();
  auto out = p.output();
  alignas(64) output made[Stream ? piece : 1];
  auto const put_at = [&](extent begin, extent i) __attribute__((always_inline))
  {
    return [&, begin, i ](output const& x) __attribute__((always_inline))
    {
      if constexpr (Stream) made[i - begin] = x;
      else out(i) = x, (void)begin;
    };
  };
  extent const head = std::min(first + 64, last);
  auto flags        = words(first, head);
  running_aggregate<Program>::step(p, prefix, first, in(first), (flags & 1) != 0, put_at(first, first));
  auto before     = now::of(prefix);
  auto const walk = [&](extent begin, extent i, extent to) __attribute__((always_inline))
  {
    auto const step = [&](extent k, auto flag) __attribute__((always_inline))
    {
      now::step(p, before, k, in(k), flag, put_at(begin, k));
    };
    if (i % 64 == first % 64) walk_word(flags, i, to, step);
    else
      for (; i < to; ++i) step(i, (flags >> (i - first) & 1) != 0);
  };
  walk(first, first + 1, head);
  for (extent begin = first; begin < last; begin += piece) {
    extent const end = std::min(begin + piece, last);
    for (extent from = begin == first ? head : begin; from < end; from += 64) {
      extent const to = std::min(from + 64, end);
      if constexpr (reads_flags<Program>) fetch_pages_ahead(in, from, 64);
      flags = words(from, to);
      walk(begin, from, to);
    }
    if constexpr (Stream) stream_out(out.data + begin, made, std::size_t(end - begin) * sizeof(output));
  }
}

/// One tile, on one thread, of such a program.
template <restarts_at_flags Program>
class cached_tile<Program> : flags_of_tile<Program> {
  using flags = flags_of_tile<Program>;
  using flags::first_, flags::last_, flags::program_;
  using typename flags::aggregate;
  using typename flags::word;

public:
  using flags_of_tile<Program>::flags_of_tile;

  [[gnu::noinline]] aggregate upsweep()
  {
    Program const p = *program_;  // a copy, which no store can change
    return this->raise(p, [](extent, extent, word) {});
  }

  aggregate downsweep(aggregate const& prefix, cached_tile& next, bool stream) const
  {
    bool written = false;
    if constexpr (writes_bytes<Program>) {
      if (stream) write<true>(prefix);
      written = stream;
    }
    if (!written) write<false>(prefix);
    return next.upsweep();
  }

private:
  template <bool Stream>
  [[gnu::noinline]] void write(aggregate const& prefix) const
  {
    Program const p        = *program_;
    word const* const bits = this->words();
    write_from_flag_to_flag<Stream>(p, first_, last_, prefix,
                                    [&](extent from, extent) { return bits[(from - first_) / 64]; });
  }
};

}  // namespace onepass::ONEPASS_ABI::backends::host
