// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/flags.hpp>
#include <onepass/engine/items/serial.hpp>
#include <onepass/engine/items/sum_since_flag.hpp>
#include <onepass/engine/stream.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// The flags of items [from, to), 64 or fewer.
template <class Program, class In>
std::uint64_t flag_word(Program const& p, In const& in, extent from, extent to)
{
  if constexpr (reads_flags<Program>) {
    auto const* const w = p.flag_words() + from / 32;
    int const shift     = int(from % 32);
    auto bits           = (std::uint64_t(w[0]) | (to - from + shift > 32 ? std::uint64_t(w[1]) << 32 : 0)) >> shift;
    if (to - from + shift > 64) bits |= std::uint64_t(w[2]) << (64 - shift);
    return to - from < 64 ? bits & ((std::uint64_t(1) << (to - from)) - 1) : bits;
  } else return flag_words<64>::word_at(p, in, from, to);
}

inline constexpr int most_walked = 16;  ///< flags of 64; with more, branches cost more than they spare

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
    auto const in    = p.input();
    word* const bits = words();
    extent latest = first_ - 1, flags = 0;
    for (extent from = first_; from < last_; from += 64) {
      extent const to = std::min(from + 64, last_);
      word const w = bits[(from - first_) / 64] = flag_word(p, in, from, to);
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

/// One tile, on one thread, of such a program. The downsweep goes from flag to flag, in loops that know that there is
/// none.
template <restarts_at_flags Program>
class cached_tile<Program> : flags_of_tile<Program> {
  using flags = flags_of_tile<Program>;
  using item  = typename Program::item_type;
  using flags::first_, flags::last_, flags::program_;
  using typename flags::aggregate;
  using typename flags::word;

  static constexpr extent piece = 256;  ///< items that are written past the caches together

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
    if constexpr (is_contiguous<decltype(program_->output())>::value) {
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
};

/// A compacting program of that kind, which writes at flags: reductions by key.
template <class Program>
concept sums_up_to_flags =
    Program::shape
    == output_shape::compacted&& sums_by_flags<Program>&& std::is_same_v<typename Program::memo_type, bool>;

/// What such a program writes of items [first, last), on one thread: words(from, to) gives their flags, 64 or fewer,
/// and flagged(i) an item that has one. Returns `now` with all of them where `All`, else nothing of use.
template <bool All, class Program, class Words, class Flagged>
[[gnu::always_inline]] inline auto write_at_flags(Program const& p, extent first, extent last,
                                                  typename Program::aggregate_type now, Words const& words,
                                                  Flagged const& flagged)
{
  auto const in  = p.input();
  extent begin   = first;  // of the items that are not added up yet
  bool flag      = false;  // of the first of them
  auto const add = [&](extent end) {
    if (begin < end) now = p.after(now, {flag, sum_since_flag(p, in, begin, end, flag)});
  };
  for (extent from = first; from < last; from += 64) {
    extent const to = std::min(from + 64, last);
    std::uint64_t w = words(from, to);
    if (std::popcount(w) > most_walked) {
      add(from);
      for (extent i = from; i < to; ++i, w >>= 1)
        if (w & 1) {
          typename Program::item_type const x = flagged(i);
          auto const own                      = p.lift(i, x, true);
          write_kept(p, i, x, true, now);
          now = p.combine(now, own);
        } else now = p.combine(now, p.lift(i, in(i), false));
      begin = to;
      flag  = false;
      continue;
    }
    for (; w != 0; w &= w - 1) {
      extent const i = from + std::countr_zero(w);
      add(i);
      write_kept(p, i, flagged(i), true, now);
      begin = i;
      flag  = true;
    }
  }
  if constexpr (All) add(last);
  return now;
}

/// All of it by one thread. Where flags are many, items few or sums wide, to look for flags first takes more than it
/// spares, so then one item follows another; how many flags there are the first 64 items say.
template <sums_up_to_flags Program>
[[gnu::noinline]] void sum_up_to_flags(Program const& given, extent n)
{
  constexpr extent few = 4, word = 64;
  constexpr bool narrow = sizeof(typename Program::aggregate_type) <= 24;
  if (!narrow || n < 16 * word) return run_serially(given, n);
  Program const p      = given;  // a copy, which no store can change
  auto const in        = p.input();
  auto const flagged   = [&](extent i) { return in(i); };
  auto const sample    = flag_word(p, in, 0, word);
  auto const of_sample = write_at_flags<true>(
      p, 0, word, p.initial(), [=](extent, extent) { return sample; }, flagged);
  if (std::popcount(sample) > few) return one_after_another(given, word, n, of_sample);
  auto const all = write_at_flags<true>(
      p, word, n, of_sample, [&](extent from, extent to) { return flag_word(p, in, from, to); }, flagged);
  p.finish(all, n);
}

/// One tile, on one thread, of such a program. The items with flags are kept, so that a later tile may already write
/// where they were read; the others are added up once the next flag is known.
template <sums_up_to_flags Program>
class cached_tile<Program> : flags_of_tile<Program> {
  using flags = flags_of_tile<Program>;
  using item  = typename Program::item_type;
  using flags::first_, flags::last_, flags::program_;
  using typename flags::aggregate;
  using typename flags::word;

public:
  using flags_of_tile<Program>::flags_of_tile;

  [[gnu::noinline]] aggregate upsweep()
  {
    Program const p = *program_;
    auto const in   = p.input();
    item* next      = flagged();
    return this->raise(p, [&](extent from, extent to, word w) {
      if (std::popcount(w) > most_walked) {
        for (extent i = from; i < to; ++i, w >>= 1) {
          *next = in(i);
          next += w & 1;
        }
      } else
        for (; w != 0; w &= w - 1) *next++ = in(from + std::countr_zero(w));
    });
  }

  [[gnu::noinline]] aggregate downsweep(aggregate const& prefix, cached_tile& next, bool) const
  {
    Program const p        = *program_;
    word const* const bits = this->words();
    item const* at_flag    = flagged();
    write_at_flags<false>(
        p, first_, last_, prefix, [&](extent from, extent) { return bits[(from - first_) / 64]; },
        [&](extent) { return *at_flag++; });
    return next.upsweep();
  }

private:
  item* flagged() const { return thread_buffer<item, struct items_with_flags>(last_ - first_ + 1); }
};

}  // namespace onepass::ONEPASS_ABI::backends::host
