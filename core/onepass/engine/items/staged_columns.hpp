// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/stage.hpp>
#include <onepass/engine/items/unmoved.hpp>

namespace onepass::ONEPASS_ABI {

/// The output of a tile of a compacting program for its columns C..., one column after another in the stage: what is
/// written, or the places of the items that are.
template <class Program, int... C>
class staged_columns {
  using aggregate = typename Program::aggregate_type;
  template <int Column>
  using kept = std::conditional_t<lists_places<Program>, place_in_tile, column_item<Program, Column>>;

public:
  /// For a tile of `valid` items from item `first` on. If `prefix` is everything before the tile, and `all` everything
  /// up to its end, each column is staged at the alignment of its destination. Another prefix is correct too, but then
  /// the output is written item by item rather than in packs.
  /// Columns are `behind` bytes behind the stage's beginning.
  ONEPASS_FUNCTION staged_columns(Program const& program, char* stage, std::size_t behind, extent first, int valid,
                                  aggregate const& prefix, aggregate const& all)
      : program_(program)
      , stage_(stage)
      , first_(first)
      , valid_(valid)
  {
    auto* at = stage + behind;
    (lay_out<C>(at, prefix, all), ...);
  }

  /// Stages the k-th value, or place, that the tile keeps for a column.
  template <int Column, class Value>
  ONEPASS_FUNCTION void put(std::integral_constant<int, Column>, int k, Value const& value) const
  {
    column<Column>()[k] = static_cast<kept<Column>>(value);
  }

  /// Writes the columns out, by the whole team: `prefix` is everything before the tile, `all` everything up to its end.
  template <int Items, class Team>
  ONEPASS_FUNCTION void write(Team const& team, aggregate const& prefix, aggregate const& all) const
  {
    (write_column<Items, C>(team, prefix, all), ...);
  }

private:
  static constexpr int begin = std::min({C...});

  template <int Column>
  ONEPASS_FUNCTION kept<Column>* column() const
  {
    return reinterpret_cast<kept<Column>*>(memory_[Column - begin]);
  }

  template <int Column>
  ONEPASS_FUNCTION extent position(int i, aggregate const& before) const
  {
    return program_.template position<Column>(first_ + i, before);
  }

  template <int Column>
  ONEPASS_FUNCTION void lay_out(char*& stage, aggregate const& prefix, aggregate const& all)
  {
    constexpr int item      = int(sizeof(kept<Column>));
    extent const base       = position<Column>(0, prefix);
    memory_[Column - begin] = stage + (lists_places<Program> ? 0 : phase_of(program_.template column<Column>(), base));
    stage += (int(memory_[Column - begin] - stage) + int(position<Column>(valid_, all) - base) * item + 15) / 16 * 16;
  }

  template <int Items, int Column, class Team>
  ONEPASS_FUNCTION void write_column(Team const& team, aggregate const& prefix, aggregate const& all) const
  {
    auto const to     = program_.template column<Column>();
    extent const base = position<Column>(0, prefix);
    if (position<Column>(valid_, all) - base == valid_ && unmoved<Column>(program_, first_, base, valid_)) return;
    auto const out         = part_inside(to, base, position<Column>(valid_, all));
    auto const* const from = column<Column>() + (out.begin - base);
    if constexpr (lists_places<Program>) copy_kept(team, from, to.data + out.begin, out.count);
    else stage_out<Items>(team, from, to, out.begin, out.count);
  }

  /// to[k] = the item at the k-th place, for k < count.
  template <class Team, class T>
  ONEPASS_FUNCTION void copy_kept(Team const& team, place_in_tile const* places, T* to, int count) const
  {
    if constexpr (sizeof(T) % 16 == 0)
      if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) return copy_words<pack>(team, places, to, count);
    copy_words<aligned_word<T>>(team, places, to, count);
  }
  template <class Word, class Team, class T>
  ONEPASS_FUNCTION void copy_words(Team const& team, place_in_tile const* places, T* to, int count) const
  {
    constexpr int words = int(sizeof(T) / sizeof(Word)), together = 4;
    auto const* const from = reinterpret_cast<Word const*>(stage_);
    auto* const out        = reinterpret_cast<Word*>(to);
    int const all          = count * words;
    for (int w = team.rank(); w < all; w += together * Team::threads) {
      Word held[together];
      ONEPASS_UNROLL for (int j = 0; j < together; ++j)
      {
        int const v = w + j * Team::threads < all ? w + j * Team::threads : w;
        held[j]     = from[places[v / words] * words + v % words];
      }
      ONEPASS_UNROLL for (int j = 0; j < together; ++j) if (w + j * Team::threads < all) out[w + j * Team::threads] =
          held[j];
    }
  }

  Program const& program_;
  char const* stage_;
  extent first_;
  int valid_;
  char* memory_[sizeof...(C)];  ///< where the first value of each column is
};

/// Whether a tile writes only its items: it can then compact them in the stage before its exclusive prefix is known.
template <class P>
constexpr bool arranges_early = false;
template <class P>
  requires requires { P::columns; }
constexpr bool arranges_early<P> = []<int... C>(std::integer_sequence<int, C...>)
{
  return columns_together<P> && (copies_items<P, C> && ...);
}
(std::make_integer_sequence<int, P::columns>{});

/// Calls f(std::integer_sequence<int, C...>) for the columns that the stage holds together: for all at once, or for
/// each by itself.
template <class Program, class F>
ONEPASS_FUNCTION void each_staging(F const& f)
{
  [&]<int... C>(std::integer_sequence<int, C...>)
  {
    if constexpr (columns_together<Program>) f(std::integer_sequence<int, C...>{});
    else (f(std::integer_sequence<int, C>{}), ...);
  }
  (std::make_integer_sequence<int, Program::columns>{});
}

}  // namespace onepass::ONEPASS_ABI
