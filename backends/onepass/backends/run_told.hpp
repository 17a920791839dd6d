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

/// How many words of each device are for values; what else goes through common words lies behind them.
inline constexpr std::size_t words_of_values = 1024;

/// Whether kernels at a place tell each other such values.
template <class Value, place_like Where>
constexpr bool tells_values =
    std::is_same_v<backend_of<Where>, cuda_backend>&& descriptor<Value>::words * 32 <= words_of_values;

/// The most devices that do.
inline constexpr int most_tellers = 16;

/// Queues the kernel of one of several devices, which waits for those of all others: told.mine() is what it tells all,
/// told.hear(r, value) is called for each of them in their order, and told.end() at the end; by one thread.
template <place_like Where, class Told>
  requires tells_values<typename Told::value_type, Where>
void run_told([[maybe_unused]] Where const& where, [[maybe_unused]] Told const& told,
              [[maybe_unused]] std::vector<std::uint64_t*> const& of_rank, [[maybe_unused]] int rank,
              [[maybe_unused]] std::uint32_t call, [[maybe_unused]] char const* label)
{
#ifdef ONEPASS_HAS_CUDA
  auto const here = on(where).or_named(label);
  backends::cuda::queue_told(here.space, here.label, told, {of_rank, rank, call});
#endif
}

}  // namespace onepass::ONEPASS_ABI
