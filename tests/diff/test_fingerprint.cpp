// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/memory.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace onepass::trace;

namespace {

constexpr unsigned seed = 20;

template <class T>
fingerprint of(std::vector<T> const& items, filling fill = {}, unsigned threads = 1)
{
  auto const host  = host_memory(threads);
  region const all = {items.data(), items.size() * sizeof(T)};
  auto const f     = host->read({&all, 1}, fill).front();
  EXPECT_EQ(f.placed(), host->placed({&all, 1}, fill).front());
  return f;
}

u64 sum(fingerprint const& f, added what) { return f.found.sum[int(what)]; }

template <class T>
std::vector<T> random_items(std::size_t n)
{
  std::mt19937_64 random(seed);
  std::vector<T> items(n);
  for (auto& x : items) x = T(std::ldexp(double(std::int64_t(random())), int(random() % 80) - 100));
  return items;
}

}  // namespace

TEST(Fingerprint, SumsAreExactAndDoNotDependOnOrder)
{
  EXPECT_EQ(of(std::vector<double>{1e308, 1, 5e-324, -1e308, 1e-300, -1e-300}).f64.rounded(), 1.);
  EXPECT_EQ(of(std::vector<double>{5e-324, 5e-324}).f64.rounded(), 1e-323);
  EXPECT_EQ(of(std::vector<float>{1e38f, 1e38f, 1e38f, 1e38f, -1.5f}).f32.rounded(), 4. * double(1e38f));
  EXPECT_EQ(of(std::vector<double>{-3, 1}).f64.rounded(), -2.);
  auto items      = random_items<double>(100000);
  auto const once = of(items);
  std::shuffle(items.begin(), items.end(), std::mt19937_64(seed));
  auto const again = of(items, {}, 4);
  EXPECT_EQ(once.f64, again.f64);
  EXPECT_EQ(once.f32, again.f32);
  for (auto const what : {added::words4, added::words8, added::bytes, added::squares, added::i64_low, added::f32_nan})
    EXPECT_EQ(sum(once, what), sum(again, what));
  EXPECT_NE(once.placed(), again.placed());
  for (auto& x : items) x = -x;
  EXPECT_EQ(exact_sum::difference(once.f64, of(items).f64).rounded(), 2 * once.f64.rounded());
  items.insert(items.end(), 1, 0.);
  auto both = items;
  for (auto const x : items) both.push_back(-x);
  EXPECT_EQ(of(both).f64, exact_sum());
}

TEST(Fingerprint, SumsAreThoseOfWideIntegers)
{
  std::mt19937_64 random(seed);
  std::vector<double> items(50000);
  __int128 expected = 0;
  for (auto& x : items) {
    auto const mantissa = std::int64_t(random() >> 12) - (std::int64_t(1) << 51);
    int const shift     = int(random() % 60);
    x                   = std::ldexp(double(mantissa), shift);
    expected += __int128(mantissa) << shift;
  }
  EXPECT_EQ(of(items).f64.rounded(), double(expected));
}

namespace {

/// Takes what a window does not hold, digit by digit.
struct digits_of_sum {
  std::int64_t* words;
  void put(u64 size, int at, bool negative) const
  {
    onepass::put_digits(size, at, negative, [&](int which, std::int64_t digit) { words[which] += digit; });
  }
  void add(onepass::split_float x) const { put(x.mantissa, x.exponent - 1, x.negative); }
};

template <class Sum, class Floats>
exact_sum through(Sum sum, Floats const& floats)
{
  std::vector<std::int64_t> words(onepass::sum_digits);
  digits_of_sum const to{words.data()};
  for (auto const x : floats) sum.add(x, to);
  sum.flush(to);
  return exact_sum::of(words.data());
}

}  // namespace

/// Floats near each other, far from each other, and one kind after the other.
TEST(Fingerprint, WindowsLoseNothing)
{
  std::mt19937_64 random(seed);
  std::vector<onepass::split_float> wide, narrow;
  for (int round = 0; round < 8; ++round)
    for (int i = 0; i < 1000; ++i) {
      u64 const bits = random();
      bool const far = round % 2 == 1;
      wide.push_back(onepass::split_f64(far ? bits : (bits & ~(u64(0x7fe) << 52)) | u64(0x3f0 + 20 * round) << 52));
      narrow.push_back(
          onepass::split_f32(far ? u32(bits) : (u32(bits) & ~(0xfeu << 23)) | u32(0x60 + 10 * round) << 23));
    }
  ASSERT_LE(wide.size(), std::size_t(sum_window<2>::most));
  for (auto const* floats : {&wide, &narrow}) {
    std::vector<std::int64_t> words(onepass::sum_digits);
    for (auto const x : *floats)
      if (x.mantissa != 0) digits_of_sum{words.data()}.add(x);
    auto const expected = exact_sum::of(words.data());
    EXPECT_EQ(through(sum_window<2>(), *floats), expected);
    if (floats == &narrow) { EXPECT_EQ(through(sum_window<1>(), *floats), expected); }
  }
}

TEST(Fingerprint, EveryBitCounts)
{
  auto items      = random_items<double>(70);
  auto const once = of(items);
  for (std::size_t bit = 0; bit < items.size() * 64; ++bit) {
    auto word = std::bit_cast<u64>(items[bit / 64]) ^ u64(1) << bit % 64;
    std::swap(reinterpret_cast<u64&>(items[bit / 64]), word);
    auto const other = of(items);
    EXPECT_NE(once.placed(), other.placed()) << bit;
    EXPECT_NE(sum(once, added::words8), sum(other, added::words8)) << bit;
    EXPECT_NE(sum(once, added::words4), sum(other, added::words4)) << bit;
    reinterpret_cast<u64&>(items[bit / 64]) = word;
  }
}

TEST(Fingerprint, ExtremesAndNaNs)
{
  auto const nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  auto const f = of(std::vector<double>{3, nan, -7, -0., inf, nan});
  EXPECT_EQ(sum(f, added::f64_nan), 2);
  EXPECT_EQ(sum(f, added::f64_infinite), 1);
  EXPECT_EQ(f.found.least[int(extreme::f64)], key_of_f64(std::bit_cast<u64>(-7.)));
  EXPECT_EQ(f.found.most[int(extreme::f64)], key_of_f64(std::bit_cast<u64>(inf)));
  EXPECT_EQ(f.found.least[int(extreme::f64_tiny)], std::bit_cast<u64>(3.));
  EXPECT_EQ(f.f64, exact_sum());
  auto const i = of(std::vector<std::int32_t>{5, -9, 2});
  EXPECT_EQ(i.found.least[int(extreme::i32)], key_of_i32(u32(-9)));
  EXPECT_EQ(std::int64_t(sum(i, added::i32_sum)), -2);
}

TEST(Fingerprint, FillingsAreAllTheSame)
{
  for (std::size_t bytes = 0; bytes < 70; ++bytes) {
    std::vector<unsigned char> a(bytes, 0x40), b(bytes, 0xc1);
    EXPECT_EQ(of(a, {0x40404040, true}), of(b, {0xc1c1c1c1, true})) << bytes;
    EXPECT_EQ(sum(of(a, {0x40404040, true}), added::unwritten), bytes / 4);
    if (bytes < 4) continue;
    a[0] = b[0] = 1;
    a[1] = a[2] = a[3] = b[1] = b[2] = b[3] = 0;
    EXPECT_EQ(of(a, {0x40404040, true}), of(b, {0xc1c1c1c1, true})) << bytes;
    EXPECT_EQ(of(a) == of(b), bytes == 4) << bytes;
  }
}

TEST(Fingerprint, ThreadsAgree)
{
  for (std::size_t const n : {0u, 1u, 7u, 8u, 262143u, 262144u, 1048577u, 3000001u}) {
    std::vector<unsigned char> items(n);
    std::mt19937 random(seed);
    for (auto& x : items) x = static_cast<unsigned char>(random());
    EXPECT_EQ(of(items, {}, 1), of(items, {}, 5)) << n;
  }
}

TEST(Fingerprint, DevicesAgreeWithTheHost)
{
  auto const device = cuda_memory();
  if (!device) GTEST_SKIP() << "built without CUDA, or no device is here";
  auto const host = host_memory(2);
  std::vector<Kokkos::View<unsigned char*>> views;
  std::vector<std::vector<unsigned char>> kept;
  std::mt19937_64 random(seed);
  auto const add = [&](void const* items, std::size_t bytes) {
    auto const* const first = static_cast<unsigned char const*>(items);
    auto const& own         = kept.emplace_back(first, first + bytes);
    using unmanaged         = Kokkos::View<unsigned char const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(views.emplace_back("read", bytes), unmanaged(own.data(), bytes));
  };
  for (std::size_t const n : {0u, 1u, 7u, 8u, 4097u, 1048577u, 9000001u}) {
    std::vector<unsigned char> items(n);
    for (auto& x : items) x = static_cast<unsigned char>(random());
    add(items.data(), n);
    std::fill_n(items.begin(), n / 2, static_cast<unsigned char>(0xc1));
    add(items.data(), n);
  }
  auto const doubles = random_items<double>(300000);
  add(doubles.data(), doubles.size() * sizeof(double));
  std::vector<float> floats(300001);
  for (auto& x : floats) x = std::bit_cast<float>(u32(random()));  // NaNs and infinities among them
  add(floats.data(), floats.size() * sizeof(float));
  std::vector<std::int32_t> few(100000);
  for (auto& x : few) x = std::int32_t(random() % 5) - 2;
  add(few.data(), few.size() * sizeof(few[0]));
  Kokkos::fence();
  std::vector<region> there, here;
  for (std::size_t v = 0; v < views.size(); ++v) {
    there.push_back({views[v].data(), views[v].size()});
    here.push_back({kept[v].data(), kept[v].size()});
  }
  for (filling const fill : {filling{}, filling{0xc1c1c1c1, true}}) {
    EXPECT_EQ(device->placed(there, fill), host->placed(here, fill));
    auto const found = device->read(there, fill), expected = host->read(here, fill);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t v = 0; v < found.size(); ++v)
      EXPECT_EQ(found[v], expected[v]) << "View " << v << ", seed " << seed;
  }
}
