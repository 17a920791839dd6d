// SPDX-License-Identifier: Apache-2.0 Views in the memory of a CUDA device, read there. Everything that is told of them
// is a sum, a minimum or a maximum, so blocks meet in one record by atomics, and only that record comes to the host.
#include <onepass/trace/memory.hpp>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

namespace onepass::trace {

namespace {

constexpr int threads = 256, blocks_a_processor = 4;

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

/// The bytes behind the last whole word come by value: `last` of `last_halves`, at position `words`; there are none
/// where `tail` is false.
struct stretch_of_words {
  u64 const* at;
  u64 words;
  bool tail;
  u64 last;
  int last_halves;
};

__global__ void add_placed(stretch_of_words r, filling fill, u64* to)
{
  u64 sum         = 0;
  auto const step = u64(gridDim.x) * blockDim.x;
  auto const me   = u64(blockIdx.x) * blockDim.x + threadIdx.x;
  for (u64 i = me; i < r.words; i += step) sum += placed8(fill.hidden(r.at[i]), i);
  if (r.tail && me == 0) sum += placed8(fill.hidden(r.last), r.words);
  sum = of_warp(sum, plus());
  if (threadIdx.x % 32 == 0) atomic_add(to, sum);
}

/// Digits that do not fit a thread's window are added in shared memory.
struct add_shared {
  u64* digits;
  __device__ void operator()(int which, std::int64_t digit) const { atomic_add(digits + which, u64(digit)); }
};

__global__ void __launch_bounds__(threads) read_all(stretch_of_words r, filling fill, record_on_device* to)
{
  __shared__ u64 f64[sum_digits], f32[sum_digits];
  for (int d = int(threadIdx.x); d < sum_digits; d += threads) f64[d] = f32[d] = 0;
  __syncthreads();

  reader<add_shared, add_shared> mine{fill, {f64}, {f32}};
  auto const step = u64(gridDim.x) * blockDim.x;
  auto const me   = u64(blockIdx.x) * blockDim.x + threadIdx.x;
  for (u64 i = me; i < r.words; i += step) mine.word(r.at[i], i);
  if (r.tail && me == 0) mine.word(r.last, r.words, r.last_halves);
  mine.flush();

  bool const first = threadIdx.x % 32 == 0;
#pragma unroll
  for (int a = 0; a < adds; ++a) {
    auto const x = of_warp(mine.found.sum[a], plus());
    if (first && x != 0) atomic_add(to->found.sum + a, x);
  }
#pragma unroll
  for (int e = 0; e < extremes; ++e) {
    auto const least = of_warp(mine.found.least[e], smaller());
    auto const most  = of_warp(mine.found.most[e], larger());
    if (first) atomic_least(to->found.least + e, least);
    if (first) atomic_most(to->found.most + e, most);
  }
  __syncthreads();
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
    check(cudaMalloc(&record_, sizeof *record_), "no memory for a record");
    if (void* const driver = dlopen("libcuda.so.1", RTLD_LAZY))
      range_ = reinterpret_cast<decltype(range_)>(dlsym(driver, "cuMemGetAddressRange_v2"));
  }
  // Streams and memory end with the process: the driver may be gone when Kokkos is finalized.

  u64 placed(region r, filling const& fill) override
  {
    u64 sum = 0;
    begin(&sum, sizeof sum);
    add_placed<<<blocks(r), threads, 0, stream_>>>(words_of(r, fill), fill, &record_->found.sum[0]);
    check(cudaGetLastError(), "a View is not read");
    end(&sum, sizeof sum);
    return sum;
  }

  fingerprint read(region r, filling const& fill) override
  {
    record_on_device all{};
    all.found = tally::empty();
    begin(&all, sizeof all);
    read_all<<<blocks(r), threads, 0, stream_>>>(words_of(r, fill), fill, record_);
    check(cudaGetLastError(), "a View is not read");
    end(&all, sizeof all);
    std::int64_t f64[sum_digits], f32[sum_digits];
    std::copy_n(all.f64, sum_digits, f64);
    std::copy_n(all.f32, sum_digits, f32);
    return {all.found, exact_sum::of(f64), exact_sum::of(f32)};
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
  unsigned blocks(region r) const
  {
    auto const needed = std::max<std::size_t>(1, (r.words() + threads - 1) / threads);
    return unsigned(std::min<std::size_t>(needed, std::size_t(processors_) * blocks_a_processor));
  }
  /// The few bytes at the end that are no word come to the host, and go back by value.
  stretch_of_words words_of(region r, filling const& fill)
  {
    auto const left = r.bytes % 8;
    stretch_of_words s{static_cast<u64 const*>(r.data), r.words(), left > 0, 0, int(left / 4)};
    if (left == 0) return s;
    unsigned char tail[8];
    copy(tail, {static_cast<unsigned char const*>(r.data) + r.bytes - left, left});
    s.last = last_word(tail, left, fill);
    return s;
  }
  /// Kokkos has waited for its kernels; other streams of the program are waited for here.
  void begin(void const* from, std::size_t bytes)
  {
    check(cudaDeviceSynchronize(), "the program's kernels failed");
    check(cudaMemcpyAsync(record_, from, bytes, cudaMemcpyHostToDevice, stream_), "a record is not written");
  }
  void end(void* to, std::size_t bytes)
  {
    check(cudaMemcpyAsync(to, record_, bytes, cudaMemcpyDeviceToHost, stream_), "a record is not read");
    check(cudaStreamSynchronize(stream_), "a View is not read");
  }

  int processors_           = 1;
  cudaStream_t stream_      = nullptr;
  record_on_device* record_ = nullptr;
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
