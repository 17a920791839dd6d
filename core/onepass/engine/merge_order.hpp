// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/splits.hpp>

#include <cstddef>
#include <cstdint>

namespace onepass {

/// The stable order of a few thousand items by their codes, found by a team in its memory: every thread sorts N items
/// in registers, then neighbouring runs are merged, each thread making N items of the result. Codes of more than 64
/// bits are taken 64 bits at a time, the lowest first. With an odd N neighbouring threads use different banks.
///
/// Source: threads that merge equal parts of the result, Odeh et al. 2012; see docs/references.md.
template <int N>
struct merge_order {
  static constexpr int slice = 64;  ///< bits of a code that are compared at once

  static constexpr std::size_t bytes(int threads)
  {
    return std::size_t(threads) * N * (sizeof(std::uint64_t) + sizeof(std::uint16_t));
  }

  std::uint64_t* codes;   ///< both have room for N items of each thread, at most 2^16
  std::uint16_t* places;  ///< after find(): of item j of the result its position among the n

  ONEPASS_FUNCTION merge_order(char* memory, int threads)
      : codes(reinterpret_cast<std::uint64_t*>(memory))
      , places(reinterpret_cast<std::uint16_t*>(codes + threads * N))
  {}

  /// The order of items read(0) to read(n - 1), where code(item, at, width) is bits [at, at + width) of the code, which
  /// has `bits`. By all threads of a team; ends with a barrier.
  template <class Team, class Read, class Code>
  ONEPASS_FUNCTION void find(Team const& team, int n, int bits, Read const& read, Code const& code) const
  {
    int const here = team.rank() * N;
    for (int at = 0; at == 0 || at < bits; at += slice) {
      std::uint64_t key[N];
      std::uint16_t from[N];
      decltype(read(0)) x[N];
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) from[k] = at == 0 ? std::uint16_t(here + k) : places[here + k];
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (here + k < n) x[k] = read(from[k]);
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) key[k] =
          here + k < n ? code(x[k], at, bits - at < slice ? bits - at : slice) : ~std::uint64_t(0);
      sort(key, from);
      for (int run = N, threads = 1;; run *= 2, threads *= 2) {
        team.barrier();
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) codes[here + k] = key[k], places[here + k] = from[k];
        team.barrier();
        if (run >= n) break;
        if (here < n) merge(team.rank() & -2 * threads, here, run, n, key, from);
      }
    }
  }

private:
  /// Neighbours change places until none does: stable, and no index depends on an item.
  ONEPASS_FUNCTION static void sort(std::uint64_t (&key)[N], std::uint16_t (&from)[N])
  {
    ONEPASS_UNROLL for (int round = 0; round < N; ++round)
    {
      ONEPASS_UNROLL for (int k = round % 2; k + 1 < N; k += 2)
      {
        bool const falls    = key[k + 1] < key[k];
        auto const low      = falls ? key[k + 1] : key[k];
        auto const low_from = falls ? from[k + 1] : from[k];
        key[k + 1]          = falls ? key[k] : key[k + 1];
        from[k + 1]         = falls ? from[k] : from[k + 1];
        key[k]              = low;
        from[k]             = low_from;
      }
    }
  }

  /// N items from `here` on of two runs merged, the first of which begins with the items of thread `first`.
  ONEPASS_FUNCTION void merge(int first, int here, int run, int n, std::uint64_t (&key)[N],
                              std::uint16_t (&from)[N]) const
  {
    int const a = first * N, a_end = a + run < n ? a + run : n, b_end = a_end + run < n ? a_end + run : n;
    int const of_first = split_of_merge(
        here - a, a_end - a, b_end - a_end, [](auto x, auto y) { return x < y; }, [&](int k) { return codes[a + k]; },
        [&](int k) { return codes[a_end + k]; });
    int i = a + of_first, j = a_end + here - a - of_first;
    std::uint64_t of_i = codes[i < n ? i : 0], of_j = codes[j < n ? j : 0];
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      bool const takes_i = j >= b_end || (i < a_end && of_i <= of_j);
      key[k]             = takes_i ? of_i : of_j;
      from[k]            = places[takes_i ? i : j];
      if (here + k + 1 >= n) break;
      int const next      = takes_i ? ++i : ++j;
      auto const its_code = codes[next < n ? next : 0];
      if (takes_i) of_i = its_code;
      else of_j = its_code;
    }
  }
};

}  // namespace onepass
