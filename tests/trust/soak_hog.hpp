// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

// What onepass_soak needs of a device itself: a kernel that takes multiprocessors, graphs, and events between
// instances; and what stands for them on host threads, whose calls are done when they return.
namespace trust {

#ifdef KOKKOS_ENABLE_CUDA

inline constexpr bool on_device = true;

inline void must(cudaError_t error)
{
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "soak: %s\n", cudaGetErrorString(error));
  std::abort();
}

/// Blocks that fill a multiprocessor each, until somebody says stop. `begun` is memory of the host; `stop`, which all
/// of them read again and again, is the device's.
__global__ void __launch_bounds__(1024) take_multiprocessors(int* begun, int volatile* stop)
{
  if (threadIdx.x == 0) {
    atomicAdd_system(begun, 1);
    while (*stop == 0) __nanosleep(1000);
  }
  __syncthreads();
}

class hog {
public:
  hog()
  {
    must(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, 0));
    must(cudaDeviceGetAttribute(&shared_, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    must(cudaFuncSetAttribute(take_multiprocessors, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_));
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking));
    must(cudaHostAlloc(&begun_, 2 * sizeof(int), cudaHostAllocMapped));
    must(cudaHostGetDevicePointer(&seen_, begun_, 0));
    must(cudaMalloc(&stop_, sizeof(int)));
    take(1);  // loads it
    give_back();
  }
  ~hog()
  {
    cudaFree(stop_);
    cudaFreeHost(begun_);
    cudaStreamDestroy(beside_);
    cudaStreamDestroy(stream_);
  }
  hog(hog const&) = delete;

  int most() const { return multiprocessors_ - 1; }
  void take(int blocks)
  {
    say(0);
    int volatile* const begun = begun_;
    *begun                    = 0;
    if (blocks > 0) take_multiprocessors<<<blocks, 1024, shared_, stream_>>>(seen_, stop_);
    must(cudaGetLastError());
    while (*begun < blocks) std::this_thread::yield();
  }
  void give_back()
  {
    say(1);
    must(cudaStreamSynchronize(stream_));
  }

private:
  /// By a copy, which needs no multiprocessor.
  void say(int stop)
  {
    begun_[1] = stop;
    must(cudaMemcpyAsync(stop_, begun_ + 1, sizeof(int), cudaMemcpyHostToDevice, beside_));
    must(cudaStreamSynchronize(beside_));
  }

  int multiprocessors_ = 0, shared_ = 0;
  int *begun_ = nullptr, *seen_ = nullptr, *stop_ = nullptr;
  cudaStream_t stream_{}, beside_{};
};

/// What `queue(k)` queues on each of the first instances, as graphs.
class replays {
public:
  template <class Queue>
  replays(std::vector<Kokkos::Cuda> const& instances, int count, Queue const& queue)
      : instances_(instances)
      , made_(std::size_t(count))
  {
    for (int k = 0; k < count; ++k) {
      auto const stream = instances[std::size_t(k)].cuda_stream();
      cudaGraph_t captured;
      must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      queue(k);
      must(cudaStreamEndCapture(stream, &captured));
      must(cudaGraphInstantiateWithFlags(&made_[std::size_t(k)], captured, 0));
      must(cudaGraphDestroy(captured));
    }
  }
  ~replays()
  {
    for (auto* const g : made_) cudaGraphExecDestroy(g);
  }
  replays(replays const&) = delete;
  void go(int k) { must(cudaGraphLaunch(made_[std::size_t(k)], instances_[std::size_t(k)].cuda_stream())); }

private:
  std::vector<Kokkos::Cuda> const& instances_;
  std::vector<cudaGraphExec_t> made_;
};

/// What is handed from instance to instance, one after another.
class handed_over {
public:
  explicit handed_over(std::vector<Kokkos::Cuda> const& instances)
      : instances_(instances)
  {
    must(cudaEventCreateWithFlags(&free_, cudaEventDisableTiming));
  }
  ~handed_over() { cudaEventDestroy(free_); }
  handed_over(handed_over const&) = delete;
  void wait(int k) { must(cudaStreamWaitEvent(instances_[std::size_t(k)].cuda_stream(), free_, 0)); }
  void pass_on(int k) { must(cudaEventRecord(free_, instances_[std::size_t(k)].cuda_stream())); }

private:
  std::vector<Kokkos::Cuda> const& instances_;
  cudaEvent_t free_{};
};

#else

inline constexpr bool on_device = false;

class hog {
public:
  ~hog() { give_back(); }
  int most() const { return int(std::thread::hardware_concurrency()); }
  void take(int threads)
  {
    stop_ = false;
    for (int t = 0; t < threads; ++t)
      all_.emplace_back([this] {
        while (!stop_) {}
      });
  }
  void give_back()
  {
    stop_ = true;
    for (auto& t : all_) t.join();
    all_.clear();
  }

private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> all_;
};

template <class Queue>
class replays {
public:
  template <class Instances>
  replays(Instances const&, int, Queue const& queue)
      : queue_(queue)
  {}
  void go(int k) { queue_(k); }

private:
  Queue queue_;
};
template <class Instances, class Queue>
replays(Instances const&, int, Queue const&) -> replays<Queue>;

struct handed_over {
  template <class Instances>
  explicit handed_over(Instances const&)
  {}
  void wait(int) {}
  void pass_on(int) {}
};

#endif

}  // namespace trust
