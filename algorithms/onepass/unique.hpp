// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/unique.hpp>
#include <onepass/select.hpp>
#include <onepass/zip.hpp>

namespace onepass {

// The first of every run of equal items, keys or rows. Arguments and contract as in select.hpp.

/// out = the first item of every run of equal items.
template <where Where, class In, class Out, class Count, class Equal = equal_to>
void unique(Where const& where, In const& in, Out const& out, Count const& count, Equal equal = {})
{
  auto const to = detail::checked_output<space_of<Where>, item_t<In>>(out);
  detail::select("unique", where, in, keep_heads<Equal>{equal}, count,
                 kept_column<decltype(as_sequence(out)), write_item>{to, {}});
}

/// keys_out, values_out = the first key of every run of equal keys, and the value beside it. Values may not be written
/// where they are read.
template <where Where, class Keys, class Values, class KeysOut, class ValuesOut, class Count, class Equal = equal_to>
void unique_by_key(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                   ValuesOut const& values_out, Count const& count, Equal equal = {})
{
  using exec = space_of<Where>;
  check_input<exec, Values>();
  auto const companions = as_input(values);
  require_values("unique_by_key", as_input(keys), companions);
  auto const to_keys   = detail::checked_output<exec, item_t<Keys>>(keys_out);
  auto const to_values = detail::checked_output<exec, item_t<Values>>(values_out);
  require_disjoint("unique_by_key", companions, to_keys);
  require_disjoint("unique_by_key", companions, to_values);
  require_disjoint("unique_by_key", as_input(keys), to_values);
  require_disjoint("unique_by_key", to_keys, to_values);
  detail::select(
      "unique_by_key", where, keys, keep_heads<Equal>{equal}, count,
      kept_column<decltype(as_sequence(keys_out)), write_item>{to_keys, {}},
      kept_column<decltype(as_sequence(values_out)), write_companion<sequence_of<Values>>>{to_values, {companions}});
}

/// unique of rows: the columns of `out` receive the first row of every run of equal rows. Column by column, `out` may
/// be `in`.
template <where Where, class... In, class... Out, class Count, class Equal = equal_to>
void unique(Where const& where, zipped_views<In...> const& in, zipped_views<Out...> const& out, Count const& count,
            Equal equal = {})
{
  static_assert(sizeof...(In) == sizeof...(Out), "onepass: there must be as many columns out as in");
  using exec = space_of<Where>;
  check_count<exec, Count>();
  auto const from = detail::rows_in<exec>("unique", in);
  detail::require_columns_fit("unique", where, in, out);
  [&]<std::size_t... C>(std::index_sequence<C...>)
  {
    detail::select("unique", where, from, keep_heads<Equal>{equal}, count,
                   kept_column<decltype(as_sequence(std::get<C>(out.views))), write_part<int(C)>>{
                       detail::checked_output<exec, item_t<In>>(std::get<C>(out.views)), {}}...);
  }
  (std::index_sequence_for<In...>{});
}

}  // namespace onepass
