// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/unmoved.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// Whether what a program writes may lie where its items are read.
template <class In, class Column>
bool may_lie_in(In const& in, Column const& to)
{
  if constexpr (is_zipped<In>) return may_lie_in(in.first, to) || may_lie_in(in.second, to);
  else if constexpr (of_objects<In> && of_objects<Column>) return lies_in(in, to, 0);
  else return true;
}
template <class Program>
bool may_be_in_place(Program const& p)
{
  bool may = false;
  each_column<Program>(
      [&]<int c>(std::integral_constant<int, c>) { may = may || may_lie_in(p.input(), p.template column<c>()); });
  return may;
}

}  // namespace onepass::ONEPASS_ABI::backends::host
