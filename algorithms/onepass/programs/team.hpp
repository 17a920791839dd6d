// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/key_codec.hpp>
#include <onepass/programs/merge_sort.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

// What calls inside a kernel's team have that those from outside have not.

/// f of the items of a sequence, each made when it is read.
template <class T, class In, class F>
struct transformed_items {
  using value_type = T;
  In in;
  F f;
  extent size;
  ONEPASS_FUNCTION T operator()(extent i) const { return static_cast<T>(f(in(i))); }
};

/// An output whose items are calls of a function: out(i, result).
template <class T, class Out>
struct called_items {
  using value_type = T;

  struct item {
    Out const* out;
    extent i;
    ONEPASS_FUNCTION void operator=(T const& result) const { (*out)(i, result); }
  };

  Out out;
  extent size;
  ONEPASS_FUNCTION item operator()(extent i) const { return {&out, i}; }
};

/// The order of keys by bits [begin, end) of their codes.
template <class Decompose>
struct code_order {
  Decompose decompose;
  int begin, end;
  bool descending;

  template <class Key>
  ONEPASS_FUNCTION bool operator()(Key const& a, Key const& b) const
  {
    auto const code_a = decompose(a), code_b = decompose(b);
    for (int from = end; from > begin;) {
      int const width = from - begin < 32 ? from - begin : 32;
      from -= width;
      auto const x = key_digit(code_a, from, width), y = key_digit(code_b, from, width);
      if (x != y) return (x < y) != descending;
    }
    return false;
  }
};

/// Where a team's sort keeps values behind items, and how much memory it needs in all.
template <class Item, class Value>
struct team_sort_memory {
  std::size_t values, bytes;

  ONEPASS_FUNCTION constexpr explicit team_sort_memory(extent n)
      : values((std::size_t(n) * sizeof(Item) + 15) / 16 * 16)
      , bytes(values + (std::is_same_v<Value, nothing> ? 0 : (std::size_t(n) * sizeof(Value) + 15) / 16 * 16))
  {}
};

/// Sorts a cargo into another by a team whose number of threads is known when it runs (engine/items/on_team.hpp). A
/// thread sorts a few items, then makes a few of each merge. Begins and ends with a barrier.
template <class From, class To, class Less, class Team>
ONEPASS_FUNCTION void sort_on_team(Team const& team, From const& from, To const& to, Less const& less)
{
  using item            = typename decltype(From::items)::value_type;
  constexpr bool valued = !is_nothing<decltype(From::values)>;
  using value           = std::conditional_t<valued, typename decltype(From::values)::value_type, nothing>;
  using values          = std::conditional_t<valued, contiguous<value>, nothing>;
  using program         = merge_sort_program<From, To, cargo<contiguous<item>, values>, Less>;

  extent const n = from.items.size;
  program made{{from, to, {}, less}, n, nullptr};
  made.cargo.spare.items = {reinterpret_cast<item*>(team.memory()), n};
  if constexpr (valued)
    made.cargo.spare.values = {reinterpret_cast<value*>(team.memory() + team_sort_memory<item, value>(n).values), n};

  constexpr extent fewest = 4;
  extent const share      = div_up(n, team.threads());
  extent const positions  = share < fewest ? fewest : share < made.cargo.few ? share : made.cargo.few;
  extent const tiles      = div_up(n, positions);
  auto const each_tile    = [&](auto const& work) {
    for (extent tile = team.rank(); tile < tiles; tile += team.threads()) work(tile);
    team.barrier();
  };
  team.barrier();
  if (n == 0) return;
  each_tile([&](extent tile) { made.begin_few(positions, tile); });
  for (int round = 1, rounds = program::most_rounds(tiles); round <= rounds; ++round)
    each_tile([&](extent tile) { made.go_on_alone(positions, round, tile); });
}

}  // namespace onepass::ONEPASS_ABI
