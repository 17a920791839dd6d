// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>
#include <onepass/engine/descriptor.hpp>

#include <cstdint>
#include <vector>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/words_of_devices.hpp>
#endif

namespace onepass::ONEPASS_ABI {

// Values that kernels of several devices tell each other, through words that all of them write.

/// How many words of each device are for values, for two calls; what else goes through common words lies behind them.
inline constexpr std::size_t words_of_values = std::size_t(1) << 14;

/// Whether kernels at a place tell each other values, at most `most_values` on each of `most_tellers`.
template <place_like Where>
constexpr bool tells_values       = std::is_same_v<backend_of<Where>, cuda_backend>;
inline constexpr int most_tellers = 16, most_values = 256;

/// Whether there are words for so many values of each of so many devices.
template <class Value>
constexpr bool fit_words(extent values, int devices)
{
  return devices <= most_tellers && values <= most_values
         && std::size_t(values) * std::size_t(devices) * descriptor<Value>::words * 2 <= words_of_values;
}

/// Queues the kernel of one of several devices, which waits for those of all others: of value i, below `number`,
/// told.mine(i) is what it tells all, told.hear(i, r, value) is called for each of them in their order, and told.end(i)
/// at the end; by one thread, which has a copy of `told`.
template <place_like Where, class Told>
  requires tells_values<Where>
void run_told([[maybe_unused]] Where const& where, [[maybe_unused]] Told const& told, [[maybe_unused]] extent number,
              [[maybe_unused]] std::vector<std::uint64_t*> const& of_rank, [[maybe_unused]] int rank,
              [[maybe_unused]] std::uint32_t call, [[maybe_unused]] char const* label)
{
#ifdef ONEPASS_HAS_CUDA
  static_assert(most_tellers <= backends::cuda::places_of_words::most_ranks
                && most_values <= backends::cuda::threads_of_told);
  auto const here = on(where).or_named(label);
  backends::cuda::queue_told(here.space, here.label, told, int(number), extent(words_of_values / 2),
                             {of_rank, rank, call});
#endif
}

}  // namespace onepass::ONEPASS_ABI
