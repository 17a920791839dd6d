// SPDX-License-Identifier: Apache-2.0
//
// Views in the memory of a CUDA device, read there. Everything that is told of them is a sum, a minimum or a maximum,
// so blocks meet in one record a View by atomics, and only the records come to the host.
#include <onepass/trace/memory.hpp>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

namespace onepass::trace {

namespace {

constexpr int threads = 256, warps = threads / 32, blocks_a_processor = 8, at_once = 4;

/// What all blocks together have read.
struct record_on_device {
  tally found;
  u64 f64[sum_digits], f32[sum_digits];
};

void check(cudaError_t e, char const* what)
{
  if (e != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(e));
}

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

__global__ void __launch_bounds__(threads, blocks_a_processor)
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

/// Digits that do not fit a thread's window are added in shared memory.
struct add_shared {
  u64* digits;
  __device__ void operator()(int which, std::int64_t digit) const { atomic_add(digits + which, u64(digit)); }
};

__global__ void __launch_bounds__(threads)
    read_all(view_on_device const* views, int n, u64 a_block, filling fill, record_on_device* records)
{
  __shared__ u64 f64[sum_digits], f32[sum_digits];
  for (int d = int(threadIdx.x); d < sum_digits; d += threads) f64[d] = f32[d] = 0;
  __syncthreads();

  part_of_view const part(views, n, a_block);
  auto const v = views[part.view];
  reader<add_shared, add_shared> mine{fill, {f64}, {f32}};
  u64 i      = part.begin + threadIdx.x;
  u64 loaded = i < part.end ? v.at[i] : 0;
  while (i < part.end) {
    u64 const x = loaded, at = i;
    i += threads;
    if (i < part.end) loaded = v.at[i];  // on its way while the one before is looked at
    mine.word(x, at);
  }
  if (part.tail) mine.word(v.last(fill), v.words, v.left / 4);
  mine.flush();

  // One atomic a block and number: of one View, blocks meet at the same addresses.
  __shared__ tally of_warps[warps];
  auto& of_mine    = of_warps[threadIdx.x / 32];
  bool const first = threadIdx.x % 32 == 0;
#pragma unroll
  for (int a = 0; a < adds; ++a) {
    auto const x = of_warp(mine.found.sum[a], plus());
    if (first) of_mine.sum[a] = x;
  }
#pragma unroll
  for (int e = 0; e < extremes; ++e) {
    auto const least = of_warp(mine.found.least[e], smaller());
    auto const most  = of_warp(mine.found.most[e], larger());
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
    if (f64[d] != 0) atomic_add(to->f64 + d, f64[d]);
    if (f32[d] != 0) atomic_add(to->f32 + d, f32[d]);
  }
}

class cuda final : public memory {
public:
  cuda()
  {
    int device = 0;
    check(cudaGetDevice(&device), "no device");
    check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device), "no device");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "no stream");
    if (void* const driver = dlopen("libcuda.so.1", RTLD_LAZY))
      range_ = reinterpret_cast<decltype(range_)>(dlsym(driver, "cuMemGetAddressRange_v2"));
  }
  // Streams and memory end with the process: the driver may be gone when Kokkos is finalized.

  std::vector<u64> placed(std::span<region const> regions, filling const& fill) override
  {
    std::vector<u64> sums(regions.size());
    over(regions, sums, [&](unsigned blocks, view_on_device const* views, u64 a_block, u64* to) {
      add_placed<<<blocks, threads, 0, stream_>>>(views, int(regions.size()), a_block, fill, to);
    });
    return sums;
  }

  std::vector<fingerprint> read(std::span<region const> regions, filling const& fill) override
  {
    record_on_device nothing{};
    nothing.found = tally::empty();
    std::vector<record_on_device> records(regions.size(), nothing);
    over(regions, records, [&](unsigned blocks, view_on_device const* views, u64 a_block, record_on_device* to) {
      read_all<<<blocks, threads, 0, stream_>>>(views, int(regions.size()), a_block, fill, to);
    });
    std::vector<fingerprint> prints;
    for (auto const& r : records) {
      std::int64_t f64[sum_digits], f32[sum_digits];
      std::copy_n(r.f64, sum_digits, f64);
      std::copy_n(r.f32, sum_digits, f32);
      prints.push_back({r.found, exact_sum::of(f64), exact_sum::of(f32)});
    }
    return prints;
  }

  void fill(void* to, unsigned char byte, std::size_t bytes) override
  {
    check(cudaMemsetAsync(to, byte, bytes, stream_), "a View is not filled");
    check(cudaStreamSynchronize(stream_), "a View is not filled");
  }

  void copy(void* to, region from) override
  {
    if (from.bytes == 0) return;
    check(cudaMemcpyAsync(to, from.data, from.bytes, cudaMemcpyDefault, stream_), "a View is not copied");
    check(cudaStreamSynchronize(stream_), "a View is not copied");
  }

  std::size_t room(void const* at) const override
  {
    unsigned long long base = 0;
    std::size_t bytes       = 0;
    auto const here         = reinterpret_cast<unsigned long long>(at);
    if (!range_ || range_(&base, &bytes, here) != 0 || here < base) return 0;
    return std::size_t(base + bytes - here);
  }

private:
  /// Memory of the device that only grows.
  struct room_on_device {
    void* at          = nullptr;
    std::size_t bytes = 0;
    void* of(std::size_t needed)
    {
      if (needed > bytes) {
        check(cudaFree(at), "no memory for records");
        at = nullptr, bytes = 0;
        check(cudaMalloc(&at, 2 * needed), "no memory for records");
        bytes = 2 * needed;
      }
      return at;
    }
  };

  /// Calls launch(blocks, views, words of a block, results) over all regions; `results` has one of each region and goes
  /// to the device and back. Kokkos has waited for its kernels; other streams of the program are waited for here.
  template <class Result, class Launch>
  void over(std::span<region const> regions, std::vector<Result>& results, Launch const& launch)
  {
    if (regions.empty()) return;
    u64 words = 0;
    for (auto const r : regions) words += r.words();
    auto const rounded = [](u64 n, u64 to) { return (n + to - 1) / to; };
    auto const a_block = threads * std::max<u64>(1, rounded(words, u64(processors_) * blocks_a_processor * threads));
    std::vector<view_on_device> views;
    unsigned blocks = 0;
    for (auto const r : regions) {
      views.push_back({static_cast<u64 const*>(r.data), r.words(), blocks, int(r.bytes % 8)});
      blocks += unsigned(std::max<u64>(1, rounded(r.words(), a_block)));
    }
    auto const bytes   = results.size() * sizeof(Result);
    auto* const table  = static_cast<view_on_device*>(table_.of(views.size() * sizeof(view_on_device)));
    auto* const device = static_cast<Result*>(results_.of(bytes));
    check(cudaDeviceSynchronize(), "the program's kernels failed");
    check(cudaMemcpyAsync(table, views.data(), views.size() * sizeof(view_on_device), cudaMemcpyHostToDevice, stream_),
          "a table of Views is not written");
    check(cudaMemcpyAsync(device, results.data(), bytes, cudaMemcpyHostToDevice, stream_), "records are not written");
    launch(blocks, table, a_block, device);
    check(cudaGetLastError(), "a View is not read");
    check(cudaMemcpyAsync(results.data(), device, bytes, cudaMemcpyDeviceToHost, stream_), "records are not read");
    check(cudaStreamSynchronize(stream_), "a View is not read");
  }

  int processors_      = 1;
  cudaStream_t stream_ = nullptr;
  room_on_device table_, results_;
  int (*range_)(unsigned long long*, std::size_t*, unsigned long long) = nullptr;  // of the driver
};

}  // namespace

std::unique_ptr<memory> cuda_memory()
{
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return nullptr;
  return std::make_unique<cuda>();
}

}  // namespace onepass::trace
