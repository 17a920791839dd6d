// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

/// A row: one item of each of several columns. Rows are equal if all columns are.
template <class... Ts>
struct row_of {
  ONEPASS_FUNCTION friend bool operator==(row_of const&, row_of const&) { return true; }
};
template <class First, class... Rest>
struct row_of<First, Rest...> {
  First first;
  row_of<Rest...> rest;

  template <int C>
  ONEPASS_FUNCTION auto const& get() const
  {
    if constexpr (C == 0) return first;
    else return rest.template get<C - 1>();
  }
  ONEPASS_FUNCTION friend bool operator==(row_of const& a, row_of const& b)
  {
    return a.first == b.first && a.rest == b.rest;
  }
};

/// Several sequences as the columns of a sequence of rows.
template <class... Columns>
struct rows_of;
template <>
struct rows_of<> {
  using value_type = row_of<>;
  ONEPASS_FUNCTION value_type operator()(extent) const { return {}; }
};
template <class First, class... Rest>
struct rows_of<First, Rest...> {
  using value_type = row_of<typename First::value_type, typename Rest::value_type...>;
  First first;
  rows_of<Rest...> rest;
  extent size = first.size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return {first(i), rest(i)}; }
};

inline rows_of<> make_rows() { return {}; }
template <class First, class... Rest>
rows_of<First, Rest...> make_rows(First const& first, Rest const&... rest)
{
  return {first, onepass::make_rows(rest...)};
}

/// Writes column C of a kept row.
template <int C>
struct write_part {
  template <class Row>
  ONEPASS_FUNCTION auto operator()(extent, Row const& x) const
  {
    return x.template get<C>();
  }
};

}  // namespace onepass::ONEPASS_ABI
