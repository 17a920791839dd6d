// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/merge_alone.hpp>
#include <onepass/execution/tuning.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI {

// What a team does with the items of a tile in its memory. Every thread has `Each` neighbouring positions, an odd
// number: threads that read one of their own a turn then meet no bank twice. Loads of a thread do not depend on each
// other and come before its stores, so that all of them are under way at once.

/// At most so many items are a thread's that sorts by merging.
inline constexpr int most_merged = 17;

/// The items of such a thread, where the largest thing it holds of them has so many bytes.
ONEPASS_FUNCTION constexpr int merged_by_a_thread(team_tuning const& numbers, std::size_t bytes)
{
  int const held = numbers.items_per_thread(bytes < 4 ? 4 : bytes), each = held < most_merged ? held : most_merged;
  return numbers.threads == 1 ? numbers.items_per_thread(bytes) : each % 2 ? each : each - 1;
}

/// What a thread makes of the merge of two runs: positions [low, high).
struct merged_stretch {
  two_runs<int> runs;
  int low, high;

  /// Of what has positions [here, behind).
  ONEPASS_FUNCTION merged_stretch(two_runs<int> const& all, int here, int behind)
      : runs(all)
      , low(here > all.begin ? here : all.begin)
      , high(behind < all.end ? behind : all.end)
  {}
  ONEPASS_FUNCTION bool has(int k) const { return is_work() && k >= low && k < high; }
  ONEPASS_FUNCTION bool is_work() const { return low < high && runs.middle < runs.end; }
};

/// Calls put(k, x, at) for k from `skip` to Each - 1: x is the item that the merge of two runs has at position low -
/// skip + k, and comes from position `at`. Behind the end of both x is whatever is there, up to Each items beyond.
template <int Each, class Item, class Less, class Put>
ONEPASS_FUNCTION void merge_by_a_thread(Item const* items, two_runs<int> const& runs, int low, int skip,
                                        Less const& less, Put const& put)
{
  int const split = split_of_merge(
      low - runs.begin, runs.middle - runs.begin, runs.end - runs.middle, less,
      [&](int k) { return items[runs.begin + k]; }, [&](int k) { return items[runs.middle + k]; });
  int i = runs.begin + split, j = runs.middle + (low - runs.begin - split);
  Item a = items[i], b = items[j];
  ONEPASS_UNROLL for (int k = 0; k < Each; ++k) if (k >= skip)
  {
    bool const of_b = j < runs.end && (i >= runs.middle || less(b, a));
    put(k, of_b ? b : a, of_b ? j : i);
    if (of_b) b = items[++j];
    else a = items[++i];
  }
}

/// Items in a team's memory, and if they are tracked, where each of them was when they were taken.
template <class Item, bool Tracked>
struct merge_stage {
  Item* items;
  std::uint16_t* source;

  ONEPASS_FUNCTION merge_stage(char* memory, int positions)
      : items(reinterpret_cast<Item*>(memory))
      , source(reinterpret_cast<std::uint16_t*>(memory + of_items(positions)))
  {}
  ONEPASS_FUNCTION static constexpr std::size_t bytes(int positions)
  {
    return of_items(positions) + (Tracked ? aligned(std::size_t(positions + beyond) * sizeof(std::uint16_t)) : 0);
  }
  ONEPASS_FUNCTION static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

  /// Position k, if it is below `count`, gets item_of(ahead, k); it is so much ahead of the thread's rank.
  template <int Each, class Team, class F>
  ONEPASS_FUNCTION void take(Team const& team, int count, F const& item_of) const
  {
    Item x[Each];
    each_position<Each>(team, count, [&](int j, int ahead, int k) { x[j] = item_of(ahead, k); });
    each_position<Each>(team, count, [&](int j, int, int k) {
      items[k] = x[j];
      if constexpr (Tracked) source[k] = std::uint16_t(k);
    });
  }

  /// put(ahead, k, item) for every position k below `count`.
  template <int Each, class Team, class F>
  ONEPASS_FUNCTION void give(Team const& team, int count, F const& put) const
  {
    each_position<Each>(team, count, [&](int, int ahead, int k) { put(ahead, k, items[k]); });
  }

  /// The same for values, which value_of(k) reads: put(ahead, k, value_of(source[k])). All are read before any is put.
  template <class Value, int Each, class Team, class F, class G>
  ONEPASS_FUNCTION void give_values(Team const& team, int count, F const& value_of, G const& put) const
  {
    static_assert(Tracked);
    Value x[Each];
    each_position<Each>(team, count, [&](int j, int, int k) { x[j] = value_of(source[k]); });
    team.barrier();
    each_position<Each>(team, count, [&](int j, int ahead, int k) { put(ahead, k, x[j]); });
  }

  /// A thread's own items, of which it has so many, in order, by exchanges of neighbours.
  template <int Each, class Team, class Less>
  ONEPASS_FUNCTION void sort_own(Team const& team, int own, Less const& less) const
  {
    int const here            = team.rank() * Each;
    std::uint32_t const pairs = (1u << own) - 1u;  // bit j + 1: there is an item j + 1
    Item x[Each];
    [[maybe_unused]] std::uint16_t from[Each];
    ONEPASS_UNROLL for (int j = 0; j < Each; ++j)
    {
      x[j]    = items[here + j];
      from[j] = std::uint16_t(here + j);
    }
    ONEPASS_UNROLL for (int turn = 0; turn < Each; ++turn)
    {
      ONEPASS_UNROLL for (int j = turn % 2; j + 1 < Each; j += 2) if ((pairs >> (j + 1) & 1u) && less(x[j + 1], x[j]))
      {
        exchange(x[j], x[j + 1]);
        if constexpr (Tracked) exchange(from[j], from[j + 1]);
      }
    }
    ONEPASS_UNROLL for (int j = 0; j < Each; ++j)
    {
      items[here + j] = x[j];
      if constexpr (Tracked) source[here + j] = from[j];
    }
  }

  /// Every thread makes its stretches of merges, which lie one behind the other; a lone one begins where the thread's
  /// positions do. A barrier must have been before; ends with one.
  template <int Each, class Team, class Less, int Parts>
  ONEPASS_FUNCTION void merge(Team const& team, merged_stretch const (&parts)[Parts], Less const& less) const
  {
    int const here = team.rank() * Each;
    Item x[Each];
    [[maybe_unused]] std::uint16_t from[Each];
    ONEPASS_UNROLL for (int h = 0; h < Parts; ++h) if (parts[h].is_work())
        merge_by_a_thread<Each>(items, parts[h].runs, parts[h].low, Parts == 1 ? 0 : parts[h].low - here, less,
                                [&](int k, Item const& y, int at) {
                                  x[k] = y;
                                  if constexpr (Tracked) from[k] = source[at];
                                });
    team.barrier();
    ONEPASS_UNROLL for (int k = 0; k < Each; ++k)
    {
      bool made = Parts == 1 && parts[0].is_work();  // what is written behind its end nobody reads
      if constexpr (Parts > 1) ONEPASS_UNROLL for (int h = 0; h < Parts; ++h) made = made || parts[h].has(here + k);
      if (made) {
        items[here + k] = x[k];
        if constexpr (Tracked) source[here + k] = from[k];
      }
    }
    team.barrier();
  }

private:
  /// f(j, ahead, k) for the positions k below `count` that are a thread's, one in so many as there are threads. The
  /// loops of whole tiles ask nothing.
  template <int Each, class Team, class F>
  ONEPASS_FUNCTION static void each_position(Team const& team, int count, F const& f)
  {
    if (count == Team::threads * Each) {
      ONEPASS_UNROLL for (int j = 0; j < Each; ++j) f(j, j * Team::threads, j * Team::threads + team.rank());
    } else {
      ONEPASS_UNROLL for (int j = 0; j < Each; ++j) if (j * Team::threads + team.rank() < count)
          f(j, j * Team::threads, j * Team::threads + team.rank());
    }
  }

  static constexpr int beyond = most_merged;  ///< items that threads read in vain behind the last

  ONEPASS_FUNCTION static constexpr std::size_t of_items(int positions)
  {
    return aligned(std::size_t(positions + beyond) * sizeof(Item));
  }
  template <class T>
  ONEPASS_FUNCTION static void exchange(T& a, T& b)
  {
    T const c = a;
    a         = b;
    b         = c;
  }
};

}  // namespace onepass::ONEPASS_ABI
