// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/memory.hpp>
#include <onepass/trace/pool.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <malloc.h>

// The instruction set is chosen when the library is loaded. Sanitizers do not stand functions that run so early.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ONEPASS_TRACE_VECTORS __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define ONEPASS_TRACE_VECTORS
#endif

namespace onepass::trace {

namespace {

constexpr std::size_t stretch = 1 << 15;  // words that a thread reads at a time

u64 word_at(unsigned char const* p, std::size_t i)
{
  u64 x;
  std::memcpy(&x, p + 8 * i, 8);
  return x;
}

ONEPASS_TRACE_VECTORS u64 placed_words(unsigned char const* p, std::size_t begin, std::size_t end, filling fill)
{
  u64 sum = 0;
  if (fill.exists) {
    for (std::size_t i = begin; i < end; ++i) {
      u64 x;
      std::memcpy(&x, p + 8 * i, 8);
      sum += placed8(filling{fill.word, true}.hidden(x), i);
    }
  } else {
    for (std::size_t i = begin; i < end; ++i) {
      u64 x;
      std::memcpy(&x, p + 8 * i, 8);
      sum += placed8(x, i);
    }
  }
  return sum;
}

/// mix() of whole words; the loop is one for vectors, so whether there is a filling is asked outside of it.
template <bool Filled>
[[gnu::always_inline]] inline void mix_all(tally& to, unsigned char const* p, std::size_t begin, std::size_t end,
                                           u32 word)
{
  u64 placed = 0, words8 = 0, words4 = 0, bytes = 0, squares = 0;
  for (std::size_t i = begin; i < end; ++i) {
    u64 x;
    std::memcpy(&x, p + 8 * i, 8);
    if constexpr (Filled) x = filling{word, true}.hidden(x);
    placed += placed8(x, i);
    mixed const both(x);
    words8 += both.words8;
    words4 += both.words4;
    bytes += sum_of_bytes(x);
    squares += sum_of_squares(x);
  }
  to.add(added::placed, placed);
  to.add(added::words8, words8);
  to.add(added::words4, words4);
  to.add(added::bytes, bytes);
  to.add(added::squares, squares);
}
ONEPASS_TRACE_VECTORS void mix_words(tally& to, unsigned char const* p, std::size_t begin, std::size_t end,
                                     filling fill)
{
  if (fill.exists) mix_all<true>(to, p, begin, end, fill.word);
  else mix_all<false>(to, p, begin, end, 0);
}

/// Adds floats of equal exponents as integers and makes digits of them at the end; a part has at most 2^17 of them.
template <bool Wide>
class sum_by_exponent {
public:
  sum_by_exponent& of(bool /*is_high*/) { return *this; }
  template <class AddDigit>
  void add(split_float x, AddDigit const&)
  {
    auto const e = std::size_t(x.exponent);
    low_[e] += signed_by(x, x.mantissa & 0xffffffff);
    if constexpr (Wide) high_[e] += signed_by(x, x.mantissa >> 32);
  }
  template <class AddDigit>
  void flush(AddDigit const& add_digit)
  {
    for (std::size_t e = 1; e < exponents; ++e) {
      put(low_[e], int(e) - 1, add_digit);
      if constexpr (Wide) put(high_[e], int(e) + 31, add_digit);
    }
  }

private:
  static constexpr std::size_t exponents = 2047;
  static std::int64_t signed_by(split_float x, std::uint64_t mantissa)
  {
    return x.negative ? -std::int64_t(mantissa) : std::int64_t(mantissa);
  }
  template <class AddDigit>
  static void put(std::int64_t sum, int at, AddDigit const& add_digit)
  {
    if (sum != 0) put_digits(u64(sum < 0 ? -sum : sum), at, sum < 0, add_digit);
  }
  std::array<std::int64_t, exponents> low_{};
  std::array<std::int64_t, Wide ? exponents : 0> high_{};
};

/// What a thread has read: a tally, and the digits of both sums.
struct partial {
  tally found = tally::empty();
  std::array<std::int64_t, sum_digits> f64{}, f32{};

  void join(partial const& other)
  {
    found.join(other.found);
    for (std::size_t d = 0; d < f64.size(); ++d) {
      f64[d] += other.f64[d];
      f32[d] += other.f32[d];
    }
  }
};

/// Whole words of a View from begin to end, and behind them the bytes that are no word, where end is beyond all words.
struct part {
  std::size_t which, begin, end;  ///< of the region of that number
  std::size_t whole(region r) const { return std::min(end, r.words()); }
  bool has_tail(region r) const { return end > r.words(); }
};

u64 last_word_of(region r, filling fill)
{
  return last_word(static_cast<unsigned char const*>(r.data) + 8 * r.words(), int(r.bytes % 8), fill);
}

[[gnu::flatten]] void read_words(partial& to, region r, part const& of, filling fill)
{
  auto const add_f64  = [&](int which, std::int64_t digit) { to.f64[std::size_t(which)] += digit; };
  auto const add_f32  = [&](int which, std::int64_t digit) { to.f32[std::size_t(which)] += digit; };
  auto const* const p = static_cast<unsigned char const*>(r.data);
  reader<tally, decltype(add_f64), decltype(add_f32), sum_by_exponent<true>, sum_by_exponent<false>> reads{
      fill, add_f64, add_f32};
  mix_words(reads.found, p, of.begin, of.whole(r), fill);
  for (std::size_t i = of.begin; i < of.whole(r); ++i) reads.numbers(word_at(p, i));
  if (of.has_tail(r)) reads.word(last_word_of(r, fill), r.words(), int(r.bytes % 8 / 4));
  reads.flush();
  to.found.join(reads.found);
}

class host final : public memory {
public:
  explicit host(unsigned threads)
      : pool_(threads)
  {}

  std::vector<u64> placed(std::span<region const> regions, filling const& fill) override
  {
    std::vector<u64> sums(regions.size());
    in_parts(regions, [&](part const& p) {
      auto const r = regions[p.which];
      auto sum     = placed_words(static_cast<unsigned char const*>(r.data), p.begin, p.whole(r), fill);
      if (p.has_tail(r)) sum += placed8(fill.hidden(last_word_of(r, fill)), r.words());
      std::atomic_ref(sums[p.which]) += sum;
    });
    return sums;
  }

  std::vector<fingerprint> read(std::span<region const> regions, filling const& fill) override
  {
    std::vector<partial> all(regions.size());
    std::mutex mutex;
    in_parts(regions, [&](part const& p) {
      partial mine;
      read_words(mine, regions[p.which], p, fill);
      std::lock_guard const lock(mutex);
      all[p.which].join(mine);
    });
    std::vector<fingerprint> prints;
    for (auto& p : all) prints.emplace_back(p.found, p.f64.data(), p.f32.data());
    return prints;
  }

  void fill(void* to, unsigned char byte, std::size_t bytes) override
  {
    region const all = {to, bytes};
    in_parts({&all, 1}, [&](part const& p) {
      std::memset(static_cast<unsigned char*>(to) + 8 * p.begin, byte, std::min(8 * p.end, bytes) - 8 * p.begin);
    });
  }
  void copy(void* to, region from) override
  {
    if (from.bytes > 0) std::memcpy(to, from.data, from.bytes);
  }
  std::size_t room(void const* at) const override { return malloc_usable_size(const_cast<void*>(at)); }

private:
  /// Calls f(part) for parts that together are all regions; by this thread alone where they are small.
  template <class F>
  void in_parts(std::span<region const> regions, F const& f)
  {
    std::vector<part> parts;
    std::size_t words = 0;
    for (std::size_t which = 0; which < regions.size(); ++which) {
      auto const n = (regions[which].bytes + 7) / 8;
      for (std::size_t begin = 0; begin < n; begin += stretch)
        parts.push_back({which, begin, std::min(n, begin + stretch)});
      words += n;
    }
    if (words < 4 * stretch) std::for_each(parts.begin(), parts.end(), f);
    else pool_.run(parts.size(), [&](std::size_t i) { f(parts[i]); });
  }
  pool pool_;
};

}  // namespace

std::unique_ptr<memory> host_memory(unsigned threads) { return std::make_unique<host>(threads); }

}  // namespace onepass::trace
