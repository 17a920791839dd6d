// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/stage.hpp>
#include <onepass/engine/items/unmoved.hpp>

namespace onepass::ONEPASS_ABI {

/// The output of a tile of a compacting program for its columns C..., one column after another in the stage.
template <class Program, int... C>
class staged_columns {
  using aggregate = typename Program::aggregate_type;

public:
  /// For a tile of `valid` items from item `first` on. If `prefix` is everything before the tile, and `all` everything
  /// up to its end, each column is staged at the alignment of its destination. Another prefix is correct too, but then
  /// the output is written item by item rather than in packs.
  ONEPASS_FUNCTION staged_columns(Program const& program, char* stage, extent first, int valid, aggregate const& prefix,
                                  aggregate const& all)
      : program_(program)
      , first_(first)
      , valid_(valid)
  {
    (lay_out<C>(stage, prefix, all), ...);
  }

  /// Stages the k-th value that the tile keeps for a column.
  template <int Column, class Value>
  ONEPASS_FUNCTION void put(std::integral_constant<int, Column>, int k, Value const& value) const
  {
    using T                                          = column_item<Program, Column>;
    reinterpret_cast<T*>(memory_[Column - begin])[k] = static_cast<T>(value);
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
  ONEPASS_FUNCTION extent position(int i, aggregate const& before) const
  {
    return program_.template position<Column>(first_ + i, before);
  }

  template <int Column>
  ONEPASS_FUNCTION void lay_out(char*& stage, aggregate const& prefix, aggregate const& all)
  {
    constexpr int item      = int(sizeof(column_item<Program, Column>));
    extent const base       = position<Column>(0, prefix);
    memory_[Column - begin] = stage + phase_of(program_.template column<Column>(), base);
    stage += (int(memory_[Column - begin] - stage) + int(position<Column>(valid_, all) - base) * item + 15) / 16 * 16;
  }

  template <int Items, int Column, class Team>
  ONEPASS_FUNCTION void write_column(Team const& team, aggregate const& prefix, aggregate const& all) const
  {
    auto const to     = program_.template column<Column>();
    auto const staged = reinterpret_cast<column_item<Program, Column> const*>(memory_[Column - begin]);
    extent const base = position<Column>(0, prefix);
    if (position<Column>(valid_, all) - base == valid_ && unmoved<Column>(program_, first_, base, valid_)) return;
    auto const out = part_inside(to, base, position<Column>(valid_, all));
    stage_out<Items>(team, staged + (out.begin - base), to, out.begin, out.count);
  }

  Program const& program_;
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
