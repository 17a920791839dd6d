// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/borders.hpp>
#include <onepass/ranks/programs/canonical.hpp>
#include <onepass/ranks/programs/carries.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/unique.hpp>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

/// What ranks tell of the runs that they have found.
struct found_runs {
  extent count;  ///< items
  extent lead;   ///< items of a run that began on a rank before
  extent runs;   ///< runs that begin here
};
inline block block_of_runs(char const* label, transport const& all, std::vector<found_runs> const& ranks)
{
  return block_of(label, all, ranks, [](found_runs const& r) { return r.runs; });
}

}  // namespace detail

/// \addtogroup ranks
/// \{

/// out = the first item of every run of equal items that begins on this rank. As onepass::unique(), but not in place.
/// Returns how many they are here, on the ranks before, and on all. Items are read once, those of a run that began on a
/// rank before once more; each rank sends two items and some words.
template <place_like Where, class In, class Out, class Equal = equal_to>
block unique(transport& all, Where const& where, In const& in, Out const& out, Equal equal = {})
{
  char const* const name = "ranks::unique";
  auto const here        = on(where).or_named(name);
  auto const check       = [&] { onepass::require_disjoint(name, as_input(in), as_sequence(out)); };
  auto const known       = detail::look_at_borders(all, here, in, equal, check);
  auto const ranks       = detail::told(all, [&] {
    detail::found_runs found{extent(in.extent(0)), detail::lead_of(known, here, in, equal), 0};
    onepass::unique(here, detail::behind(in, found.lead), out, found.runs, equal);
    return found;
  });
  return detail::block_of_runs(name, all, ranks);
}

/// symbols(k), lengths(k) = the item and the length of the k-th run that begins on this rank; of its length on all. As
/// onepass::run_length_encode(), but not in place. Returns how many runs begin here, on the ranks before, and on all.
/// Costs as unique() does.
template <place_like Where, class In, class Symbols, class Lengths, class Equal = equal_to>
block run_length_encode(transport& all, Where const& where, In const& in, Symbols const& symbols,
                        Lengths const& lengths, Equal equal = {})
{
  char const* const name = "ranks::run_length_encode";
  auto const here        = on(where).or_named(name);
  auto const known       = detail::look_at_borders(
            all, here, in, equal, [&] { onepass::require_disjoint(name, as_input(in), as_sequence(symbols)); });
  auto const ranks = detail::told(all, [&] {
    detail::found_runs found{extent(in.extent(0)), detail::lead_of(known, here, in, equal), 0};
    onepass::run_length_encode(here, detail::behind(in, found.lead), symbols, lengths, found.runs, equal);
    return found;
  });
  extent more      = 0;
  detail::each_lead_behind(ranks, all.rank(), [&](auto const& r) { more = detail::added(name, more, r.lead); });
  using length = typename Lengths::value_type;
  if (more > 0)
    detail::update_last(here, lengths, ranks[std::size_t(all.rank())].runs,
                        detail::with_newer<plus, length>{{}, static_cast<length>(more)});
  return detail::block_of_runs(name, all, ranks);
}

/// keys_out(k), sums(k) = the first key of the k-th run of equal keys that begins on this rank, and its values on all
/// ranks combined. As onepass::reduce_by_key(), but not in place. Returns how many runs begin here, on the ranks
/// before, and on all. Costs as unique() does; values of a run that began on a rank before are read once.
template <place_like Where, class Keys, class Values, class KeysOut, class Sums, class Op = plus,
          class Equal = equal_to>
block reduce_by_key(transport& all, Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                    Sums const& sums, Op op = {}, Equal equal = {})
{
  using T       = item_t<Sums>;
  using carries = detail::carries<T, Op>;
  using carry   = typename carries::type;
  struct found_sums : detail::found_runs {
    carry sum;  // of the lead
  };
  detail::refuse_orders<Where, T>();
  char const* const name = "ranks::reduce_by_key";
  auto const here        = on(where).or_named(name);
  carries const by(op);
  auto const known = detail::look_at_borders(all, here, keys, equal, [&] {
    onepass::require_values(name, as_input(keys), as_input(values));
    onepass::require_disjoint(name, as_input(keys), as_sequence(keys_out));
  });
  auto const ranks = detail::told(all, [&] {
    extent const n = extent(keys.extent(0));
    found_sums found{{n, detail::lead_of(known, here, keys, equal), 0}, carries::identity()};
    if (found.lead > 0) found.sum = by.sum(here, detail::up_to(values, found.lead));
    onepass::reduce_by_key(here, detail::behind(keys, found.lead), detail::behind(values, found.lead), keys_out, sums,
                           found.runs, op, equal);
    return found;
  });
  carry more       = carries::identity();
  extent of        = 0;
  detail::each_lead_behind(ranks, all.rank(), [&](auto const& r) { more = by.combine(more, r.sum), of += r.lead; });
  if (of > 0)
    detail::update_last(here, sums, ranks[std::size_t(all.rank())].runs,
                        detail::with_newer<typename carries::known, T>{by.by().op, carries::value(more)});
  return detail::block_of(name, all, ranks, [](found_sums const& r) { return r.runs; });
}

/// \}

namespace detail {

template <bool Inclusive, class Where, class Keys, class Values, class Out, class Op, class Init, class Equal>
void scan_by_key(char const* label, transport& all, Where const& where, Keys const& keys, Values const& values,
                 Out const& out, Op const& op, Init const& init, Equal const& equal)
{
  using T       = item_t<Out>;
  using carries = detail::carries<T, Op>;
  using carry   = typename carries::type;
  struct last_run {
    extent count, lead;
    carry sum;  // of its values so far, on this rank, and of init where it begins here
  };
  refuse_orders<Where, T>();
  auto const here = on(where).or_named(label);
  carries const by(op);
  auto const known = detail::look_at_borders(all, here, keys, equal, [&] {
    onepass::require_values(label, as_input(keys), as_input(values));
    onepass::require_room(label, as_input(keys), as_sequence(out));
    onepass::require_no_overlap(label, as_input(values), as_sequence(out));
    onepass::require_disjoint(label, as_input(keys), as_sequence(out));
  });
  extent const n   = extent(keys.extent(0));
  auto const ranks = told(all, [&] {
    last_run found{n, lead_of(known, here, keys, equal), carries::identity()};
    if (found.lead == n) {
      if (n > 0) found.sum = by.sum(here, up_to(values, n));
      return found;
    }
    auto const last = as_input(values);
    T const x       = asked<T>(here, item_at<sequence_of<Values>>{last, n - 1});  // before it is overwritten
    auto const rest = behind(up_to(out, n), found.lead);
    if constexpr (Inclusive)
      onepass::inclusive_scan_by_key(here, behind(keys, found.lead), behind(values, found.lead), rest, op, init, equal);
    else
      onepass::exclusive_scan_by_key(here, behind(keys, found.lead), behind(values, found.lead), rest, op, init, equal);
    found.sum = carries::lift(asked<T>(here, item_at<sequence_of<Out>>{as_input(out), n - 1}));
    if constexpr (!Inclusive) found.sum = by.combine(found.sum, carries::lift(x));
    return found;
  });
  auto const& mine = ranks[std::size_t(all.rank())];
  if (mine.lead == 0) return;
  carry before = carries::identity();
  for (auto r = std::size_t(all.rank()); r-- > 0;) {
    before = by.combine(ranks[r].sum, before);
    if (ranks[r].lead < ranks[r].count) break;
  }
  auto const from = up_to(values, mine.lead);
  auto const to   = up_to(out, mine.lead);
  if constexpr (Inclusive) onepass::inclusive_scan<T>(here, from, to, op, carries::value(before));
  else onepass::exclusive_scan<T>(here, from, to, op, carries::value(before));
}

}  // namespace detail

/// \addtogroup ranks
/// \{

/// out(i) = init · the values before i that belong to the same run of keys, on this rank and on those before. As
/// onepass::exclusive_scan_by_key(), with an init that is a value. Keys and values are read once, those of a run that
/// began on a rank before up to twice; each rank sends two keys, a value and some words.
template <place_like Where, class Keys, class Values, class Out, class Op = plus, class Init = no_init,
          class Equal = equal_to>
void exclusive_scan_by_key(transport& all, Where const& where, Keys const& keys, Values const& values, Out const& out,
                           Op op = {}, Init const& init = {}, Equal equal = {})
{
  detail::scan_by_key<false>("ranks::exclusive_scan_by_key", all, where, keys, values, out, op, init, equal);
}

/// out(i) = init · the values up to i that belong to the same run of keys, on this rank and on those before. Costs as
/// exclusive_scan_by_key() does.
template <place_like Where, class Keys, class Values, class Out, class Op = plus, class Init = no_init,
          class Equal = equal_to>
void inclusive_scan_by_key(transport& all, Where const& where, Keys const& keys, Values const& values, Out const& out,
                           Op op = {}, Init const& init = {}, Equal equal = {})
{
  detail::scan_by_key<true>("ranks::inclusive_scan_by_key", all, where, keys, values, out, op, init, equal);
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
