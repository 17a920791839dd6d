// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/engine/descriptor.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Words that several devices read and write: relaxed accesses at the scope of all of them, as shared_words are at that
/// of one.
struct words_of_devices {
  __device__ static std::uint64_t load(std::uint64_t const* p)
  {
    std::uint64_t w;
    asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
    return w;
  }
  __device__ static void store(std::uint64_t* p, std::uint64_t w)
  {
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p), "l"(w) : "memory");
  }
  template <class Value>
  __device__ static void store(std::uint64_t* to, descriptor<Value> const& all)
  {
    for (int w = 0; w < descriptor<Value>::words; ++w) store(to + w, all.word[w]);
  }
  template <class Value>
  __device__ static descriptor<Value> load_all(std::uint64_t const* from)
  {
    descriptor<Value> seen;
    for (int w = 0; w < descriptor<Value>::words; ++w) seen.word[w] = load(from + w);
    return seen;
  }
};

/// Where the words of each device are, and which of them is this one.
struct places_of_words {
  static constexpr int most_ranks = 16;

  std::uint64_t* of[most_ranks];
  int ranks, rank;
  std::uint32_t call;  ///< by which words of this call are known

  places_of_words(std::vector<std::uint64_t*> const& all, int own, std::uint32_t number)
      : of{}
      , ranks(int(all.size()))
      , rank(own)
      , call(number)
  {
    std::copy(all.begin(), all.end(), of);
  }

  /// f(words) for those of each device, of the others first, which are further away.
  template <class F>
  __device__ void each(F const& f) const
  {
    for (int k = 1; k <= ranks; ++k) f(of[rank + k < ranks ? rank + k : rank + k - ranks]);
  }
};

inline constexpr int threads_of_told = 256;

/// Each device tells all some values, a thread each, and hears those of all, in their order. Calls that follow one
/// another have words of their own, of which there are two kinds: a device that has heard all of a call may begin the
/// next one before others have heard them, but no further one.
template <class Told>
__global__ void __launch_bounds__(threads_of_told)
    onepass_tell(Told told, int number, extent words, const __grid_constant__ places_of_words places)
{
  using value = typename Told::value_type;
  using said  = descriptor<value>;
  int const i = int(threadIdx.x);
  begin_kernel();
  if (i >= number) return;
  auto const at   = [&](int r) { return places.call % 2 * words + (extent(r) * number + i) * said::words; };
  auto const mine = said::make(places.call, tile_status::inclusive_prefix, told.mine(i));
  places.each([&](std::uint64_t* to) { words_of_devices::store(to + at(places.rank), mine); });
  for (int r = 0; r < places.ranks; ++r) {
    auto const* const from = places.of[places.rank] + at(r);
    auto seen              = words_of_devices::load_all<value>(from);
    while (seen.status(places.call) == tile_status::invalid) seen = words_of_devices::load_all<value>(from);
    told.hear(i, r, seen.value());
  }
  told.end(i);
}

/// `words`: how many of each device there are for a call.
template <class Told>
void queue_told(Kokkos::Cuda const& exec, std::string const& label, Told const& told, int number, extent words,
                places_of_words const& places)
{
  launch(exec, label, onepass_tell<Told>, 1, threads_of_told, 0, told, number, words, places);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
