// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>
#include <onepass/engine/ranges.hpp>

#include <concepts>

namespace onepass::ONEPASS_ABI {

/// An order of items by codes that it makes of them.
template <class Order, class Item>
concept order_of_codes = requires(Order const& order, Item const& x)
{
  {
    order(x)
    } -> std::unsigned_integral;
};

/// Sorts segments of some thousand items together in a team's memory by the digits of their codes, the lowest first,
/// and only by digits in which codes of a segment differ. Each thread has a share of neighbouring items of one segment,
/// and a counter of its own for each digit: it counts its items, and when all have, it knows where each of them goes.
///
/// Source: counters of each thread, Zagha & Blelloch 1991; see docs/references.md.
template <class Item, class Order>
struct digit_stage {
  using code = decltype(std::declval<Order const&>()(std::declval<Item const&>()));
  using bits = std::conditional_t<sizeof(code) <= 4, std::uint32_t, std::uint64_t>;

  static constexpr int width = 4, bins = 1 << width, digits = 8 * int(sizeof(code)) / width;

  /// What a thread has of a segment: items [begin, end). The segment's threads are neighbours.
  struct share {
    int segment;  ///< where it begins
    int begin, end;
    int first, threads;  ///< that the segment has
  };

  ONEPASS_FUNCTION static constexpr std::size_t bytes(int threads)
  {
    return std::size_t(threads) * bins * sizeof(std::uint16_t) + digits;
  }

  Order const& order;
  std::uint16_t* counters;  ///< of each segment, digit and thread, in this order
  bool* differs;            ///< of each digit

  ONEPASS_FUNCTION digit_stage(Order const& by, char* memory, int threads)
      : order(by)
      , counters(reinterpret_cast<std::uint16_t*>(memory))
      , differs(reinterpret_cast<bool*>(counters + threads * bins))
  {}

  /// Before sort(), and a barrier.
  template <class Team>
  ONEPASS_FUNCTION void clear(Team const& team) const
  {
    for (int d = team.rank(); d < digits; d += Team::threads) differs[d] = false;
  }

  /// Sorts the shares of all threads, which are items from `begin` on, fewer than 2^16. Returns where they are then:
  /// `items` or `other`. Ends with a barrier.
  template <class Team>
  ONEPASS_FUNCTION Item* sort(Team const& team, int begin, share const& own, Item* items, Item* other) const
  {
    code const any = own.begin < own.end ? order(items[own.segment]) : code(0);
    code found     = 0;
    each(own, items, order, [&](Item const&, code x) { found |= x ^ any; });
    ONEPASS_UNROLL for (int d = 0; d < digits; ++d) if (bits(found >> d * width) % bins != 0) differs[d] = true;
    team.barrier();
    for (int d = 0; d < digits; ++d) {
      if (!differs[d]) continue;
      move(team, begin, d * width, own, items, other);
      Item* const here = other;
      other            = items;
      items            = here;
    }
    return items;
  }

private:
  /// use(item, at(item)) for each of a share. Of several `at` is asked together.
  template <class At, class Use>
  ONEPASS_FUNCTION static void each(share const& own, Item const* items, At const& at, Use const& use)
  {
    constexpr int together = 4;
    int k                  = own.begin;
    ONEPASS_NO_UNROLL for (; k + together <= own.end; k += together)
    {
      Item x[together];
      decltype(at(x[0])) where[together];
      ONEPASS_UNROLL for (int j = 0; j < together; ++j) x[j]     = items[k + j];
      ONEPASS_UNROLL for (int j = 0; j < together; ++j) where[j] = at(x[j]);
      ONEPASS_UNROLL for (int j = 0; j < together; ++j) use(x[j], where[j]);
    }
    ONEPASS_NO_UNROLL for (; k < own.end; ++k) use(items[k], at(items[k]));
  }

  /// Brings items into the order of one digit. Ends with a barrier.
  template <class Team>
  ONEPASS_FUNCTION void move(Team const& team, int begin, int at, share const& own, Item const* from, Item* to) const
  {
    auto* const mine   = counters + own.first * bins + (team.rank() - own.first);
    auto const counter = [&](Item const& x) { return int(bits(order(x) >> at) % bins) * own.threads; };
    ONEPASS_UNROLL for (int d = 0; d < bins; ++d) mine[d * own.threads] = 0;
    each(own, from, counter, [&](Item const&, int c) { ++mine[c]; });
    team.barrier();
    place(team, begin);
    team.barrier();
    each(own, from, counter, [&](Item const& x, int c) {
      auto const place = mine[c];
      mine[c]          = std::uint16_t(place + 1);
      to[place]        = x;
    });
    team.barrier();
  }

  /// Turns counts into where the first item of each counter goes.
  template <class Team>
  ONEPASS_FUNCTION void place(Team const& team, int begin) const
  {
    constexpr int packs = bins * sizeof(std::uint16_t) / sizeof(pack);
    auto* const mine    = reinterpret_cast<pack*>(counters) + team.rank() * packs;
    pack counts[packs];
    std::uint32_t both = 0;  // of two counters each
    ONEPASS_UNROLL for (int p = 0; p < packs; ++p)
    {
      counts[p] = mine[p];
      ONEPASS_UNROLL for (int k = 0; k < 4; ++k) both += counts[p].word[k];
    }
    extent const items = both % 65536 + both / 65536;
    extent all;
    auto next = std::uint32_t(begin) + std::uint32_t(team.exclusive_scan(range_sums{}, items, all));
    ONEPASS_UNROLL for (int p = 0; p < packs; ++p)
    {
      ONEPASS_UNROLL for (int k = 0; k < 4; ++k)
      {
        auto const two    = counts[p].word[k];
        auto const second = next + two % 65536;
        counts[p].word[k] = next | second << 16;
        next              = second + two / 65536;
      }
      mine[p] = counts[p];
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
