// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/raking.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/tiles.hpp>
#include <onepass/execution/top_k_tuning.hpp>
#include <onepass/key_codec.hpp>
#include <onepass/programs/by_bits.hpp>
#include <onepass/programs/exact_cut.hpp>
#include <onepass/programs/key_orders.hpp>

#include <cmath>

namespace onepass::ONEPASS_ABI {

// The k first of n items in the order of their keys, and of their positions where keys are equal
// (docs/decisions/0025-top-k.md). A sample gives a bound; one pass lists the items that are not beyond it; the list is
// put in order. No two items are equal, since their positions differ, so nothing depends on how many keys are.

/// A position among the keys, of which there are 2^32 at most.
using key_place = std::uint32_t;

/// Listed codes, and behind them some that come after all.
template <class Code>
struct listed_codes {
  using value_type = Code;
  Code const* codes;
  extent const* count;
  extent size;
  ONEPASS_FUNCTION Code operator()(extent i) const { return i < *count ? codes[i] : Code(~Code(0)); }
};

/// Where the items of ranks [first, last) go: their keys, their positions, or both.
template <class In, class Keys, class Indices>
struct ranks_written {
  using value_type = key_place;
  In in;
  Keys keys;
  Indices indices;
  extent first, last, size;

  struct reference {
    ranks_written const& to;
    extent rank;
    ONEPASS_FUNCTION void operator=(key_place at) const
    {
      if (rank < to.first || rank >= to.last) return;
      if constexpr (!is_nothing<Keys>) to.keys(rank - to.first) = to.in(extent(at));
      if constexpr (!is_nothing<Indices>) to.indices(rank - to.first) = static_cast<typename Indices::value_type>(at);
    }
  };
  ONEPASS_FUNCTION reference operator()(extent rank) const { return {*this, rank}; }
};

/// A selection of ranks as a host takes it: which items there are, how they are ordered, and where results go.
template <class In, class Order, class Out>
struct selection {
  using code                          = typename Order::code;
  using key                           = typename In::value_type;
  static constexpr bool keys_alone    = is_nothing<decltype(Out::indices)>;
  static constexpr bool equals_differ = !coded_key<key>;

  In in;
  Order order;
  Out out;
  extent size, first, last;

  order_of_whole_keys<key> whole() const { return {order.turned}; }
  void write_place(extent rank, extent at) const { out(rank) = key_place(at); }
  void write_item(extent rank, key const& x) const { out.keys(rank - first) = x; }
};

/// How the first k of n items are looked for.
struct top_k_plan {
  extent groups, each;  ///< samples
  extent rank;          ///< of the bound among the first of each group, from 1
  extent expected;      ///< candidates
  extent room;          ///< for candidates

  /// Of the k first items, the sample has k samples / n on average and, but for one time in a thousand millions, less
  /// than `rank`; more than k it never has. So k items are not beyond the sample of that rank. In the same way there
  /// are, as rarely, more candidates than there is room for: it is such that more than `rank` samples are expected of
  /// as many items.
  static top_k_plan of(top_k_tuning const& numbers, extent n, extent k)
  {
    extent const wanted = std::min({n / numbers.gap, numbers.most_samples, numbers.enough * n / k});
    extent const each = std::max<extent>(wanted / numbers.groups, 1), samples = numbers.groups * each;
    auto const with_margin = [&](double mean) {
      return mean + numbers.deviations * std::sqrt(mean) + numbers.deviations + 1;
    };
    auto const items_for = [&](double firsts) {  // among how many first items lie the first of that many groups
      double const part = firsts / double(numbers.groups);
      return part < 1 ? double(n) * -std::expm1(std::log1p(-part) / double(each)) : double(n);
    };
    double const safe = with_margin(double(k) * double(samples) / double(n));
    extent const rank = std::min({k, extent(safe), numbers.groups});
    double const most = with_margin(with_margin(double(rank)));
    return {numbers.groups, each, rank, extent(items_for(double(rank))),
            std::max(k, std::min(n, extent(items_for(most)) + 1))};
  }
};

/// Mixes bits: the finaliser of a hash, which is a permutation of words.
ONEPASS_FUNCTION constexpr std::uint32_t mixed(std::uint32_t x)
{
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

/// A range program: the first of each group of samples. The items are cut into as many stretches as there are samples,
/// and one of each is looked at; which stretches make a group is mixed up, so that no input's own pattern brings the
/// first items into few groups.
template <class In, class Order>
struct sample_program {
  using code   = typename Order::code;
  using placed = placed_code<code>;

  static constexpr extent alone_at_a_time = 64;

  In in;
  Order order;
  extent n, groups, each;
  contiguous<placed> firsts;

  ONEPASS_FUNCTION extent size() const { return groups; }

  static constexpr int positions(team_tuning const& numbers)
  {
    return numbers.threads >= 32 ? numbers.threads / 32 : numbers.threads == 1 ? 4 : 1;
  }
  static constexpr int stage_words(int positions)
  {
    return positions * 64 * int(sizeof(placed) / 4);  // a sample a thread, of up to 64 for each group
  }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent g = first; g < last; ++g) firsts(g) = first_of(g, 0, 1);
  }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    if constexpr (Team::threads == 1) alone(first, last);
    else {
      constexpr int share = Team::threads / Positions;
      static_assert(share <= 64);
      auto* const stage = reinterpret_cast<placed*>(team.stage());
      int const g = team.rank() / share, lane = team.rank() % share;
      bool const some = g < Positions && first + g < last && lane < each;
      if (some) stage[team.rank()] = first_of(first + g, lane, share);
      team.barrier();
      if (!some || lane > 0) return;
      placed best = stage[team.rank()];
      for (int l = 1; l < share && l < each; ++l)
        if (auto const& other = stage[team.rank() + l]; best.reaches(other.code, other.at)) best = other;
      firsts(first + g) = best;
    }
  }

private:
  /// Of a group's samples from `begin` on, every `step`-th.
  ONEPASS_FUNCTION placed first_of(extent group, extent begin, extent step) const
  {
    placed best = sample(group, begin);
    for (extent s = begin + step; s < each; s += step)
      if (auto const other = sample(group, s); best.reaches(other.code, other.at)) best = other;
    return best;
  }
  ONEPASS_FUNCTION placed sample(extent group, extent s) const
  {
    auto const turn = std::uint64_t(mixed(std::uint32_t(s)));
    extent const stretch =
        s * groups + extent((std::uint64_t(group) * (turn | 1) + (turn >> 8)) % std::uint64_t(groups));
    extent const from = stretch * n / (groups * each), to = (stretch + 1) * n / (groups * each);
    extent const at = from + extent((std::uint64_t(mixed(std::uint32_t(stretch))) * std::uint64_t(to - from)) >> 32);
    return {order(in(at)), at};
  }
};

/// A single tile: the bound, that as many of the groups' first reach as are asked for.
template <class Code>
struct bound_program : single_tile {
  using placed = placed_code<Code>;
  using cut    = exact_cut<std::uint32_t, Code>;

  contiguous<placed const> firsts;
  extent rank;
  int at_bits;
  placed* bound;

  ONEPASS_FUNCTION static constexpr std::size_t stage_bytes(int) { return sizeof(cut); }

  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent, char) const
  {
    auto const found = reinterpret_cast<cut*>(team.stage())->find(team, firsts, firsts.size, rank, at_bits);
    if (team.rank() == 0) *bound = found;
  }
};

/// Which items are listed: those that reach the bound.
template <class Order>
struct keep_first {
  Order order;
  placed_code<typename Order::code> const* bound;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const& x) const
  {
    return bound->reaches(order(x), i);
  }
};
template <class Order>
struct write_code {
  Order order;
  template <class Item>
  ONEPASS_FUNCTION auto operator()(extent, Item const& x) const
  {
    return order(x);
  }
};

/// A single tile: lists the first k items, where the sample has misled and there are fewer candidates, or more than
/// there is room for. Else it does nothing. It goes through all items once for each digit, and once more.
template <class In, class Order>
struct mend_program : single_tile {
  using code = typename Order::code;
  using cut  = exact_cut<std::uint64_t, code>;

  In in;
  Order order;
  extent n, k;
  int at_bits;
  extent* count;
  contiguous<code> codes;
  contiguous<key_place> places;

  ONEPASS_FUNCTION static constexpr std::size_t stage_bytes(int threads)
  {
    return sizeof(cut) + sizeof(extent) * std::size_t(threads + 1);
  }

  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent, char) const
  {
    extent const listed = *count;
    if (k <= listed && listed <= codes.size) return;
    auto const source = [&](extent i) { return placed_code<code>{order(in(i)), i}; };
    auto* const mine  = reinterpret_cast<cut*>(team.stage());
    auto const bound  = mine->find(team, source, n, k, at_bits);
    auto* const kept  = reinterpret_cast<extent*>(mine + 1);
    onepass::list_what_reaches(team, source, n, bound, kept, [&](extent place, placed_code<code> const& x) {
      codes(place)  = x.code;
      places(place) = key_place(x.at);
    });
    if (team.rank() == 0) *count = k;
  }
};

/// A range program over listed items: the rank of each, which is the number of those before it, counted by comparing it
/// with all.
template <class Code, class Out>
struct rank_program {
  static constexpr extent alone_at_a_time = 64;
  static constexpr int chunk              = 1024;  ///< codes that a team compares with at a time
  static constexpr int most_positions     = 32;

  contiguous<Code const> codes;
  contiguous<key_place const> places;
  extent const* count;
  Out out;

  ONEPASS_FUNCTION extent size() const { return *count; }

  static constexpr int positions(team_tuning const& numbers)
  {
    if (numbers.threads == 1) return int(alone_at_a_time);
    return numbers.threads < most_positions ? numbers.threads : most_positions;
  }
  static constexpr int stage_words(int) { return chunk * int(sizeof(Code) < 4 ? 4 : sizeof(Code)) / 4; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent i = first, n = size(); i < last; ++i) {
      Code const own = codes(i);
      extent before  = 0;
      for (extent j = 0; j < i; ++j) before += codes(j) <= own;
      for (extent j = i; j < n; ++j) before += codes(j) < own;
      out(before) = places(i);
    }
  }

  /// Threads of a warp compare neighbouring items with the same others, each warp with some of them.
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    if constexpr (Team::threads == 1) alone(first, last);
    else {
      constexpr int parts = Team::threads / Positions, share = chunk / parts;
      static_assert(Team::threads <= chunk);
      auto* const near     = reinterpret_cast<Code*>(team.stage());
      auto* const sums     = reinterpret_cast<std::uint32_t*>(team.stage());
      extent const n       = size();
      int const part       = team.rank() / Positions;
      extent const i       = first + team.rank() % Positions;
      Code const own       = codes(i < n ? i : n - 1);
      std::uint32_t before = 0;
      ONEPASS_NO_UNROLL for (extent begin = 0; begin < n; begin += chunk)
      {
        team.barrier();
        int const here = int(n - begin < chunk ? n - begin : chunk);
        for (int j = team.rank(); j < here; j += Team::threads) near[j] = codes(begin + j);
        team.barrier();
        if (part >= parts) continue;
        int const low = part * share, high = part + 1 == parts ? here : (low + share < here ? low + share : here);
        int const own_at = int(i < begin ? 0 : i - begin < chunk ? i - begin : chunk);
        int const middle = own_at < low ? low : own_at < high ? own_at : high;  // of equal ones the older come first
        for (int j = low; j < middle; ++j) before += near[j] <= own;
        for (int j = middle < low ? low : middle; j < high; ++j) before += near[j] < own;
      }
      team.barrier();
      sums[team.rank()] = before;
      team.barrier();
      if (part > 0 || i >= last) return;
      for (int p = 1; p < parts; ++p) before += sums[p * Positions + team.rank()];
      out(extent(before)) = places(i);
    }
  }
};

/// An order program: codes with their positions, of which the first are written.
template <class Codes, class Places, class Out>
struct rank_order {
  using item_type = typename Codes::value_type;

  Codes codes;
  Places places;
  Out out;
  int code_bits;

  ONEPASS_FUNCTION Codes input() const { return codes; }
  ONEPASS_FUNCTION nothing output() const { return {}; }
  ONEPASS_FUNCTION Places values() const { return places; }
  ONEPASS_FUNCTION Out values_output() const { return out; }
  ONEPASS_FUNCTION bool in_place() const { return false; }
  ONEPASS_FUNCTION int bits() const { return code_bits; }
  ONEPASS_FUNCTION std::uint32_t digit(item_type const& code, int at, int width) const
  {
    return key_digit(code, at, width);
  }
  ONEPASS_FUNCTION void counted(int, extent) const {}
};

}  // namespace onepass::ONEPASS_ABI
