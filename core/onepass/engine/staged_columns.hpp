// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/stage.hpp>

namespace onepass {

/// What a tile of a program that compacts writes of its columns C..., side by side in the stage, each at its phase.
template <class Program, int... C>
class staged_columns {
  using aggregate = typename Program::aggregate_type;

public:
  /// A tile of `valid` items from `first` on: `prefix` is everything before it, `all` goes on to its end.
  ONEPASS_FUNCTION staged_columns(Program const& program, char* stage, extent first, int valid, aggregate const& prefix, aggregate const& all)
      : program_(program)
  {
    (lay_out<C>(stage, first, valid, prefix, all), ...);
  }

  /// The k-th of what the tile keeps for a column.
  template <int Column, class Value>
  ONEPASS_FUNCTION void put(std::integral_constant<int, Column>, int k, Value const& value) const
  {
    using T = column_item<Program, Column>;
    reinterpret_cast<T*>(memory_[Column - begin])[out_[Column - begin].base_offset + k] = static_cast<T>(value);
  }

  /// Writes them out, by the whole team.
  template <int Items, class Team>
  ONEPASS_FUNCTION void write(Team const& team) const
  {
    (detail::stage_out<Items>(team, reinterpret_cast<column_item<Program, C> const*>(memory_[C - begin]) + out_[C - begin].offset,
                              program_.template column<C>(), out_[C - begin].begin, out_[C - begin].count), ...);
  }

private:
  static constexpr int begin = std::min({C...});

  template <int Column>
  ONEPASS_FUNCTION void lay_out(char*& stage, extent first, int valid, aggregate const& prefix, aggregate const& all)
  {
    const extent base = program_.template place<Column>(first, prefix), end = program_.template place<Column>(first + valid, all);
    const auto   out  = detail::stretch_of(program_.template column<Column>(), base, end);
    out_[Column - begin]    = out;
    memory_[Column - begin] = stage;
    stage += ((out.base_offset + int(end - base)) * int(sizeof(column_item<Program, Column>)) + 15) / 16 * 16;
  }

  Program const&  program_;
  detail::stretch out_[sizeof...(C)];
  char*           memory_[sizeof...(C)];
};

/// f(std::integer_sequence<int, C...>) for the columns that a stage holds side by side: all, or each by itself.
template <class Program, class F>
ONEPASS_FUNCTION void each_staging(F const& f)
{
  [&]<int... C>(std::integer_sequence<int, C...>) {
    if constexpr (columns_together<Program>) f(std::integer_sequence<int, C...>{});
    else (f(std::integer_sequence<int, C>{}), ...);
  }(std::make_integer_sequence<int, Program::columns>{});
}

}  // namespace onepass
