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

/// Each device tells all a value, and hears those of all, in their order. Of two calls one after another the words are
/// others: a device that has heard all of a call may begin the next one before others have heard them.
template <class Told>
__global__ void onepass_tell(Told told, const __grid_constant__ places_of_words places)
{
  using said        = descriptor<typename Told::value_type>;
  int const of_call = int(places.call % 2) * places.ranks;
  begin_kernel();
  auto const mine = said::make(places.call, tile_status::inclusive_prefix, told.mine());
  places.each([&](std::uint64_t* to) { words_of_devices::store(to + (of_call + places.rank) * said::words, mine); });
  for (int r = 0; r < places.ranks; ++r) {
    auto const* const from = places.of[places.rank] + (of_call + r) * said::words;
    auto seen              = words_of_devices::load_all<typename Told::value_type>(from);
    while (seen.status(places.call) == tile_status::invalid)
      seen = words_of_devices::load_all<typename Told::value_type>(from);
    told.hear(r, seen.value());
  }
  told.end();
}

template <class Told>
void queue_told(Kokkos::Cuda const& exec, std::string const& label, Told const& told, places_of_words const& places)
{
  launch(exec, label, onepass_tell<Told>, 1, 1, 0, told, places);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
