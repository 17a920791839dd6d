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

u64 last_word(unsigned char const* at, std::size_t bytes, filling const& fill)
{
  u64 word = 0;
  std::memcpy(&word, at, bytes);
  for (std::size_t half = 0; half < bytes; half += 4) {
    auto const here = std::min<std::size_t>(bytes - half, 4);
    if (fill.exists && std::memcmp(at + half, &fill.word, here) == 0)
      std::memcpy(reinterpret_cast<unsigned char*>(&word) + half, &fill.word, 4);
  }
  return word;
}

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

/// What a thread has read: a tally, and the digits of both sums.
struct partial {
  tally found = tally::empty();
  std::array<std::int64_t, sum_digits> f64{}, f32{};
};

void read_words(partial& to, unsigned char const* p, std::size_t begin, std::size_t end, std::size_t bytes,
                filling fill)
{
  auto const add_f64 = [&](int which, std::int64_t digit) { to.f64[std::size_t(which)] += digit; };
  auto const add_f32 = [&](int which, std::int64_t digit) { to.f32[std::size_t(which)] += digit; };
  reader<decltype(add_f64), decltype(add_f32), sum_by_digits> r{fill, add_f64, add_f32};
  auto const whole = std::min(end, bytes / 8);
  for (std::size_t i = begin; i < whole; ++i) r.word(word_at(p, i), i);
  if (end > bytes / 8) {
    auto const left = bytes % 8;
    r.word(last_word(p + bytes - left, left, fill), bytes / 8, int(left / 4));
  }
  r.flush();
  to.found.join(r.found);
}

class host final : public memory {
public:
  explicit host(unsigned threads)
      : pool_(threads)
  {}

  u64 placed(region r, filling const& fill) override
  {
    auto const* const p = static_cast<unsigned char const*>(r.data);
    std::atomic<u64> sum{0};
    in_parts(r.words(), [&](std::size_t begin, std::size_t end) { sum += placed_words(p, begin, end, fill); });
    if (auto const left = r.bytes % 8; left > 0)
      sum += placed8(fill.hidden(last_word(p + r.bytes - left, left, fill)), r.words());
    return sum;
  }

  fingerprint read(region r, filling const& fill) override
  {
    auto const* const p = static_cast<unsigned char const*>(r.data);
    partial all;
    std::mutex mutex;
    in_parts((r.bytes + 7) / 8, [&](std::size_t begin, std::size_t end) {
      partial mine;
      read_words(mine, p, begin, end, r.bytes, fill);
      std::lock_guard const lock(mutex);
      all.found.join(mine.found);
      for (std::size_t d = 0; d < all.f64.size(); ++d) {
        all.f64[d] += mine.f64[d];
        all.f32[d] += mine.f32[d];
      }
    });
    return {all.found, exact_sum::of(all.f64.data()), exact_sum::of(all.f32.data())};
  }

  void fill(void* to, unsigned char byte, std::size_t bytes) override
  {
    auto* const p = static_cast<unsigned char*>(to);
    in_parts(
        bytes, [&](std::size_t begin, std::size_t end) { std::memset(p + begin, byte, end - begin); }, 8 * stretch);
  }
  void copy(void* to, region from) override { std::memcpy(to, from.data, from.bytes); }
  std::size_t room(void const* at) const override { return malloc_usable_size(const_cast<void*>(at)); }

private:
  template <class F>
  void in_parts(std::size_t n, F const& f, std::size_t part = stretch)
  {
    auto const parts = (n + part - 1) / part;
    auto const run   = [&](std::size_t i) { f(i * part, std::min(n, (i + 1) * part)); };
    if (parts < 4) {
      for (std::size_t i = 0; i < parts; ++i) run(i);
    } else {
      pool_.run(parts, run);
    }
  }
  pool pool_;
};

}  // namespace

std::unique_ptr<memory> host_memory(unsigned threads) { return std::make_unique<host>(threads); }

}  // namespace onepass::trace
