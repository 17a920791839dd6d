// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/tiles.hpp>
#include <onepass/huffman/codebook/lookup.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// Makes the codebook of some counts, and its tables, in the memory of one team, so that counts need not go to the
/// host: the rules of codebook/lengths.hpp, canonical.hpp and lookup.hpp word for word, a symbol or an entry a thread.
/// What package-merge merges is sorted, so every weight and every package finds its place by a binary search.
struct codebook_program : single_tile {
  static constexpr int longest = 16;

  std::uint64_t const* counts;
  int limit;
  std::uint8_t* lengths;
  std::uint32_t *pairs, *encode;  ///< null if only lengths are wanted
  std::uint64_t* many;            ///< null where no host thread decodes

  struct memory {
    std::uint64_t count[alphabet], weight[alphabet], row[2][2 * alphabet];
    std::uint16_t single_at[longest][alphabet];  ///< by round: where the k-th lightest single weight stands
    std::uint16_t first[windows];
    std::uint8_t symbol[alphabet], length[alphabet],
        canonical[alphabet];            ///< by weight; by symbol; in the order of the codes
    std::uint16_t number[longest + 1];  ///< of codes of each length
  };

  ONEPASS_FUNCTION static constexpr std::size_t stage_bytes(int) { return sizeof(memory); }

  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent, char) const
  {
    auto& m = *reinterpret_cast<memory*>(team.stage());
    each(team, alphabet, [&](int s) { m.count[s] = counts[s], m.length[s] = 0; });
    int present        = 0;
    std::uint64_t much = 0;
    for (int s = 0; s < alphabet; ++s) present += m.count[s] != 0, much += m.count[s] >> 16;
    if (much >= std::uint64_t(1) << 42) {  // sums of them would wrap
      team.barrier();
      each(team, alphabet, [&](int s) { m.count[s] = m.count[s] >> 16 | (m.count[s] != 0); });
    }
    int const missing = present < 2 ? 2 - present : 0, n = present + missing;
    each(team, alphabet, [&](int s) { place(m, s, missing); });

    int size = n;
    for (int round = 1; round < limit; ++round) {
      merge(team, m, round, n, size / 2);
      size = n + size / 2;
    }
    each(team, n, [&](int w) { m.length[m.symbol[w]] = length_of(m, w, n); });
    each(team, alphabet, [&](int s) { lengths[s] = m.length[s]; });
    if (pairs) make_tables(team, m);
  }

private:
  /// f(i) for every i below n, then a barrier.
  template <class Team, class F>
  ONEPASS_FUNCTION static void each(Team const& team, int n, F const& f)
  {
    for (int i = team.rank(); i < n; i += Team::threads) f(i);
    team.barrier();
  }
  /// The first of [0, n) for which `beyond` holds; it holds for all behind.
  template <class Beyond>
  ONEPASS_FUNCTION static int search(int n, Beyond const& beyond)
  {
    int low = 0;
    for (int high = n; low < high;) {
      int const middle = (low + high) / 2;
      if (beyond(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /// The symbols that get a code, lightest first; where fewer than two occur, the lowest that do not join.
  ONEPASS_FUNCTION static void place(memory& m, int s, int missing)
  {
    auto const mine = m.count[s];
    int before      = mine ? missing : 0;
    for (int t = 0; t < alphabet; ++t)
      if (mine ? m.count[t] && (m.count[t] < mine || (m.count[t] == mine && t < s)) : t < s && !m.count[t]) ++before;
    if (!mine && before >= missing) return;
    m.symbol[before] = std::uint8_t(s);
    m.weight[before] = m.row[0][before] = mine;
    m.single_at[0][before]              = std::uint16_t(before);
  }

  /// The row of a round: single weights and the packages of the round before; of equal ones singles come first.
  template <class Team>
  ONEPASS_FUNCTION static void merge(Team const& team, memory& m, int round, int n, int packages)
  {
    std::uint64_t const* const from = m.row[(round - 1) % 2];
    std::uint64_t* const to         = m.row[round % 2];
    auto const package              = [&](int p) { return from[2 * p] + from[2 * p + 1]; };
    each(team, n + packages, [&](int i) {
      if (i < n) {
        int const at          = i + search(packages, [&](int p) { return package(p) >= m.weight[i]; });
        to[at]                = m.weight[i];
        m.single_at[round][i] = std::uint16_t(at);
      } else to[i - n + search(n, [&](int w) { return m.weight[w] > package(i - n); })] = package(i - n);
    });
  }

  /// In how many rounds the weight is among those taken.
  ONEPASS_FUNCTION std::uint8_t length_of(memory const& m, int w, int n) const
  {
    int taken = 2 * n - 2, length = 0;
    for (int round = limit; round-- > 0;) {
      int const singles = search(n, [&](int k) { return int(m.single_at[round][k]) >= taken; });
      length += w < singles;
      taken = 2 * (taken - singles);
    }
    return std::uint8_t(length);
  }

  /// The lowest `length` bits of x, the first last.
  ONEPASS_FUNCTION static std::uint32_t reversed(std::uint32_t x, int length)
  {
    std::uint32_t r = 0;
    for (int b = 0; b < length; ++b) r = r << 1 | (x >> b & 1u);
    return r;
  }

  template <class Team>
  ONEPASS_FUNCTION void make_tables(Team const& team, memory& m) const
  {
    each(team, longest + 1, [&](int l) {
      int found = 0;
      for (int s = 0; s < alphabet; ++s) found += m.length[s] == l;
      m.number[l] = std::uint16_t(found);
    });
    each(team, alphabet, [&](int s) {
      int const length = m.length[s];
      if (!length) {
        encode[s] = 0;
        return;
      }
      int alike = 0, before = 0;  // codes as long and of a lower symbol; shorter codes
      std::uint32_t code = 0;
      for (int t = 0; t < s; ++t) alike += m.length[t] == length;
      for (int l = 1; l < length; ++l) before += m.number[l], code = (code + m.number[l]) << 1;
      m.canonical[before + alike] = std::uint8_t(s);
      encode[s]                   = reversed(code + std::uint32_t(alike), length) | std::uint32_t(length) << 16;
    });
    each(team, windows, [&](int w) {
      std::uint32_t const bits = reversed(std::uint32_t(w), window_bits);
      std::uint32_t code       = 0;
      for (int l = 1, before = 0; l <= window_bits; ++l) {
        std::uint32_t const k = (bits >> (window_bits - l)) - code;
        if (k < m.number[l]) {
          m.first[w] = std::uint16_t(m.canonical[before + int(k)] | l << 8);
          break;
        }
        before += m.number[l];
        code = (code + m.number[l]) << 1;
      }
    });
    each(team, windows, [&](int w) {
      pairs[w] = detail::pair_of(m.first, std::uint32_t(w));
      if (many) many[w] = detail::many_of(m.first, std::uint32_t(w));
    });
  }
};

}  // namespace onepass::ONEPASS_ABI::huffman
