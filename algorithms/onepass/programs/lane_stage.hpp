// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/lane_network.hpp>
#include <onepass/engine/merge_alone.hpp>
#include <onepass/engine/warps.hpp>
#include <onepass/programs/by_bits.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// Sorts pieces of a tile in a team's memory, each by lanes of a warp, in their registers: pieces of up to 4, 8 and 16
/// items by a lane each, longer ones by as many lanes as have 16 items each. Pieces of a class, whose lanes do the
/// same, are listed together: of each class there are so many at most as short ones can be.
///
/// Source: a class of sizes at a time, Hou et al. 2017; see docs/references.md.
template <class Item, class Order>
class lane_stage {
  using code = decltype(std::declval<Order const&>()(std::declval<Item const&>()));
  using held = std::conditional_t<sizeof(code) < 4, std::uint32_t, code>;

  static constexpr int classes = 8, each = 16;

  /// Of up to 4 items, 8, 16, ...
  ONEPASS_FUNCTION static int class_of(int items)
  {
    int const bits = bits_of(items - 1);
    return bits > 2 ? bits - 2 : 0;
  }
  /// Where a class begins in the list of a tile. A piece has two items at least.
  ONEPASS_FUNCTION static constexpr int start(int c, int positions)
  {
    int at = 0;
    for (int k = 0; k < c; ++k) at += positions / (k == 0 ? 2 : (2 << k) + 1) + 1;
    return at;
  }

  Order const& order_;
  int *starts_, *ends_;  ///< of each class, in the list
  int* longest_;
  bool* coded_;
  std::uint32_t* list_;  ///< of pieces: where each begins and ends

public:
  static constexpr int most = 32 * each;  ///< items of a piece

  ONEPASS_FUNCTION static constexpr std::size_t bytes(int positions)
  {
    return std::size_t(2 * classes + 3 + start(classes, positions)) * sizeof(std::uint32_t);
  }

  ONEPASS_FUNCTION lane_stage(Order const& by, char* memory)
      : order_(by)
      , starts_(reinterpret_cast<int*>(memory))
      , ends_(starts_ + classes + 1)
      , longest_(ends_ + classes)
      , coded_(reinterpret_cast<bool*>(longest_ + 1))
      , list_(reinterpret_cast<std::uint32_t*>(longest_ + 2))
  {}

  /// For a tile of so many positions. Before list(), and a barrier.
  template <int Positions, class Team>
  ONEPASS_FUNCTION void clear(Team const& team) const
  {
    static_assert(Positions < 65536, "the list has 16 bits for where a piece ends");
    if (team.rank() <= classes) starts_[team.rank()] = start(team.rank(), Positions);
    if (team.rank() < classes) ends_[team.rank()] = start(team.rank(), Positions);
    if (team.rank() == 0) *longest_ = 0, *coded_ = true;
  }

  /// Lists stretches(k), k from 0 to number - 1, in pieces. Notes whether all of this thread's items are made by their
  /// codes. Returns the length of the longest stretch of all, or 0 if some items are not. Ends with a barrier.
  template <class Team, class Stretches>
  ONEPASS_FUNCTION int list(Team const& team, extent number, Stretches const& stretches, bool coded) const
  {
    auto const warp  = team.warp();
    unsigned longest = 0;
    if (!coded) *coded_ = false;
    for (extent k = team.rank(); k - warp.lane < number; k += Team::threads) {
      auto const [begin, end] = stretches(k < number ? k : number);
      int const items = end - begin, left = items % most;
      if (items > int(longest)) longest = unsigned(items);
      list_one(warp, left > 1 ? class_of(left) : classes, end - left, end);
      if (items >= most) {
        int at = Kokkos::atomic_fetch_add(ends_ + classes - 1, items / most);
        for (int b = begin; b + most <= end; b += most, ++at) put(classes - 1, at, b, b + most);
      }
    }
    longest = warp.max(longest);
    if (warp.lane == 0 && longest > 0) Kokkos::atomic_max(longest_, int(longest));
    team.barrier();
    return *coded_ ? *longest_ : 0;
  }

  /// Sorts what is listed. Ends with a barrier.
  template <class Team>
  ONEPASS_FUNCTION void sort(Team const& team, Item* items) const
  {
    // Lane c knows the class c before the last one: long pieces come first. A warp takes 2^shift of them at once.
    auto const warp     = team.warp();
    constexpr int warps = Team::threads / decltype(team.warp())::lanes;
    int const own = warp.lane < classes ? classes - 1 - warp.lane : 0, shift = own > 2 ? 7 - own : 5,
              first = starts_[own], behind = ends_[own] < starts_[own + 1] ? ends_[own] : starts_[own + 1];
    int const units = (behind - first + (1 << shift) - 1) >> shift;
    int through     = 0;
    ONEPASS_UNROLL for (int c = 0; c < classes; ++c)
    {
      int const of_c = warp.broadcast(units, c);
      through += c <= warp.lane ? of_c : 0;
    }
    int const all = warp.broadcast(through, classes - 1);
    ONEPASS_NO_UNROLL for (int u = team.rank() / warp.lanes; u < all; u += warps)
    {
      int const k = warp.count(warp.lane < classes && through <= u), c = classes - 1 - k;
      int const from =
                    warp.broadcast(first, k) + ((u - warp.broadcast(through - units, k)) << warp.broadcast(shift, k)),
                to = warp.broadcast(behind, k);
      if (c > 2) sort_pieces<each, false>(warp, from, to, c - 2, items);
      else if (c == 2) sort_pieces<each, true>(warp, from, to, 0, items);
      else if (c == 1) sort_pieces<each / 2, true>(warp, from, to, 0, items);
      else sort_pieces<each / 4, true>(warp, from, to, 0, items);
    }
    team.barrier();
  }

private:
  ONEPASS_FUNCTION void put(int c, int at, int begin, int end) const
  {
    if (at < starts_[c + 1]) list_[at] = std::uint32_t(begin) | std::uint32_t(end) << 16;
  }

  /// Lists a piece of each lane's, of class `classes` if there is none. Lanes with pieces of one class ask for places
  /// together.
  template <class Warp>
  ONEPASS_FUNCTION void list_one(Warp const& warp, int c, int begin, int end) const
  {
    unsigned const same = warp.match(unsigned(c));
    int const leader    = Kokkos::Experimental::countr_zero_builtin(same);
    int at              = 0;
    if (warp.lane == leader && c < classes)
      at = Kokkos::atomic_fetch_add(ends_ + c, Kokkos::Experimental::popcount_builtin(same));
    at = warp.broadcast(at, leader) + Kokkos::Experimental::popcount_builtin(same & ((1u << warp.lane) - 1u));
    if (c < classes) put(c, at, begin, end);
  }

  /// A warp sorts the listed pieces from `from` on, each by 2^width lanes.
  template <int Each, bool Alone, class Warp>
  ONEPASS_FUNCTION void sort_pieces(Warp const& warp, int from, int behind, int width, Item* items) const
  {
    int const piece = from + (warp.lane >> width), at = warp.lane & ((1 << width) - 1);
    std::uint32_t const ends = piece < behind ? list_[piece] : 0;
    Item* const mine         = items + ends % 65536;
    int const count          = int(ends / 65536) - int(ends % 65536);
    held x[Each];
    ONEPASS_UNROLL for (int k = 0; k < Each; ++k)
    {
      int const i = at + (k << width);
      x[k]        = ~held(0);
      if (i < count) x[k] = order_(mine[i]);
    }
    warp.sync();
    if constexpr (Alone) {
      sort_by_network(x);
      ONEPASS_UNROLL for (int k = 0; k < Each; ++k) if (k < count) mine[k] = order_.template key<Item>(code(x[k]));
    } else {
      sort_by_lanes(warp, x, 1 << width);
      rotate(x, warp.lane);  // lanes then meet few banks twice
      ONEPASS_UNROLL for (int k = 0; k < Each; ++k)
      {
        int const to = at * Each + (k + warp.lane) % Each;
        if (to < count) mine[to] = order_.template key<Item>(code(x[k]));
      }
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
