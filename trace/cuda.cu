// SPDX-License-Identifier: Apache-2.0
//
// Views in the memory of a CUDA device, read there by the kernels of cuda_kernels.hpp: only their records come to the
// host.
#include <onepass/trace/cuda_kernels.hpp>
#include <onepass/trace/memory.hpp>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace onepass::trace {

namespace {

void check(cudaError_t e, char const* what)
{
  if (e != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(e));
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
    over(regions, adders_a_processor, sums, [&](unsigned blocks, view_on_device const* views, u64 a_block, u64* to) {
      add_placed<<<blocks, threads, 0, stream_>>>(views, int(regions.size()), a_block, fill, to);
    });
    return sums;
  }

  std::vector<fingerprint> read(std::span<region const> regions, filling const& fill) override
  {
    record_on_device nothing{};
    nothing.found = tally::empty();
    std::vector<record_on_device> records(regions.size(), nothing);
    over(regions, 4 * readers_a_processor, records,
         [&](unsigned blocks, view_on_device const* views, u64 a_block, record_on_device* to) {
           read_all<<<blocks, threads, 0, stream_>>>(views, int(regions.size()), a_block, fill, to);
         });
    std::vector<fingerprint> prints;
    for (auto const& r : records) {
      std::int64_t f64[sum_digits], f32[sum_digits];
      std::copy_n(r.f64, sum_digits, f64);
      std::copy_n(r.f32, sum_digits, f32);
      prints.emplace_back(r.found, f64, f32);
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
  /// Memory that only grows, of the device or of the host, where a device reads it at full speed.
  struct growing {
    cudaError_t (*take)(void**, std::size_t);
    cudaError_t (*give)(void*);
    void* at          = nullptr;
    std::size_t bytes = 0;
    void* of(std::size_t needed)
    {
      if (needed > bytes) {
        check(give(at), "no memory for records");
        at = nullptr, bytes = 0;
        check(take(&at, 2 * needed), "no memory for records");
        bytes = 2 * needed;
      }
      return at;
    }
  };

  /// Calls launch(blocks, views, words of a block, results) over all regions; `results` has one of each region and goes
  /// to the device and back. Kokkos has waited for its kernels; other streams of the program are waited for here.
  template <class Result, class Launch>
  void over(std::span<region const> regions, int blocks_a_processor, std::vector<Result>& results, Launch const& launch)
  {
    if (regions.empty()) return;
    u64 words = 0;
    for (auto const r : regions) words += r.words();
    auto const rounded = [](u64 n, u64 to) { return (n + to - 1) / to; };
    auto const shared  = rounded(words, u64(processors_) * blocks_a_processor * threads);
    auto const a_block = threads * std::clamp<u64>(shared, 1, tally_of_thread::most_words);
    std::vector<view_on_device> views;
    unsigned blocks = 0;
    for (auto const r : regions) {
      views.push_back({static_cast<u64 const*>(r.data), r.words(), blocks, int(r.bytes % 8)});
      blocks += unsigned(std::max<u64>(1, rounded(r.words(), a_block)));
    }
    // Results first, which are copied both ways; the Views behind them.
    auto const bytes = results.size() * sizeof(Result), all = bytes + views.size() * sizeof(view_on_device);
    auto* const device = static_cast<Result*>(device_.of(all));
    auto* const host   = static_cast<Result*>(host_.of(all));
    std::copy(results.begin(), results.end(), host);
    std::copy(views.begin(), views.end(), reinterpret_cast<view_on_device*>(host + results.size()));
    check(cudaDeviceSynchronize(), "the program's kernels failed");
    check(cudaMemcpyAsync(device, host, all, cudaMemcpyHostToDevice, stream_), "a table of Views is not written");
    auto const* const table = reinterpret_cast<view_on_device const*>(device + results.size());
    launch(blocks, table, a_block, device);
    check(cudaGetLastError(), "a View is not read");
    check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_), "records are not read");
    check(cudaStreamSynchronize(stream_), "a View is not read");
    std::copy_n(host, results.size(), results.begin());
  }

  int processors_      = 1;
  cudaStream_t stream_ = nullptr;
  growing device_{cudaMalloc, cudaFree}, host_{cudaMallocHost, cudaFreeHost};
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
