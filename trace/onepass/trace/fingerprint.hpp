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
/// Extremes are keys that compare as the numbers do; tiny is the smallest magnitude that is not zero. NaNs take no
/// part.
enum class extreme { f64, f64_tiny, f32, f32_tiny, i64, i32, count };

constexpr int adds = int(added::count), extremes = int(extreme::count);

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
  ONEPASS_TRACE_FUNCTION constexpr void meet(extreme what, u64 key)
  {
    auto& l = least[int(what)];
    auto& m = most[int(what)];
    l       = key < l ? key : l;
    m       = key > m ? key : m;
  }
  /// The same of keys of 32 bits, which are compared as such.
  ONEPASS_TRACE_FUNCTION constexpr void meet(extreme what, u32 key)
  {
    auto& l       = least[int(what)];
    auto& m       = most[int(what)];
    u32 const low = u32(l), high = u32(m);
    l = key < low ? key : low;
    m = key > high ? key : high;
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

ONEPASS_TRACE_FUNCTION constexpr u64 mixed4(u32 x)
{
  u32 a = x * 0x9e3779b1u;
  a ^= a >> 15;
  u32 b = (x ^ 0x5bd1e995u) * 0x85ebca6bu;
  b ^= b >> 13;
  return u64(a + 0x27d4eb2fu) * (b | 1u) + x;
}
/// Source: Steele et al. 2014.
ONEPASS_TRACE_FUNCTION constexpr u64 mixed8(u64 x)
{
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
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
ONEPASS_TRACE_FUNCTION inline void mix(tally& t, u64 seen, u64 position)
{
  t.add(added::placed, placed8(seen, position));
  t.add(added::words8, mixed8(seen));
  t.add(added::words4, mixed4(u32(seen)) + mixed4(u32(seen >> 32)));
  t.add(added::bytes, sum_of_bytes(seen));
  t.add(added::squares, sum_of_squares(seen));
}

template <class Sum, class AddDigit>
ONEPASS_TRACE_FUNCTION void read_as_f64(tally& t, u64 word, Sum& sum, AddDigit const& add_digit)
{
  constexpr u64 infinity = u64(0x7ff) << 52;
  auto const magnitude   = word & ~(u64(1) << 63);
  if (magnitude > infinity) return t.add(added::f64_nan, 1);
  t.meet(extreme::f64, key_of_f64(word));
  if (magnitude == infinity) return t.add(added::f64_infinite, 1);
  if (magnitude != 0) t.meet(extreme::f64_tiny, magnitude);
  sum.add(split_f64(word), add_digit);
}
template <class Sum, class AddDigit>
ONEPASS_TRACE_FUNCTION void read_as_f32(tally& t, u32 half, Sum& sum, AddDigit const& add_digit)
{
  constexpr u32 infinity = 0xffu << 23;
  auto const magnitude   = half & ~(1u << 31);
  if (magnitude > infinity) return t.add(added::f32_nan, 1);
  t.meet(extreme::f32, key_of_f32(half));
  if (magnitude == infinity) return t.add(added::f32_infinite, 1);
  if (magnitude != 0) t.meet(extreme::f32_tiny, magnitude);
  sum.add(split_f32(half), add_digit);
}

/// What one thread has read so far. `add_f64` and `add_f32` take the digits of the exact sums.
template <class AddF64, class AddF32, class SumF64 = sum_window, class SumF32 = SumF64>
struct reader {
  filling fill;
  AddF64 add_f64;
  AddF32 add_f32;
  tally found    = tally::empty();
  SumF64 sum_f64 = {};
  SumF32 sum_f32 = {};

  /// The half of a word that is there; the last word of a View may have one alone.
  ONEPASS_TRACE_FUNCTION void half(u32 x)
  {
    if (fill.is(x)) return found.add(added::unwritten, 1);
    found.meet(extreme::i32, key_of_i32(x));
    found.add(added::i32_sum, u64(std::int64_t(std::int32_t(x))));
    read_as_f32(found, x, sum_f32, add_f32);
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
    if (halves > 0) half(low);
    if (halves < 2) return;
    half(high);
    if (fill.is(low) || fill.is(high)) return;
    found.add(added::low_zero, low == 0 && high != 0);
    found.add(added::high_zero, high == 0 && low != 0);
    found.meet(extreme::i64, key_of_i64(x));
    found.add(added::i64_low, low);
    found.add(added::i64_high, u64(std::int64_t(std::int32_t(high))));
    read_as_f64(found, x, sum_f64, add_f64);
  }
  ONEPASS_TRACE_FUNCTION void flush()
  {
    sum_f64.flush(add_f64);
    sum_f32.flush(add_f32);
  }
};

/// Everything that is told of a View at one moment.
struct fingerprint {
  tally found = tally::empty();
  exact_sum f64, f32;
  u64 placed() const { return found.sum[int(added::placed)]; }
  friend bool operator==(fingerprint const&, fingerprint const&) = default;
};

}  // namespace onepass::trace
