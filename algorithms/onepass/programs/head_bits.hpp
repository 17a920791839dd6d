// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI {

/// Where segments begin in a tile, a bit a position.
struct head_bits {
  std::uint32_t* words;
  std::uint32_t* summary;  ///< a bit for each word: it is not 0

  ONEPASS_FUNCTION static constexpr int words_for(int positions) { return positions / 32 + 2; }
  ONEPASS_FUNCTION static constexpr int summary_for(int positions) { return positions / 1024 + 1; }

  ONEPASS_FUNCTION void set(int k) const { Kokkos::atomic_or(words + k / 32, 1u << k % 32); }
  /// Of a word that is not 0.
  ONEPASS_FUNCTION void summarise(int word) const { Kokkos::atomic_or(summary + word / 32, 1u << word % 32); }
  /// Positions [begin, end), by a team.
  template <class Team>
  ONEPASS_FUNCTION void set(Team const& team, int begin, int end) const
  {
    for (int w = begin / 32 + team.rank(); w * 32 < end; w += Team::threads) {
      std::uint32_t const after  = w * 32 < begin ? ~0u << (begin - w * 32) : ~0u,
                          before = end - w * 32 < 32 ? (1u << (end - w * 32)) - 1u : ~0u;
      Kokkos::atomic_or(words + w, after & before);
    }
  }
  /// The last head at position k or before; -1 if there is none.
  ONEPASS_FUNCTION int last_to(int k) const
  {
    int w              = k / 32;
    std::uint32_t word = words[w] & (~0u >> (31 - k % 32));
    if (word == 0) {
      int v               = w / 32;
      std::uint32_t mixed = summary[v] & ((1u << w % 32) - 1u);
      while (mixed == 0 && v > 0) mixed = summary[--v];
      if (mixed == 0) return -1;
      w    = v * 32 + 31 - Kokkos::Experimental::countl_zero_builtin(mixed);
      word = words[w];
    }
    return w * 32 + 31 - Kokkos::Experimental::countl_zero_builtin(word);
  }
  /// The first head behind position k; `end` if there is none before.
  ONEPASS_FUNCTION int first_behind(int k, int end) const
  {
    int w              = (k + 1) / 32;
    std::uint32_t word = words[w] & (~0u << (k + 1) % 32);
    if (word == 0) {
      int v               = w / 32;
      std::uint32_t mixed = summary[v] & ~(((1u << w % 32) << 1) - 1u);
      while (mixed == 0 && ++v <= (end - 1) / 1024) mixed = summary[v];
      if (mixed == 0) return end;
      w    = v * 32 + Kokkos::Experimental::countr_zero_builtin(mixed);
      word = words[w];
    }
    int const k_behind = w * 32 + Kokkos::Experimental::countr_zero_builtin(word);
    return k_behind < end ? k_behind : end;
  }
};

}  // namespace onepass::ONEPASS_ABI
