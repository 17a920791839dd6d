// SPDX-License-Identifier: Apache-2.0
//
// Kernels that read Views in the memory of a CUDA device. Everything that is told of them is a sum, a minimum or a
// maximum, so blocks meet in one record a View by atomics. For cuda.cu alone.
#pragma once
#include <onepass/trace/memory.hpp>

#include <cuda_runtime.h>

namespace onepass::trace {

namespace {

constexpr int threads = 256, warps = threads / 32, adders_a_processor = 8, readers_a_processor = 3, at_once = 4;

/// What all blocks together have read.
struct record_on_device {
  tally found;
  u64 f64[sum_digits], f32[sum_digits];
};

__device__ void atomic_add(u64* to, u64 x)
{
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
}
__device__ void atomic_least(u64* to, u64 x)
{
  atomicMin(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
}
__device__ void atomic_most(u64* to, u64 x)
{
  atomicMax(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(x));
}

struct plus {
  __device__ u64 operator()(u64 a, u64 b) const { return a + b; }
};
struct smaller {
  __device__ u64 operator()(u64 a, u64 b) const { return b < a ? b : a; }
};
struct larger {
  __device__ u64 operator()(u64 a, u64 b) const { return b > a ? b : a; }
};

/// All values of a warp combined, in its lane 0.
template <class Op>
__device__ u64 of_warp(u64 x, Op const& op)
{
  for (int step = 16; step > 0; step /= 2)
    x = op(x, static_cast<u64>(__shfl_down_sync(~0u, static_cast<unsigned long long>(x), unsigned(step))));
  return x;
}

/// A View as blocks read it: whole words, then bytes that are none. Its blocks begin with that number.
struct view_on_device {
  u64 const* at;
  u64 words;
  unsigned first_block;
  int left;

  __device__ u64 last(filling fill) const
  {
    return last_word(reinterpret_cast<unsigned char const*>(at + words), left, fill);
  }
};

/// The words that one block reads, `a_block` of them or those that are left.
struct part_of_view {
  int view;
  u64 begin, end;
  bool tail;  ///< this thread reads what is behind the last word

  __device__ part_of_view(view_on_device const* views, int n, u64 a_block)
      : view(0)
  {
    for (int behind = n; behind - view > 1;) {
      int const middle = view + (behind - view) / 2;
      if (views[middle].first_block <= blockIdx.x) view = middle;
      else behind = middle;
    }
    auto const& v = views[view];
    begin         = (blockIdx.x - v.first_block) * a_block;
    end           = begin + a_block < v.words ? begin + a_block : v.words;
    tail          = v.left > 0 && blockIdx.x == v.first_block && threadIdx.x == 0;
  }
};

__global__ void __launch_bounds__(threads, adders_a_processor)
    add_placed(view_on_device const* views, int n, u64 a_block, filling fill, u64* to)
{
  part_of_view const mine(views, n, a_block);
  auto const v = views[mine.view];
  u64 sum      = 0;
  u64 i        = mine.begin + threadIdx.x;
  for (; i + (at_once - 1) * threads < mine.end; i += at_once * threads) {  // loads that do not wait for each other
    u64 x[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) x[k] = v.at[i + u64(k * threads)];
#pragma unroll
    for (int k = 0; k < at_once; ++k) sum += placed8(fill.hidden(x[k]), i + u64(k * threads));
  }
  for (; i < mine.end; i += threads) sum += placed8(fill.hidden(v.at[i]), i);
  if (mine.tail) sum += placed8(fill.hidden(v.last(fill)), v.words);
  sum = of_warp(sum, plus());
  if (threadIdx.x % 32 == 0) atomic_add(to + mine.view, sum);
}

/// A tally in the registers of a thread, which reads at most `most_words`: small numbers and keys of 32 bits take one.
struct tally_of_thread {
  u32 few[adds], least4[extremes], most4[extremes];
  u64 sum[adds], least8[extremes], most8[extremes];

  static constexpr u64 most_words = 1 << 12;

  __device__ static tally_of_thread empty()
  {
    tally_of_thread t{};
    for (int e = 0; e < extremes; ++e) t.least4[e] = ~0u, t.least8[e] = ~u64(0);
    return t;
  }
  __device__ void add(added what, u64 x)
  {
    if (is_small(what)) few[int(what)] += u32(x);
    else sum[int(what)] += x;
  }
  __device__ void meet_least(extreme what, u32 key, bool counts = true)
  {
    least4[int(what)] = min(least4[int(what)], counts ? key : ~0u);
  }
  __device__ void meet_least(extreme what, u64 key, bool counts = true)
  {
    least8[int(what)] = smaller()(least8[int(what)], counts ? key : ~u64(0));
  }
  __device__ void meet(extreme what, u32 key)
  {
    most4[int(what)] = max(most4[int(what)], key);
    meet_least(what, key);
  }
  __device__ void meet(extreme what, u64 key)
  {
    most8[int(what)] = larger()(most8[int(what)], key);
    meet_least(what, key);
  }
  __device__ u64 total(int what) const { return is_small(added(what)) ? few[what] : sum[what]; }
  __device__ u64 least(int what) const
  {
    bool const wide = least4[what] == ~0u && most4[what] == 0;  // or nothing was met
    return wide ? least8[what] : least4[what];
  }
  __device__ u64 most(int what) const { return most8[what] > most4[what] ? most8[what] : most4[what]; }
};

/// Sums of floats of one block, where its threads' windows do not hold them. Memory that is shared adds 32 bits at
/// once, so digits are halves of 16 bits and mantissas of f32 are two of 12. A word of a thread is added to each at
/// most twice, and 2^15 times nothing overflows: carries move each time threads have read so many words.
struct sums_of_block {
  static constexpr int exponents = 256, halves = 2 * sum_digits;
  static constexpr u32 words_a_carry = 32;

  int f64_halves[halves], f32_halves[halves], mantissas[2 * exponents];
  u64 f64[sum_digits], f32[sum_digits], of_exponent[exponents];
  bool nan_f64, nan_f32;  ///< there are: no sums are made any more

  __device__ void clear()
  {
    for (int i = int(threadIdx.x); i < halves; i += threads) f64_halves[i] = f32_halves[i] = 0;
    for (int i = int(threadIdx.x); i < 2 * exponents; i += threads) mantissas[i] = 0;
    for (int i = int(threadIdx.x); i < sum_digits; i += threads) f64[i] = f32[i] = 0;
    for (int i = int(threadIdx.x); i < exponents; i += threads) of_exponent[i] = 0;
    nan_f64 = nan_f32 = false;
    __syncthreads();
  }
  __device__ void carry()
  {
    __syncthreads();
    for (int d = int(threadIdx.x); d < sum_digits; d += threads) {
      f64[d] += moved(f64_halves + 2 * d, 1 << 16);
      f32[d] += moved(f32_halves + 2 * d, 1 << 16);
    }
    for (int e = int(threadIdx.x); e < exponents; e += threads) of_exponent[e] += moved(mantissas + 2 * e, 1 << 12);
    __syncthreads();
  }
  /// All of f32 as digits.
  __device__ void finish()
  {
    carry();
    for (int e = int(threadIdx.x); e < exponents; e += threads)
      if (auto const sum = std::int64_t(of_exponent[e]); sum != 0)
        put(f32_halves, u64(sum < 0 ? -sum : sum), lowest_f32 + e - 1, sum < 0);
    carry();
  }

  struct digits {
    int* halves;
    __device__ void put(u64 size, int at, bool negative) const { sums_of_block::put(halves, size, at, negative); }
  };
  struct sink_f64 : digits {
    __device__ void add(split_float x) const { put(x.mantissa, x.exponent - 1, x.negative); }
  };
  struct sink_f32 : digits {
    int* mantissas;
    __device__ void add(split_float x) const
    {
      int* const to = mantissas + 2 * (x.exponent - lowest_f32);
      int const low = int(x.mantissa) & 0xfff, high = int(x.mantissa >> 12);
      atomicAdd(to, x.negative ? -low : low);
      atomicAdd(to + 1, x.negative ? -high : high);
    }
  };
  __device__ sink_f64 wide() { return {f64_halves}; }
  __device__ sink_f32 narrow() { return {f32_halves, mantissas}; }

private:
  static constexpr int lowest_f32 = split_f32(1).exponent;

  __device__ static u64 moved(int* parts, int weight)
  {
    auto const x = parts[0] + std::int64_t(parts[1]) * weight;
    parts[0] = parts[1] = 0;
    return u64(x);
  }
  struct add_halves {  // for the host too, as put_digits() is, which never calls it there
    int* to;
    __host__ __device__ void operator()(int which, std::int64_t digit) const
    {
#ifdef __CUDA_ARCH__
      int const low = int(digit & 0xffff), high = int(digit >> 16);
      if (low != 0) atomicAdd(to + 2 * which, low);
      if (high != 0) atomicAdd(to + 2 * which + 1, high);
#endif
    }
  };
  __device__ static void put(int* to, u64 size, int at, bool negative)
  {
    put_digits(size, at, negative, add_halves{to});
  }
};

__global__ void __launch_bounds__(threads, readers_a_processor)
    read_all(view_on_device const* views, int n, u64 a_block, filling fill, record_on_device* records)
{
  __shared__ sums_of_block sums;
  sums.clear();
  part_of_view const part(views, n, a_block);
  auto const v = views[part.view];
  reader<tally_of_thread, sums_of_block::sink_f64, sums_of_block::sink_f32, sum_window<2>, windows_of_halves> mine{
      fill, sums.wide(), sums.narrow()};
  u64 const* const words = v.at + part.begin;
  u32 const count        = u32(part.end - part.begin);  // of a block: few enough
  u32 i                  = threadIdx.x;
  u64 loaded             = i < count ? words[i] : 0;
  for (u32 stop = 0; stop < count;) {
    stop = min(stop + threads * sums_of_block::words_a_carry, count);
    while (i < stop) {
      u64 const x = loaded, at = part.begin + i;
      i += threads;
      if (i < count) loaded = words[i];  // on its way while the one before is looked at
      mine.word(x, at);
    }
    if (mine.found.total(int(added::f64_nan)) != 0) sums.nan_f64 = true;
    if (mine.found.total(int(added::f32_nan)) != 0) sums.nan_f32 = true;
    sums.carry();
    mine.adds_f64 = !sums.nan_f64;
    mine.adds_f32 = !sums.nan_f32;
  }
  if (part.tail) mine.word(v.last(fill), v.words, v.left / 4);
  mine.flush();
  sums.finish();

  // One atomic a block and number: of one View, blocks meet at the same addresses.
  __shared__ tally of_warps[warps];
  auto& of_mine    = of_warps[threadIdx.x / 32];
  bool const first = threadIdx.x % 32 == 0;
#pragma unroll
  for (int a = 0; a < adds; ++a) {
    auto const x = of_warp(mine.found.total(a), plus());
    if (first) of_mine.sum[a] = x;
  }
#pragma unroll
  for (int e = 0; e < extremes; ++e) {
    auto const least = of_warp(mine.found.least(e), smaller());
    auto const most  = of_warp(mine.found.most(e), larger());
    if (first) of_mine.least[e] = least, of_mine.most[e] = most;
  }
  __syncthreads();
  auto* const to   = records + part.view;
  int const number = int(threadIdx.x);
  if (number < adds) {
    u64 x = 0;
    for (auto const& w : of_warps) x += w.sum[number];
    if (x != 0) atomic_add(to->found.sum + number, x);
  }
  if (number < extremes) {
    u64 least = of_warps[0].least[number], most = of_warps[0].most[number];
    for (auto const& w : of_warps) least = smaller()(least, w.least[number]), most = larger()(most, w.most[number]);
    // What is there already only gets more extreme.
    if (least < *const_cast<u64 const volatile*>(to->found.least + number))
      atomic_least(to->found.least + number, least);
    if (most > *const_cast<u64 const volatile*>(to->found.most + number)) atomic_most(to->found.most + number, most);
  }
  // Words of digits are signed and wrap as unsigned ones do; each block's part is far below 2^63.
  for (int d = int(threadIdx.x); d < sum_digits; d += threads) {
    if (sums.f64[d] != 0) atomic_add(to->f64 + d, sums.f64[d]);
    if (sums.f32[d] != 0) atomic_add(to->f32 + d, sums.f32[d]);
  }
}

}  // namespace

}  // namespace onepass::trace
