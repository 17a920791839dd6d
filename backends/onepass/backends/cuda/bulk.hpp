// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI::backends::cuda {

// Hopper's asynchronous copies between global and shared memory, and the barriers on which they complete. On older
// devices these functions do nothing, and no kernel for them calls any.

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define ONEPASS_SM90(...) __VA_ARGS__
#else
#define ONEPASS_SM90(...)
#endif

__device__ __forceinline__ std::uint32_t shared_address(void const* p)
{
  return std::uint32_t(__cvta_generic_to_shared(p));
}

/// A barrier in shared memory (an mbarrier) that counts arrivals and bytes.
struct transfer_barrier {
  std::uint64_t state;

  __device__ __forceinline__ void init(int arrivals)
  {
    ONEPASS_SM90(asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&state)), "r"(arrivals));)
  }
  __device__ __forceinline__ void arrive()
  {
    ONEPASS_SM90(asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&state)) : "memory");)
  }
  __device__ __forceinline__ void arrive_and_expect(int bytes)
  {
    ONEPASS_SM90(
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&state)), "r"(bytes)
                     : "memory");)
  }
  /// Waits until the phase with this parity is complete.
  __device__ __forceinline__ void wait(int parity)
  {
    ONEPASS_SM90(std::uint32_t done = 0; while (!done) asm volatile(
                     "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(shared_address(&state)), "r"(parity)
                     : "memory");)
  }
};

/// Makes initialised barriers visible to the copy engine.
__device__ __forceinline__ void fence_barriers()
{
  ONEPASS_SM90(asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");)
}

/// Makes ordinary writes to shared memory visible to the copy engine.
__device__ __forceinline__ void fence_copies()
{
  ONEPASS_SM90(asm volatile("fence.proxy.async.shared::cta;" ::: "memory");)
}

/// Both addresses and the size must be multiples of 16 bytes.
__device__ __forceinline__ void bulk_load(void* to, void const* from, int bytes, transfer_barrier& completes)
{
  ONEPASS_SM90(
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       shared_address(to)),
                   "l"(from), "r"(bytes), "r"(shared_address(&completes.state))
                   : "memory");)
}
__device__ __forceinline__ void bulk_store(void* to, void const* from, int bytes)
{
  ONEPASS_SM90(asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                            "r"(shared_address(from)), "r"(bytes)
                            : "memory");)
}
__device__ __forceinline__ void commit_stores()
{
  ONEPASS_SM90(asm volatile("cp.async.bulk.commit_group;" ::: "memory");)
}

/// Waits until all but the last Pending groups of stores have been read from shared memory.
template <int Pending>
__device__ __forceinline__ void wait_stores_read()
{
  ONEPASS_SM90(asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");)
}

/// A barrier of some warps of the block. Lanes may arrive one by one, since user code may have made them diverge.
template <int Threads>
__device__ __forceinline__ void squad_barrier(int id)
{
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "n"(Threads) : "memory");
}

/// Arrives at such a barrier without waiting for the others.
template <int Threads>
__device__ __forceinline__ void squad_arrive(int id)
{
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "n"(Threads) : "memory");
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
