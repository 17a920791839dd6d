// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>

#include <cstdint>
#include <vector>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/dealt.hpp>
#endif

namespace onepass::ONEPASS_ABI {

// One pass of an item program over the items of several devices, which are dealt: runs of items go round the devices,
// and each has its own one behind another. A device's kernel takes the tiles of its own items, and tells all devices
// what they are.

/// What a rank has to know of the others.
struct dealt_to {
  std::vector<std::uint64_t*> const& of_rank;  ///< words of each rank, which all write
  std::uint32_t call;                          ///< a number by which words of this call are known
  int rank;
  extent run;  ///< items of a run
};

/// How many items a tile of such a program has at a place; 0 where its backend makes none in this way.
template <class Program, place_like Where>
constexpr extent dealt_tile()
{
#ifdef ONEPASS_HAS_CUDA
  if constexpr (std::is_same_v<backend_of<Where>, cuda_backend>)
    return backends::cuda::dealt_tile<Program, tuning_of<Where>>();
  else return 0;
#else
  return 0;
#endif
}

/// All devices together have fewer tiles than this.
inline constexpr extent most_dealt_tiles = (extent(1) << 31) - 1;

/// How many words each rank needs for n items of all ranks.
template <class Program, place_like Where>
constexpr std::size_t dealt_words(extent n)
{
  constexpr auto words = std::size_t(descriptor<inside_of<Program>>::words);
  return std::size_t(div_up(n, std::max<extent>(dealt_tile<Program, Where>(), 1))) * words;
}

/// Whether a place takes part in it with these items, dealt in runs of so many to so many ranks.
template <place_like Where, class Program>
bool takes_dealt([[maybe_unused]] Where const& where, [[maybe_unused]] Program const& program,
                 [[maybe_unused]] extent run, [[maybe_unused]] int ranks)
{
#ifdef ONEPASS_HAS_CUDA
  if constexpr (dealt_tile<Program, Where>() > 0) return backends::cuda::takes_dealt(where, program, run, ranks);
#endif
  return false;
}

/// Finds what memory a rank's part takes of the place's workspace, which it has.
template <place_like Where>
void reserve_dealt([[maybe_unused]] Where const& where)
{
#ifdef ONEPASS_HAS_CUDA
  if constexpr (std::is_same_v<backend_of<Where>, cuda_backend>) backends::cuda::reserve_dealt(*where.scratch);
#endif
}

/// Queues a rank's part, of n items. It waits for the tiles of all ranks, so that all of them queue theirs.
template <place_like Where, class Program>
void run_dealt([[maybe_unused]] Where const& where, [[maybe_unused]] Program const& program, [[maybe_unused]] extent n,
               [[maybe_unused]] dealt_to const& others, [[maybe_unused]] char const* label)
{
#ifdef ONEPASS_HAS_CUDA
  if constexpr (dealt_tile<Program, Where>() > 0)
    with_workspace(where, label, [&](auto const& place, auto& scratch) {
      backends::cuda::queue_dealt(place, program, n, others.of_rank, others.call, others.rank, others.run, scratch);
    });
#endif
}

}  // namespace onepass::ONEPASS_ABI
