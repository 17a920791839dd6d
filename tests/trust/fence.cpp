// SPDX-License-Identifier: Apache-2.0
// An electric fence for device memory. Preloaded, it serves a program's cudaMalloc: each buffer ends at the end of a
// mapped page, the next page is never mapped, and no address is used twice. So a kernel that reads or writes beyond a
// buffer, or one that was freed, is stopped by the device. New memory holds poison.
// usage: ONEPASS_FENCE=<alignment> LD_PRELOAD=libonepass_fence.so PROGRAM    (of a buffer's address: 1, 16, ...)
// Programs must use the shared CUDA runtime. tests/trust/fence.py runs the tests in this way.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

namespace {

constexpr unsigned char poison = 0xcb;

/// What the runtime itself would do.
template <class Function>
Function* behind_us(char const* name)
{
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool works(CUresult result)
{
  if (result != CUDA_SUCCESS) std::fprintf(stderr, "fence: the driver says %d\n", int(result));
  return result == CUDA_SUCCESS;
}

class fence {
public:
  cudaError_t allocate(void** where, std::size_t bytes)
  {
    *where = nullptr;
    if (bytes == 0) return cudaSuccess;
    std::lock_guard const one_at_a_time(lock_);
    if (!begin()) return cudaErrorInitializationError;
    room r;
    r.bytes = (bytes + page_ - 1) / page_ * page_;
    if (!works(cuMemCreate(&r.memory, r.bytes, &kind_, 0))) return cudaErrorMemoryAllocation;
    CUmemAccessDesc const access{kind_.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    bool const ready = works(cuMemAddressReserve(&r.begin, r.bytes + page_, page_, 0, 0))
                       && works(cuMemMap(r.begin, r.bytes, 0, r.memory, 0))
                       && works(cuMemSetAccess(r.begin, r.bytes, &access, 1))
                       && works(cuMemsetD8(r.begin, poison, r.bytes)) && works(cuStreamSynchronize(nullptr));
    if (!ready) return cudaErrorMemoryAllocation;
    auto const at = r.begin + r.bytes - (bytes + alignment_ - 1) / alignment_ * alignment_;
    *where        = reinterpret_cast<void*>(at);
    rooms_[at]    = r;
    ++served_;
    return cudaSuccess;
  }

  /// False if the memory is none of the fence's. Waits for the device as cudaFree does; addresses stay reserved.
  bool release(void* p, cudaError_t& result)
  {
    std::lock_guard const one_at_a_time(lock_);
    auto const found = rooms_.find(reinterpret_cast<CUdeviceptr>(p));
    if (found == rooms_.end()) return false;
    auto const r = found->second;
    rooms_.erase(found);
    result = cudaDeviceSynchronize();
    if (result != cudaSuccess) return true;
    if (!works(cuMemUnmap(r.begin, r.bytes)) || !works(cuMemRelease(r.memory))) result = cudaErrorUnknown;
    return true;
  }

  void report() const { std::fprintf(stderr, "fence: %zu buffers of alignment %zu\n", served_, alignment_); }

private:
  struct room {
    CUmemGenericAllocationHandle memory{};
    CUdeviceptr begin{};
    std::size_t bytes = 0;
  };

  bool begin()
  {
    if (page_ > 0) return true;
    int device           = 0;
    char const* const to = std::getenv("ONEPASS_FENCE");
    if (to && std::atoll(to) > 1) alignment_ = std::size_t(std::atoll(to));
    if (behind_us<cudaError_t(void*)>("cudaFree")(nullptr) != cudaSuccess) return false;  // makes the context
    if (cudaGetDevice(&device) != cudaSuccess) return false;
    kind_.type          = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind_.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    kind_.location.id   = device;
    return works(cuMemGetAllocationGranularity(&page_, &kind_, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  }

  std::mutex lock_;
  CUmemAllocationProp kind_{};
  std::size_t page_ = 0, alignment_ = 1, served_ = 0;
  std::map<CUdeviceptr, room> rooms_;
};

/// Never destroyed, since a program's own static objects may free memory after it.
fence& the_fence()
{
  static fence& f = []() -> fence& {
    std::atexit([] { the_fence().report(); });
    return *new fence;
  }();
  return f;
}

}  // namespace

// In place of the runtime's functions; by these names, since nvcc defines those of the runtime itself in each source.
extern "C" {

cudaError_t fenced_malloc(void** where, size_t bytes) __asm__("cudaMalloc");
cudaError_t fenced_malloc_async(void** where, size_t bytes, cudaStream_t stream) __asm__("cudaMallocAsync");
cudaError_t fenced_free(void* p) __asm__("cudaFree");
cudaError_t fenced_free_async(void* p, cudaStream_t stream) __asm__("cudaFreeAsync");

cudaError_t fenced_malloc(void** where, size_t bytes) { return the_fence().allocate(where, bytes); }

cudaError_t fenced_malloc_async(void** where, size_t bytes, cudaStream_t) { return the_fence().allocate(where, bytes); }

cudaError_t fenced_free(void* p)
{
  cudaError_t result{};
  return the_fence().release(p, result) ? result : behind_us<cudaError_t(void*)>("cudaFree")(p);
}

cudaError_t fenced_free_async(void* p, cudaStream_t stream)
{
  cudaError_t result{};
  if (the_fence().release(p, result)) return result;
  return behind_us<cudaError_t(void*, cudaStream_t)>("cudaFreeAsync")(p, stream);
}

}  // extern "C"
