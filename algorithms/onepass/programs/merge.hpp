// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/splits.hpp>

namespace onepass::ONEPASS_ABI {

// Two sorted inputs become one. How many of the first d items of the output come from `a` is found by a search over a
// diagonal of the grid that both span, so tiles of the output, all of one size, have nothing to tell each other; inside
// a tile threads part its positions in the same way.

/// What goes with the keys: nothing, or a value each.
struct keys_alone {
  ONEPASS_FUNCTION void from_a(extent, extent) const {}
  ONEPASS_FUNCTION void from_b(extent, extent) const {}
};
template <class A, class B, class Out>
struct values_beside {
  A a;
  B b;
  Out out;
  ONEPASS_FUNCTION void from_a(extent i, extent to) const { out(to) = static_cast<typename Out::value_type>(a(i)); }
  ONEPASS_FUNCTION void from_b(extent i, extent to) const { out(to) = static_cast<typename Out::value_type>(b(i)); }
};

/// A range program over the output.
template <class A, class B, class Out, class Less, class Beside>
struct merge_program {
  using item   = typename A::value_type;
  using output = typename Out::value_type;

  static constexpr extent alone_at_a_time = extent(1) << 15;

  A a;
  B b;
  item_count a_count, b_count;
  Out out;
  Less less;
  Beside beside;
  extent* splits;  ///< of every tile: the items of `a` before it

  ONEPASS_FUNCTION extent size() const { return a_count() + b_count(); }

  /// A stage holds a tile's items and, for each position, which of them goes there.
  static constexpr int positions(team_tuning const& numbers)
  {
    int const each = numbers.items_per_thread(sizeof(item) + sizeof(std::uint16_t));
    return numbers.threads * (numbers.threads > 1 && each > 16 ? 16 : each);
  }
  static constexpr int stage_words(int positions) { return words_of_items(positions) + (positions + 1) / 2; }

  ONEPASS_FUNCTION void seek(extent tile, extent first) const { splits[tile] = split(first); }

  /// One thread merges item by item.
  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    merge_program const p = *this;  // a copy, that no store can change
    extent const as = p.a_count(), bs = p.b_count();
    extent i = split(first), j = first - i;
    auto const take_a = [&] {
      p.out(first) = static_cast<output>(p.a(i));
      p.beside.from_a(i++, first++);
    };
    auto const take_b = [&] {
      p.out(first) = static_cast<output>(p.b(j));
      p.beside.from_b(j++, first++);
    };
    while (first < last && i < as && j < bs) {
      if (p.less(p.b(j), p.a(i))) take_b();
      else take_a();
    }
    while (first < last && i < as) take_a();
    while (first < last) take_b();
  }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent tile, extent first, extent last) const
  {
    if constexpr (Team::threads == 1) alone(first, last);
    else {
      constexpr int each   = Positions / Team::threads;
      extent const begin_a = splits[tile], begin_b = first - begin_a;
      int const count = int(last - first);
      int const as = int((last < size() ? splits[tile + 1] : a_count()) - begin_a), bs = count - as;

      // Items of a, then those of b.
      auto* const items = reinterpret_cast<item*>(team.stage());
      auto* const which = reinterpret_cast<std::uint16_t*>(team.stage() + 4 * words_of_items(Positions));
      ONEPASS_UNROLL for (int j = 0; j < each; ++j)
      {
        int const k = j * Team::threads + team.rank();
        if (k < as) items[k] = a(begin_a + k);
        else if (k < count) items[k] = b(begin_b + k - as);
      }
      team.barrier();

      int const here = team.rank() * each;
      if (here < count) {
        auto const of_b = [&](extent k) { return items[as + k]; };
        int i           = int(split_of_merge(
                      here, as, bs, less, [&](extent k) { return items[k]; }, of_b));
        int j           = here - i;
        ONEPASS_UNROLL for (int k = 0; k < each; ++k)
        {
          if (here + k >= count) break;
          bool const from_a = j >= bs || (i < as && !less(items[as + j], items[i]));
          which[here + k]   = std::uint16_t(from_a ? i++ : as + j++);
        }
      }
      team.barrier();

      ONEPASS_UNROLL for (int j = 0; j < each; ++j)
      {
        int const k = j * Team::threads + team.rank();
        if (k >= count) break;
        int const from = which[k];
        out(first + k) = static_cast<output>(items[from]);
        if (from < as) beside.from_a(begin_a + from, first + k);
        else beside.from_b(begin_b + from - as, first + k);
      }
    }
  }

private:
  ONEPASS_FUNCTION static constexpr int words_of_items(int positions)
  {
    return int((std::size_t(positions) * sizeof(item) + 3) / 4);
  }

  ONEPASS_FUNCTION extent split(extent d) const
  {
    return split_of_merge(
        d, a_count(), b_count(), less, [&](extent k) -> item { return a(k); }, [&](extent k) -> item { return b(k); });
  }
};

}  // namespace onepass::ONEPASS_ABI
