// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/unique.hpp>
#include <onepass/select.hpp>
#include <onepass/zip.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup unique_items Unique items
/// The first of every run of equal items, keys or rows; runs are maximal stretches of equal adjacent items.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`, `keys`: a View of rank 1, a sequence, or `first(items, count)`; `zip(views...)` for rows. Equal items need
///   not be sorted, but must be adjacent
/// - `out`, `keys_out`, `values_out`: Views of rank 1; `zip(views...)` for rows. On single-pass schedules `out` may be
///   `in` itself, and `keys_out` may be `keys`. They may be too short: the rest is then not written
/// - `count`: a View of rank 0, or a variable of the host, of an integral type, which receives the number of runs, even
///   if they do not all fit
/// - `equal`: `equal(item, next)`, called once per item, twice on two-pass schedules. Default: ==
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, items that are not default
/// constructible, outputs of rank 2 and counts that are not integers. Throws precondition_error, before anything is
/// queued, if there are too few values, columns of `in` are not of one length, or memory is shared in another way.
///
/// Cost: one pass; n items are read once and the first of each run is written once.
///
/// Queued on the instance without a fence; waits only where the count is a variable. Allocates nothing if the place has
/// a large enough workspace.
///
/// Source: in a single pass and in place, Merrill & Garland 2016; see docs/references.md.
/// \{

/// out = the first item of every run of equal items.
template <place_like Where, class In, class Out, class Count, class Equal = equal_to>
void unique(Where const& where, In const& in, Out const& out, Count&& count, Equal equal = {})
{
  auto to = detail::checked_output<space_of<Where>, item_t<In>>(out);
  detail::select("unique", where, in, keep_heads<Equal>{equal}, std::forward<Count>(count),
                 kept_column<decltype(as_sequence(out)), write_item>{to, {}});
}

/// keys_out, values_out = the first key of every run of equal keys, and its value. `values`, a View of rank 1 or a
/// sequence, has a value for each key; values_out may not be `values`.
template <place_like Where, class Keys, class Values, class KeysOut, class ValuesOut, class Count,
          class Equal = equal_to>
void unique_by_key(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                   ValuesOut const& values_out, Count&& count, Equal equal = {})
{
  using exec = space_of<Where>;
  check_input<exec, Values>();
  auto const companions = as_input(values);
  onepass::require_values("unique_by_key", as_input(keys), companions);
  auto const to_keys   = detail::checked_output<exec, item_t<Keys>>(keys_out);
  auto const to_values = detail::checked_output<exec, item_t<Values>>(values_out);
  onepass::require_disjoint("unique_by_key", companions, to_keys, to_values);
  onepass::require_disjoint("unique_by_key", as_input(keys), to_values);
  onepass::require_disjoint("unique_by_key", to_keys, to_values);
  detail::select(
      "unique_by_key", where, keys, keep_heads<Equal>{equal}, std::forward<Count>(count),
      kept_column<decltype(as_sequence(keys_out)), write_item>{to_keys, {}},
      kept_column<decltype(as_sequence(values_out)), write_companion<sequence_of<Values>>>{to_values, {companions}});
}

/// unique of rows: the columns of `out` receive the first row of every run of equal rows. `out` has as many columns as
/// `in`; each column of `out` may be that of `in`. `equal` takes rows; rows have == if all their columns have it.
template <place_like Where, class... In, class... Out, class Count, class Equal = equal_to>
void unique(Where const& where, zipped_views<In...> const& in, zipped_views<Out...> const& out, Count&& count,
            Equal equal = {})
{
  static_assert(sizeof...(In) == sizeof...(Out), "onepass: there must be as many columns out as in");
  using exec = space_of<Where>;
  auto from  = detail::rows_in<exec>("unique", in);
  detail::require_columns_fit("unique", where, in, out);
  [&]<std::size_t... C>(std::index_sequence<C...>)
  {
    detail::select("unique", where, from, keep_heads<Equal>{equal}, std::forward<Count>(count),
                   kept_column<decltype(as_sequence(std::get<C>(out.views))), write_part<int(C)>>{
                       detail::checked_output<exec, item_t<In>>(std::get<C>(out.views)), {}}...);
  }
  (std::index_sequence_for<In...>{});
}

/// \}

}  // namespace onepass::ONEPASS_ABI
