// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>
#include <onepass/sequences.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>

namespace onepass::ONEPASS_ABI {

// clang-format off
/// What a histogram counts: each item belongs to one bin, or to none.
///
///   input()          the items
///   bins()           the number of bins, at most most_bins
///   bin(item)        the bin of an item; an item whose bin is not below bins() is not counted; pure
///   counts()         a sequence of bins() integers of 4 or 8 bytes, which receives the counts
template <class P>
concept bin_program = requires(P const p, typename P::item_type const& item) {
  { p.input() } -> sequence;
  { p.bins() } -> std::same_as<extent>;
  { p.bin(item) } -> std::same_as<std::uint32_t>;
  p.counts();
};
// clang-format on

inline constexpr extent most_bins     = extent(1) << 20;
inline constexpr std::uint32_t no_bin = ~std::uint32_t(0);

template <bin_program P>
using count_of_bin = typename decltype(std::declval<P const&>().counts())::value_type;

// What follows counts by teams. A team has a rank() for each of its `threads` threads, a barrier(), and memory of its
// own, aligned to 16 bytes.

/// The units at, at + step, ... below end.
struct unit_range {
  extent at, end, step;
};

/// The items of a bin program in units of N neighbours, which a thread reads at once. Items that belong to no whole
/// unit lie before the first and behind the last one.
template <bin_program Program>
struct bin_items {
  using item  = typename Program::item_type;
  using input = decltype(std::declval<Program const&>().input());

  static constexpr bool packed = has_packs<input>;
  static constexpr int N       = packed ? int(16 / sizeof(item)) : 1;
  static_assert(std::is_default_constructible_v<item>, "onepass: items must be default constructible");

  Program program;
  extent n, lead, units;  ///< lead: number of items before the first unit

  bin_items(Program const& given, extent count)
      : program(given)
      , n(count)
      , lead(0)
  {
    if constexpr (packed)
      lead = std::min<extent>(n, extent(-reinterpret_cast<std::uintptr_t>(given.input().data) % 16 / sizeof(item)));
    units = (n - lead) / N;
  }

  struct unit {
    std::conditional_t<packed, pack, item> word;
    ONEPASS_FUNCTION item get(int k) const
    {
      item x;
      if constexpr (packed)
        std::memcpy(static_cast<void*>(&x), reinterpret_cast<char const*>(&word) + k * sizeof(item), sizeof(item));
      else x = word;
      return x;
    }
  };
  ONEPASS_FUNCTION unit read(extent u) const
  {
    if constexpr (!packed) return {program.input()(u)};
    else {
      auto const* const from = program.input().data + lead + u * N;
      unit one;
      if (lies_across<pack>(from)) std::memcpy(static_cast<void*>(&one), static_cast<void const*>(from), sizeof(one));
      else one.word = *reinterpret_cast<pack const*>(from);
      return one;
    }
  }

  /// f(item) for every item of these units. While Reads units are used, the next are being read.
  template <int Reads, class F>
  ONEPASS_FUNCTION void each(unit_range const& mine, F const& f) const
  {
    extent u        = mine.at;
    auto const all  = [&](extent at) { return at + (Reads - 1) * mine.step < mine.end; };
    auto const take = [&](unit(&some)[Reads]) {
      ONEPASS_UNROLL for (int r = 0; r < Reads; ++r) some[r] = read(u + r * mine.step);
    };
    auto const use = [&](unit const& one) { ONEPASS_UNROLL for (int k = 0; k < N; ++k) f(one.get(k)); };
    if constexpr (Reads > 1)
      if (all(u)) {
        unit next[Reads];
        take(next);
        for (bool more = true; more;) {
          unit now[Reads];
          ONEPASS_UNROLL for (int r = 0; r < Reads; ++r) now[r] = next[r];
          u += Reads * mine.step;
          more = all(u);
          if (more) take(next);
          ONEPASS_UNROLL for (int r = 0; r < Reads; ++r) use(now[r]);
        }
      }
    ONEPASS_NO_UNROLL for (; u < mine.end; u += mine.step) use(read(u));
  }

  /// f(item) for every item that belongs to no unit, by a whole team.
  template <class Team, class F>
  ONEPASS_FUNCTION void each_outside(Team const& team, F const& f) const
  {
    if constexpr (N > 1) {
      auto const in = program.input();
      for (extent i = team.rank(); i < lead; i += Team::threads) f(in(i));
      for (extent i = lead + units * N + team.rank(); i < n; i += Team::threads) f(in(i));
    }
  }
};

/// A team's part of the items.
struct bin_share {
  unit_range units;  ///< of the calling thread
  bool outside;      ///< also the items that belong to no unit
};

/// The bytes of so many counters, in whole packs.
ONEPASS_FUNCTION constexpr std::size_t bytes_of_counters(extent counters)
{
  return std::size_t(div_up(counters, 4)) * sizeof(pack);
}

template <class Team>
ONEPASS_FUNCTION void fill_counters(Team const& team, std::uint32_t* table, std::uint32_t counters, std::uint32_t x)
{
  auto* const packs = reinterpret_cast<pack*>(table);
  for (std::uint32_t p = std::uint32_t(team.rank()); p < (counters + 3) / 4; p += Team::threads)
    packs[p] = {x, x, x, x};
}

/// A table for all bins of a launch, or a slice of them. Each counter has `copies` copies side by side: neighbouring
/// threads count in copies, and so in banks, of their own, however alike the items are. Items of one byte have a
/// counter for each value, whose bin is computed when all items are counted. In a table for all bins there is one
/// counter more, for items of no bin: counting them takes less than branching around it.
template <bin_program Program, bool Sliced = false>
struct bin_table {
  static constexpr bool by_value = sizeof(typename Program::item_type) == 1;
  static constexpr extent values = 256;

  std::uint32_t first, counters;  ///< counter c is that of bin first + c
  std::uint32_t copies;           ///< 1, or a power of two from 4 on

  /// As many copies as fit.
  static std::uint32_t copies_of(extent counters, extent room, std::uint32_t most)
  {
    auto const fitting = std::bit_floor(std::uint32_t(std::clamp<extent>(room / counters, 1, most)));
    return fitting < 4 ? 1 : fitting;
  }

  ONEPASS_FUNCTION std::uint32_t held() const { return (counters + (by_value || Sliced ? 0 : 1)) * copies; }

  /// Counts a team's share. `alone`: no other team counts, and nobody has cleared the counts.
  template <int Reads, class Team>
  ONEPASS_FUNCTION void count(Team const& team, bin_items<Program> const& items, bin_share const& share,
                              std::uint32_t* table, bool alone) const
  {
    auto const& program = items.program;
    auto const counts   = program.counts();
    fill_counters(team, table, held(), 0);
    if (alone)
      for (extent b = team.rank(); b < counts.size; b += Team::threads) counts(b) = 0;
    team.barrier();

    team_counters<(Team::threads > 1)> const own(table + (std::uint32_t(team.rank()) & (copies - 1)), copies);
    auto const add = [&](typename Program::item_type const& x) {
      if constexpr (by_value) {
        std::uint8_t value;
        std::memcpy(&value, &x, 1);
        own.add_one(value);
      } else {
        std::uint32_t const counter = program.bin(x) - first;
        if constexpr (!Sliced) own.add_one(counter < counters ? counter : counters);
        else if (counter < counters) own.add_one(counter);
      }
    };
    items.template each<Reads>(share.units, add);
    if (share.outside) items.each_outside(team, add);
    team.barrier();

    auto const* const packs   = reinterpret_cast<pack const*>(table);
    std::uint32_t const whole = copies / 4;  // packs of a counter
    if (whole > 0)
      for (std::uint32_t c = std::uint32_t(team.rank()); c < counters; c += Team::threads) {
        count_of_bin<Program> sum = 0;
        ONEPASS_NO_UNROLL for (std::uint32_t p = 0; p < whole; ++p)
        {
          pack const four = packs[c * whole + ((p + c) & (whole - 1))];
          ONEPASS_UNROLL for (int k = 0; k < 4; ++k) sum += four.word[k];
        }
        add_to_bin(program, first + c, sum);
      }
    else
      for (std::uint32_t p = std::uint32_t(team.rank()); p < (counters + 3) / 4; p += Team::threads) {
        pack const four = packs[p];
        ONEPASS_UNROLL for (std::uint32_t k = 0; k < 4; ++k) if (4 * p + k < counters)
            add_to_bin(program, first + 4 * p + k, four.word[k]);
      }
  }

private:
  ONEPASS_FUNCTION static void add_to_bin(Program const& program, std::uint32_t counter, count_of_bin<Program> sum)
  {
    if (sum == 0) return;
    std::uint32_t bin = counter;
    if constexpr (by_value) {
      auto const value = std::uint8_t(counter);
      typename Program::item_type x;
      std::memcpy(static_cast<void*>(&x), &value, 1);
      bin = program.bin(x);
      if (bin >= program.bins()) return;
    }
    add_shared(&program.counts()(bin), sum);
  }
};

/// A table for more bins than it has slots. A slot belongs to the first bin that asks for it; a bin that finds both of
/// its slots taken is added to the counts directly. So bins that many items have are counted in the team's memory.
///
/// A slot's word is {tag, count}. The tag is the upper bits of the bin and which of its two slots this is, so that slot
/// and tag tell the bin.
template <int Slots>
struct bin_cache {
  static constexpr extent slots        = Slots;
  static constexpr int slot_bits       = std::countr_zero(unsigned(Slots));
  static constexpr int count_bits      = 32 - std::bit_width(2 * std::uint64_t(most_bins) >> slot_bits);
  static constexpr std::uint32_t none  = ~std::uint32_t(0) << count_bits;
  static constexpr extent most_of_team = extent(1) << (count_bits - 1);  ///< items, so that no count overflows
  static_assert(std::has_single_bit(unsigned(Slots)) && count_bits >= 16);

  /// Its own inverse: the lower bits of the bin that has this slot with this tag.
  ONEPASS_FUNCTION static std::uint32_t slot_of(std::uint32_t bin, std::uint32_t tag)
  {
    return (bin ^ tag * 0x9e3779b1u >> 12) & (Slots - 1);
  }

  template <int Reads, class Team, bin_program Program>
  ONEPASS_FUNCTION static void count(Team const& team, bin_items<Program> const& items, bin_share const& share,
                                     std::uint32_t* table)
  {
    auto const& program      = items.program;
    auto const counts        = program.counts();
    std::uint32_t const bins = std::uint32_t(program.bins());
    fill_counters(team, table, Slots, none);
    team.barrier();

    team_counters<(Team::threads > 1)> const own(table, 1);
    auto const add = [&](typename Program::item_type const& x) {
      std::uint32_t const bin = program.bin(x);
      if (bin >= bins) return;
      for (std::uint32_t second = 0; second < 2; ++second) {
        std::uint32_t const tag = 2 * (bin >> slot_bits) + second, s = slot_of(bin, tag);
        std::uint32_t held = static_cast<std::uint32_t const volatile&>(table[s]);
        if (held == none) {
          held = Kokkos::atomic_compare_exchange(table + s, none, tag << count_bits);
          if (held == none) held = tag << count_bits;
        }
        if (held >> count_bits == tag) return own.add_one(s);
      }
      add_shared(&counts(bin), 1);
    };
    items.template each<Reads>(share.units, add);
    if (share.outside) items.each_outside(team, add);
    team.barrier();

    for (std::uint32_t s = std::uint32_t(team.rank()); s < Slots; s += Team::threads) {
      std::uint32_t const tag = table[s] >> count_bits, sum = table[s] & ~none;
      if (table[s] < none && sum > 0)
        add_shared(&counts(extent(tag / 2) << slot_bits | slot_of(s, tag)), count_of_bin<Program>(sum));
    }
  }

  /// Whether few bins have nearly all items: the bins of one half of a sample contain nearly all of the other half.
  /// Every team comes to the same result. Takes Slots + 1 counters.
  template <class Team, bin_program Program>
  ONEPASS_FUNCTION static bool suits(Team const& team, bin_items<Program> const& items, std::uint32_t* table)
  {
    auto const& program     = items.program;
    auto const in           = program.input();
    auto const bin_at       = [&](extent i) { return program.bin(in(i * items.n / (2 * Team::threads))); };
    std::uint32_t const one = bin_at(2 * team.rank()), other = bin_at(2 * team.rank() + 1);
    fill_counters(team, table, Slots + 1, 0);
    team.barrier();
    if (one < program.bins()) Kokkos::atomic_max(table + slot_of(one, 0), one + 1);
    team.barrier();
    if (other >= program.bins() || table[slot_of(other, 0)] == other + 1) Kokkos::atomic_inc(table + Slots);
    team.barrier();
    bool const most = table[Slots] * 16 >= std::uint32_t(Team::threads) * 15;
    team.barrier();
    return most;
  }
};

}  // namespace onepass::ONEPASS_ABI
