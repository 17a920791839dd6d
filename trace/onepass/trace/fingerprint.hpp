// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exact_sum.hpp"

namespace onepass::trace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// What is told of a View whose type nobody tells: sums modulo 2^64 of mixed words, and for each of four readings of
/// its bytes its extremes and more. Everything is a sum, a minimum or a maximum, so the order of threads does not
/// matter; all but `placed` do not depend on where a word lies either, hence not on the layout.
enum class added {
  placed,     ///< sum of words of 8 bytes, each mixed with its position
  bytes,      ///< sum of all bytes
  squares,    ///< and that of their squares
  words4,     ///< sum of mixed words of 4 bytes
  words8,     ///< sum of mixed words of 8 bytes
  unwritten,  ///< words of 4 bytes that still hold what the tracer filled new memory with; nothing else counts them
  low_zero,   ///< words of 8 bytes whose lower half alone is zero
  high_zero,  ///< words of 8 bytes whose upper half alone is zero
  f64_nan,
  f64_infinite,
  f32_nan,
  f32_infinite,
  i64_low,
  i64_high,  ///< sum of the lower halves, and of the upper ones with their signs
  i32_sum,
  count
};
/// Extremes are keys that compare as the numbers do. NaNs take no part. Of tiny only the least is kept: the smallest
/// magnitude that is neither zero nor infinite.
enum class extreme { f64, f64_tiny, f32, f32_tiny, i64, i32, count };

constexpr int adds = int(added::count), extremes = int(extreme::count);

/// Whether no more than 2^19 is added for a word of 8 bytes.
ONEPASS_TRACE_FUNCTION constexpr bool is_small(added what)
{
  return what != added::placed && what != added::words4 && what != added::words8 && what < added::i64_low;
}

/// One for each 64-bit word of memory would be this, and all of them combined is this again. Sums of floats go
/// elsewhere, as digits (exact_sum.hpp).
struct tally {
  u64 sum[adds];
  u64 least[extremes], most[extremes];

  ONEPASS_TRACE_FUNCTION static constexpr tally empty()
  {
    tally t{};
    for (auto& x : t.least) x = ~u64(0);
    return t;
  }
  ONEPASS_TRACE_FUNCTION constexpr void add(added what, u64 x) { sum[int(what)] += x; }
  /// Meets a key if it counts.
  ONEPASS_TRACE_FUNCTION constexpr void meet_least(extreme what, u64 key, bool counts = true)
  {
    auto& l = least[int(what)];
    l       = counts && key < l ? key : l;
  }
  ONEPASS_TRACE_FUNCTION constexpr void meet(extreme what, u64 key)
  {
    auto& m = most[int(what)];
    m       = key > m ? key : m;
    meet_least(what, key);
  }
  constexpr void join(tally const& other)
  {
    for (int i = 0; i < adds; ++i) sum[i] += other.sum[i];
    for (int i = 0; i < extremes; ++i) {
      least[i] = other.least[i] < least[i] ? other.least[i] : least[i];
      most[i]  = other.most[i] > most[i] ? other.most[i] : most[i];
    }
  }
  friend constexpr bool operator==(tally const& a, tally const& b)
  {
    for (int i = 0; i < adds; ++i)
      if (a.sum[i] != b.sum[i]) return false;
    for (int i = 0; i < extremes; ++i)
      if (a.least[i] != b.least[i] || a.most[i] != b.most[i]) return false;
    return true;
  }
};

/// The tracer fills new memory with one byte, which differs between runs, so that what reads memory that was never
/// written differs as well. In fingerprints such words are all the same, or else they would differ themselves.
struct filling {
  u32 word    = 0;
  bool exists = false;

  ONEPASS_TRACE_FUNCTION constexpr bool is(u32 half) const { return exists && half == word; }
  ONEPASS_TRACE_FUNCTION constexpr u32 hidden(u32 half) const { return is(half) ? 0xa076bc1du : half; }
  ONEPASS_TRACE_FUNCTION constexpr u64 hidden(u64 word8) const
  {
    return u64(hidden(u32(word8 >> 32))) << 32 | hidden(u32(word8));
  }
};

/// The word at the end that is not whole. Bytes that are missing from a half of it are zero, or the filling where all
/// that are there are.
ONEPASS_TRACE_FUNCTION constexpr u64 last_word(unsigned char const* at, int bytes, filling fill)
{
  u64 word = 0;
  for (int half = 0; half < bytes; half += 4) {
    u32 x          = 0;
    bool unwritten = fill.exists;
    for (int b = 0; b < 4 && half + b < bytes; ++b) {
      x |= u32(at[half + b]) << 8 * b;
      unwritten = unwritten && at[half + b] == (fill.word & 0xff);
    }
    word |= u64(unwritten ? fill.word : x) << 8 * half;
  }
  return word;
}

/// Unsigned keys that compare as the numbers do; -0 is below +0.
ONEPASS_TRACE_FUNCTION constexpr u64 key_of_f64(u64 bits) { return bits >> 63 ? ~bits : bits | u64(1) << 63; }
ONEPASS_TRACE_FUNCTION constexpr u32 key_of_f32(u32 bits) { return bits >> 31 ? ~bits : bits | 1u << 31; }
ONEPASS_TRACE_FUNCTION constexpr u64 key_of_i64(u64 bits) { return bits ^ u64(1) << 63; }
ONEPASS_TRACE_FUNCTION constexpr u32 key_of_i32(u32 bits) { return bits ^ 1u << 31; }

/// Two factors made of a word of 4 bytes: their product hashes it, and the first of one word by the second of another
/// hashes both. A word is added to its hash too.
struct factors {
  u32 first, second;
  ONEPASS_TRACE_FUNCTION constexpr explicit factors(u32 x)
      : first(x * 0x9e3779b1u)
      , second((x ^ 0x5bd1e995u) * 0x85ebca6bu)
  {
    first  = (first ^ first >> 15) + 0x27d4eb2fu;
    second = (second ^ second >> 13) | 1u;
  }
  ONEPASS_TRACE_FUNCTION constexpr u64 by(factors const& other) const { return u64(first) * other.second; }
};
struct mixed {
  u64 words4, words8;
  ONEPASS_TRACE_FUNCTION constexpr explicit mixed(u64 x)
  {
    factors const low{u32(x)}, high{u32(x >> 32)};
    words4 = low.by(low) + high.by(high) + u32(x) + (x >> 32);
    words8 = low.by(high) + x;
  }
};
/// A word at a position: one product of 32 bits by 32, which vectors have, so that memory is hashed as fast as it is
/// read. The word itself is added too, since a factor may be zero. Source: Black et al. 1999.
ONEPASS_TRACE_FUNCTION constexpr u64 placed8(u64 x, u64 position)
{
  u32 const key = (u32(position) + u32(position >> 32) * 0x2545f491u) * 0x9e3779b1u;
  u32 const a   = u32(x) + (key ^ key >> 16);
  u32 const b   = u32(x >> 32) + (key * 0x85ebca6bu ^ 0x7feb352du);
  return u64(a) * b + (x >> 32 | x << 32);
}

ONEPASS_TRACE_FUNCTION inline u64 sum_of_bytes(u64 word)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
  return __dp4a(u32(word), 0x01010101u, __dp4a(u32(word >> 32), 0x01010101u, 0u));
#else
  u64 sum = 0;
  for (int b = 0; b < 64; b += 8) sum += word >> b & 0xff;
  return sum;
#endif
}
ONEPASS_TRACE_FUNCTION inline u64 sum_of_squares(u64 word)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
  return __dp4a(u32(word), u32(word), __dp4a(u32(word >> 32), u32(word >> 32), 0u));
#else
  u64 sum = 0;
  for (int b = 0; b < 64; b += 8) sum += u64(u32(word >> b & 0xff) * u32(word >> b & 0xff));
  return sum;
#endif
}

/// Everything that is told of a word as bits alone; `seen` has the filling hidden.
template <class Tally>
ONEPASS_TRACE_FUNCTION inline void mix(Tally& t, u64 seen, u64 position)
{
  mixed const words(seen);
  t.add(added::placed, placed8(seen, position));
  t.add(added::words8, words.words8);
  t.add(added::words4, words.words4);
  t.add(added::bytes, sum_of_bytes(seen));
  t.add(added::squares, sum_of_squares(seen));
}

/// A word as a float, of which `takes` says whether it belongs to the sum.
template <class Tally, class Sum, class Sink>
ONEPASS_TRACE_FUNCTION void read_as_f64(Tally& t, u64 word, bool takes, Sum& sum, Sink const& to)
{
  constexpr u64 infinity = u64(0x7ff) << 52;
  auto const magnitude   = word & ~(u64(1) << 63);
  if (magnitude > infinity) return t.add(added::f64_nan, 1);
  t.meet(extreme::f64, key_of_f64(word));
  if (magnitude == infinity) return t.add(added::f64_infinite, 1);
  t.meet_least(extreme::f64_tiny, magnitude, magnitude != 0);
  if (takes) sum.add(split_f64(word), to);
}
template <class Tally, class Sum, class Sink>
ONEPASS_TRACE_FUNCTION void read_as_f32(Tally& t, u32 half, bool takes, Sum& sum, Sink const& to)
{
  constexpr u32 infinity = 0xffu << 23;
  auto const magnitude   = half & ~(1u << 31);
  if (magnitude > infinity) return t.add(added::f32_nan, 1);
  t.meet(extreme::f32, key_of_f32(half));
  if (magnitude == infinity) return t.add(added::f32_infinite, 1);
  t.meet_least(extreme::f32_tiny, magnitude, magnitude != 0);
  if (takes) sum.add(split_f32(half), to);
}

/// What one thread has read so far. `add_f64` and `add_f32` are handed what sums do not hold; sum_f32.of(is_high) is
/// the sum of the lower or the upper halves of words.
template <class Tally, class AddF64, class AddF32, class SumF64, class SumF32>
struct reader {
  filling fill;
  AddF64 add_f64;
  AddF32 add_f32;
  Tally found    = Tally::empty();
  SumF64 sum_f64 = {};
  SumF32 sum_f32 = {};
  bool adds_f64 = true, adds_f32 = true;  ///< false once there are NaNs

  /// A half of a word that is there; the last word of a View may have the lower one alone.
  ONEPASS_TRACE_FUNCTION void half(u32 x, bool is_high)
  {
    if (fill.is(x)) return found.add(added::unwritten, 1);
    found.meet(extreme::i32, key_of_i32(x));
    found.add(added::i32_sum, u64(std::int64_t(std::int32_t(x))));
    read_as_f32(found, x, adds_f32, sum_f32.of(is_high), add_f32);
  }
  /// Word number `position` of the View. `halves` says how much of it is there: 2, or 1, or 0 where not even four bytes
  /// are; the missing bytes are zero.
  ONEPASS_TRACE_FUNCTION void word(u64 x, u64 position, int halves = 2)
  {
    mix(found, fill.hidden(x), position);
    numbers(x, halves);
  }
  /// What the word is as a number of each type.
  ONEPASS_TRACE_FUNCTION void numbers(u64 x, int halves = 2)
  {
    u32 const low = u32(x), high = u32(x >> 32);
    if (halves > 0) half(low, false);
    if (halves < 2) return;
    half(high, true);
    if (fill.is(low) || fill.is(high)) return;
    found.add(added::low_zero, low == 0 && high != 0);
    found.add(added::high_zero, high == 0 && low != 0);
    found.meet(extreme::i64, key_of_i64(x));
    found.add(added::i64_low, low);
    found.add(added::i64_high, u64(std::int64_t(std::int32_t(high))));
    read_as_f64(found, x, adds_f64, sum_f64, add_f64);
  }
  ONEPASS_TRACE_FUNCTION void flush()
  {
    sum_f64.flush(add_f64);
    sum_f32.flush(add_f32);
  }
};

/// Everything that is told of a View at one moment. Where there are NaNs of a type, there is no sum of it.
struct fingerprint {
  tally found = tally::empty();
  exact_sum f64, f32;

  fingerprint() = default;
  /// From words of digits.
  fingerprint(tally const& t, std::int64_t const* digits64, std::int64_t const* digits32)
      : found(t)
  {
    if (found.sum[int(added::f64_nan)] == 0) f64 = exact_sum::of(digits64);
    if (found.sum[int(added::f32_nan)] == 0) f32 = exact_sum::of(digits32);
  }
  u64 placed() const { return found.sum[int(added::placed)]; }
  friend bool operator==(fingerprint const&, fingerprint const&) = default;
};

}  // namespace onepass::trace
