// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/raking.hpp>
#include <onepass/operators.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// The stable order of a few thousand digits of 8 bits, found by a team with memory and barriers alone: four bits at a
/// time. Thread r owns the N positions from r N on, and counts its 16 bins in a column of its own.
template <int Threads, int N, int Radix>
struct local_order {
  static constexpr int items = Threads * N;
  static_assert(items <= 1 << 16);

  using network = raking<Threads, Radix, std::uint32_t>;

  struct memory {
    std::uint8_t digit[items];
    std::uint16_t order[2][items];  ///< order[0]: the items in the order of their digits
    std::uint16_t column[16 * Threads];
    typename network::memory sums;
  };

  /// From m.digit[0, valid) to m.order[0]. The caller has waited at a barrier; ends with a barrier.
  template <class Team>
  ONEPASS_FUNCTION static void find(Team const& team, memory& m, int valid)
  {
    by_four_bits(
        team, m, valid, 0, [](int j) { return j; }, m.order[1]);
    by_four_bits(
        team, m, valid, 4, [&m](int j) { return int(m.order[1][j]); }, m.order[0]);
  }

private:
  template <class Team, class Old>
  ONEPASS_FUNCTION static void by_four_bits(Team const& team, memory& m, int valid, int at, Old const& old,
                                            std::uint16_t* made)
  {
    int const rank   = team.rank();
    auto const first = rank * N, last = first + N < valid ? first + N : valid;
    auto const bin = [&](int j) { return (m.digit[old(j)] >> at & 15) * Threads + rank; };
    for (int b = 0; b < 16; ++b) m.column[b * Threads + rank] = 0;
    for (int j = first; j < last; ++j) ++m.column[bin(j)];
    team.barrier();

    // All columns of bin 0 in order of rank, then those of bin 1, and so on: each thread sums sixteen neighbours.
    std::uint32_t own = 0, total;
    for (int e = 0; e < 16; ++e) own += m.column[rank * 16 + e];
    auto before = network::exclusive_scan(team, m.sums, sum_of<std::uint32_t>{}, own, total);
    for (int e = 0; e < 16; ++e) {
      auto const count        = m.column[rank * 16 + e];
      m.column[rank * 16 + e] = std::uint16_t(before);
      before += count;
    }
    team.barrier();
    for (int j = first; j < last; ++j) made[m.column[bin(j)]++] = std::uint16_t(old(j));
    team.barrier();
  }
};

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
