// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>
#include <onepass/engine/word_form.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

// What the threads of a team exchange inside a tile, which has fewer than 2^16 items. A program names one of the kinds
// below as `inside`; for a program that names none the threads exchange its own aggregates. A kind has an algebra:
//
//   algebra<Program>{program}              about as large as a reference
//     aggregate_type, identity(), combine(older, newer), commutes
//     lift(i, item, memo)                  what an item contributes
//     of_flags(flags, at)                  optional: the contribution of N items from these flags alone; the first is
//                                          item `at` of the tile
//     counted(sum, flags)                  optional: the same sum, with the number of flags set from `flags`
//     after(before, first, inside)         the program's aggregate: `before`, then items of a tile, the first of them
//                                          item `first` of the input
//     in_any_order                         grown() may be given tiles in any order
//     grown(warp, before, tiles)           `before`, then the aggregates of many tiles, of which every lane of the warp
//                                          holds some; the result is valid in lane 0
//
// A warp offers sum(x) and max(x) of unsigned numbers, for all lanes; reduce(algebra, x) in lane order, for the first
// lane; broadcast(x) from the first; first() and sync(). A lane holds `count` tiles: value(j) is that of tile
// number(j), which begins with item first(number(j)); where there is no such tile, real(j) is false and the value is
// neutral.

/// The number of flags set in part of a tile, and the position of the last: one word, so that a team scans it as
/// cheaply as a number. Positions count from the tile's first item.
struct flag_tally {
  std::uint32_t bits = 0;  ///< upper half: position of the last set flag + 1; lower: number of set flags

  ONEPASS_FUNCTION static flag_tally of(int count, int latest)
  {
    return {std::uint32_t(latest + 1) << 16 | std::uint32_t(count)};
  }
  ONEPASS_FUNCTION int count() const { return int(bits & 0xffff); }
  ONEPASS_FUNCTION int latest() const { return int(bits >> 16) - 1; }
};

/// The numbers of items in part of a tile that go to the first and to the second of three parts, in one word as well.
struct part_tally {
  std::uint32_t bits = 0;

  ONEPASS_FUNCTION static part_tally of(int first, int second)
  {
    return {std::uint32_t(first) << 16 | std::uint32_t(second)};
  }
  ONEPASS_FUNCTION int first() const { return int(bits >> 16); }
  ONEPASS_FUNCTION int second() const { return int(bits & 0xffff); }
};

/// The number of flags set in part of a tile, and the combination of its items from the last set flag on (of all its
/// items where none is set).
template <class Sum>
struct since_flag {
  std::uint32_t flags;
  Sum sum;

  ONEPASS_FUNCTION int count() const { return int(flags); }
};

/// What a tile publishes of it.
template <class Sum>
struct word_form<since_flag<Sum>> {
  static constexpr int words = with_number<Sum>::words;

  ONEPASS_FUNCTION static void put(since_flag<Sum> const& x, std::uint32_t (&to)[words])
  {
    with_number<Sum>{x.sum, x.flags}.put(to);
  }
  ONEPASS_FUNCTION static since_flag<Sum> get(std::uint32_t const (&from)[words])
  {
    auto const made = with_number<Sum>::get(from);
    return {made.number, made.value};
  }
};

namespace detail {
/// Tiles in their order, combined as the program's own aggregates.
template <class Program, class Algebra, class Warp, class Tiles>
ONEPASS_FUNCTION auto grown_in_order(Program const& program, Algebra const& algebra, Warp const& warp,
                                     typename Program::aggregate_type const& before, Tiles const& tiles)
{
  auto sum = Program::identity();
  ONEPASS_UNROLL for (int j = 0; j < Tiles::count; ++j) if (tiles.real(j)) sum =
      algebra.after(sum, tiles.first(tiles.number(j)), tiles.value(j));
  warp.sync();
  return program.combine(before, warp.broadcast(warp.reduce(program, sum)));
}
}  // namespace detail

/// The program's own aggregates, unchanged.
struct own_aggregates {
  template <class Program>
  struct algebra {
    using aggregate_type = typename Program::aggregate_type;

    static constexpr bool commutes     = Program::commutes;
    static constexpr bool in_any_order = Program::commutes;

    Program const& program;

    ONEPASS_FUNCTION static aggregate_type identity() { return Program::identity(); }
    ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
    {
      return program.combine(a, b);
    }
    template <class Item, class Memo>
    ONEPASS_FUNCTION aggregate_type lift(extent i, Item const& x, Memo const& memo) const
    {
      return program.lift(i, x, memo);
    }
    ONEPASS_FUNCTION aggregate_type after(aggregate_type const& before, extent, aggregate_type const& tile) const
    {
      return program.combine(before, tile);
    }
    template <class Warp, class Tiles>
    ONEPASS_FUNCTION aggregate_type grown(Warp const& warp, aggregate_type const& before, Tiles const& tiles) const
    {
      return detail::grown_in_order(program, *this, warp, before, tiles);
    }
  };
};

/// For programs whose memos are flags and to which only set flags contribute. The program has
///   aggregate after(before, flags, latest)   `before`, then `flags` set flags (maybe none), the last of them that of
///                                            item `latest`
/// Backends then take the flags of a tile as a list of positions, and combine nothing item by item.
struct flag_counts {
  template <class Program>
  struct algebra {
    using aggregate_type = flag_tally;

    static constexpr bool commutes     = false;
    static constexpr bool in_any_order = true;

    Program const& program;

    ONEPASS_FUNCTION static flag_tally identity() { return {}; }
    ONEPASS_FUNCTION static flag_tally combine(flag_tally a, flag_tally b)
    {
      auto const latest = (b.bits >> 16 ? b.bits : a.bits) & 0xffff0000u;
      return {latest | ((a.bits + b.bits) & 0xffffu)};
    }
    template <class Flags>
    ONEPASS_FUNCTION static flag_tally of_flags(Flags const& flags, int at)
    {
      int const latest = flags.latest();
      return flag_tally::of(flags.count(), latest < 0 ? latest : at + latest);
    }
    ONEPASS_FUNCTION auto after(typename Program::aggregate_type const& before, extent first, flag_tally tile) const
    {
      return program.after(before, tile.count(), first + tile.latest());
    }
    template <class Warp, class Tiles>
    ONEPASS_FUNCTION auto grown(Warp const& warp, typename Program::aggregate_type const& before,
                                Tiles const& tiles) const
    {
      unsigned count = 0, latest = 0;  // of the last flag: the tile's number, and the position in it + 1
      ONEPASS_UNROLL for (int j = 0; j < Tiles::count; ++j)
      {
        count += unsigned(tiles.value(j).count());
        if (tiles.value(j).latest() >= 0)
          latest = unsigned(tiles.number(j)) << 16 | unsigned(tiles.value(j).latest() + 1);
      }
      count  = warp.sum(count);
      latest = warp.max(latest);
      return program.after(before, extent(count), tiles.first(latest >> 16) + extent(latest & 0xffff) - 1);
    }
  };
};

/// For programs that send every item to one of three columns, by memos 0, 1 and 2. The program has
///   aggregate after(before, first, second)   `before`, then items of which `first` went to the first column and
///                                            `second` to the second
struct part_counts {
  template <class Program>
  struct algebra {
    using aggregate_type = part_tally;

    static constexpr bool commutes     = true;
    static constexpr bool in_any_order = true;

    Program const& program;

    ONEPASS_FUNCTION static part_tally identity() { return {}; }
    ONEPASS_FUNCTION static part_tally combine(part_tally a, part_tally b) { return {a.bits + b.bits}; }
    template <class Item>
    ONEPASS_FUNCTION static part_tally lift(extent, Item const&, std::uint8_t part)
    {
      return part_tally::of(part == 0, part == 1);
    }
    ONEPASS_FUNCTION auto after(typename Program::aggregate_type const& before, extent, part_tally tile) const
    {
      return program.after(before, tile.first(), tile.second());
    }
    template <class Warp, class Tiles>
    ONEPASS_FUNCTION auto grown(Warp const& warp, typename Program::aggregate_type const& before,
                                Tiles const& tiles) const
    {
      unsigned first = 0, second = 0;
      ONEPASS_UNROLL for (int j = 0; j < Tiles::count; ++j)
      {
        first += unsigned(tiles.value(j).first());
        second += unsigned(tiles.value(j).second());
      }
      return program.after(before, warp.sum(first), warp.sum(second));
    }
  };
};

/// For programs whose memos are flags and whose combination restarts at every set flag (a segmented scan), by `Sums`.
/// Inside a tile flags are bits apart from the items, so a compacting program over pairs must not use the second of a
/// pair in value(). The program has
///   Sums      sum_algebra()          associates and has an identity, as a program's combine() does
///   sum       sum_of(item, flag)     what an item contributes to the sums
///   aggregate after(before, since)   `before`, then since.flags set flags, and since.sum since the last of them
template <class Sums>
struct sums_since_flag {
  template <class Program>
  struct algebra {
    using sum_type       = typename Sums::aggregate_type;
    using aggregate_type = since_flag<sum_type>;

    static constexpr bool commutes     = Sums::commutes;  ///< if the sums do
    static constexpr bool in_any_order = Sums::commutes;

    Program const& program;
    Sums sums = program.sum_algebra();

    ONEPASS_FUNCTION aggregate_type combine(aggregate_type const& a, aggregate_type const& b) const
    {
      return {a.flags + b.flags, b.flags ? b.sum : sums.combine(a.sum, b.sum)};
    }
    ONEPASS_FUNCTION static aggregate_type identity() { return {0, Sums::identity()}; }
    template <class Item>
    ONEPASS_FUNCTION aggregate_type lift(extent, Item const& x, bool flag) const
    {
      return {flag, program.sum_of(x, flag)};
    }
    template <class Flags>
    ONEPASS_FUNCTION static aggregate_type counted(aggregate_type const& sum, Flags const& flags)
    {
      return {std::uint32_t(flags.count()), sum.sum};
    }
    ONEPASS_FUNCTION auto after(typename Program::aggregate_type const& before, extent,
                                aggregate_type const& tile) const
    {
      return program.after(before, tile);
    }
    template <class Warp, class Tiles>
    ONEPASS_FUNCTION auto grown(Warp const& warp, typename Program::aggregate_type const& before,
                                Tiles const& tiles) const
    {
      if constexpr (!in_any_order) return detail::grown_in_order(program, *this, warp, before, tiles);
      else {
        unsigned flags = 0, latest = 0;  // of the last tile with a flag, its number
        ONEPASS_UNROLL for (int j = 0; j < Tiles::count; ++j)
        {
          auto const here = tiles.value(j).flags;
          flags += here;
          if (here) latest = unsigned(tiles.number(j));
        }
        flags    = warp.sum(flags);
        latest   = warp.max(latest);
        auto sum = Sums::identity();
        ONEPASS_UNROLL for (int j = 0; j < Tiles::count; ++j) if (unsigned(tiles.number(j)) >= latest) sum =
            sums.combine(sum, tiles.value(j).sum);
        sum = warp.reduce(sums, sum);
        return warp.first() ? program.after(before, {flags, sum}) : before;
      }
    }
  };
};

namespace detail {
template <class Program>
struct inside_named {
  using type = own_aggregates;
};
template <class Program>
  requires requires { typename Program::inside; }
struct inside_named<Program> {
  using type = typename Program::inside;
};
template <class Kind>
struct sums_by_flag : std::false_type {};
template <class Sums>
struct sums_by_flag<sums_since_flag<Sums>> : std::true_type {};
}  // namespace detail

template <class Program>
using inside_kind = typename detail::inside_named<Program>::type;
template <class Program>
using algebra_for = typename inside_kind<Program>::template algebra<Program>;
template <class Program>
using inside_of = typename algebra_for<Program>::aggregate_type;

/// Satisfied by the algebra of a sums_since_flag.
template <class Algebra>
concept flagged_sums = requires
{
  typename Algebra::sum_type;
};

template <class Program>
concept counts_flags = std::same_as<inside_kind<Program>, flag_counts>;
template <class Program>
concept counts_parts = std::same_as<inside_kind<Program>, part_counts>;
template <class Program>
concept sums_by_flags = detail::sums_by_flag<inside_kind<Program>>::value;

template <class Program>
ONEPASS_FUNCTION algebra_for<Program> algebra_of(Program const& program)
{
  return {program};
}

}  // namespace onepass::ONEPASS_ABI
