// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/find.hpp>
#include <onepass/ranks/programs/exchange.hpp>

namespace onepass::ONEPASS_ABI::ranks::detail {

// A run of equal items may lie on several ranks. It belongs to the rank on which it begins: the others leave its
// items out, which are their lead, and tell that rank what it needs of them.

/// How many items a rank has, and what is at its borders, if there are any.
template <class T>
struct ends {
  extent count;
  extent alike;  ///< how many of its first items are a run, as far as was looked
  T first, last;
};

template <class Items>
struct item_at {
  Items items;
  extent i;
  ONEPASS_FUNCTION auto operator()() const { return items(i); }
};

/// Whether a run begins at item i, which is not the first.
template <class Items, class Equal>
struct begins_run {
  Items items;
  Equal equal;
  ONEPASS_FUNCTION bool operator()(extent i) const { return !equal(items(i - 1), items(i)); }
};

template <class T, class Items, class Equal>
struct items_at_ends {
  static constexpr extent most = 32;  ///< items that are looked at: most leads are shorter

  begins_run<Items, Equal> begins;
  ONEPASS_FUNCTION ends<T> operator()() const
  {
    auto const& items = begins.items;
    extent alike      = 1;
    while (alike < items.size && alike < most && !begins(alike)) ++alike;
    return {items.size, alike, items(0), items(items.size - 1)};
  }
};

/// How many of a rank's first items go on with a run of a rank before it: so many, or more if it is not known to end.
struct known_lead {
  extent items = 0;
  bool ends    = true;
};

/// Tells ranks what is at their borders. `check` throws where arguments are wrong.
template <class Where, class Items, class Equal, class Check>
known_lead look_at_borders(transport& all, Where const& where, Items const& items, Equal const& equal,
                           Check const& check)
{
  static_assert(item_rank<Items> == 1 && Kokkos::is_view_v<Items>,
                "onepass: over ranks, runs are those of a View of rank 1");
  check_input<space_of<Where>, Items>();
  using T         = item_t<Items>;
  auto const from = as_input(items);
  using item      = item_at<sequence_of<Items>>;
  using both      = items_at_ends<T, sequence_of<Items>, Equal>;
  // Asked at once where one result has room for them, since each is a wait for the device.
  constexpr bool at_once = sizeof(ends<T>) <= workspace<space_of<Where>>::result_bytes;
  auto const ranks       = told(all, [&] {
    check();
    if (from.size == 0) return ends<T>{};
    if constexpr (at_once) return asked<ends<T>>(where, both{{from, equal}});
    else return ends<T>{from.size, 1, asked<T>(where, item{from, 0}), asked<T>(where, item{from, from.size - 1})};
  });
  auto const& mine       = ranks[std::size_t(all.rank())];
  auto before            = std::size_t(all.rank());
  while (before > 0 && ranks[before - 1].count == 0) --before;
  if (before == 0 || from.size == 0 || !equal(ranks[before - 1].last, mine.first)) return {};
  return {mine.alike, mine.alike == from.size || (at_once && mine.alike < both::most)};
}

/// How many items this rank's lead has. Waits where that is not known.
template <class Where, class Items, class Equal>
extent lead_of(known_lead const& known, Where const& where, Items const& items, Equal const& equal)
{
  if (known.ends) return known.items;
  auto const from = as_input(items);
  begins_run<sequence_of<Items>, Equal> const begins{from, equal};
  extent lead = known.items;
  for (extent next = 4096; lead < from.size; next *= 64) {
    extent const n = std::min(next, from.size - lead);
    extent at      = 0;
    onepass::find_if(where, counting<extent>{lead, n}, at, begins);
    lead += at;
    if (at < n) break;
  }
  return lead;
}

/// The items of a View from one on, or before it.
template <class View>
auto behind(View const& view, extent first)
{
  return Kokkos::subview(view, std::pair<extent, extent>(first, extent(view.extent(0))));
}
template <class View>
auto up_to(View const& view, extent last)
{
  return Kokkos::subview(view, std::pair<extent, extent>(0, last));
}

/// Calls f(r) for each rank behind this one whose lead is of the run that is the last one here, in order. Ranks told
/// `count`, their items, and `lead`.
template <class Told, class F>
void each_lead_behind(std::vector<Told> const& ranks, int rank, F const& f)
{
  for (auto r = std::size_t(rank) + 1; r < ranks.size(); ++r) {
    f(ranks[r]);
    if (ranks[r].lead < ranks[r].count) return;
  }
}

/// The last of `runs` items becomes update(it), where there is one and there is room for it.
template <class Out, class Update>
struct update_item {
  Out out;
  extent at;
  Update update;
  ONEPASS_FUNCTION void operator()(extent) const { out(at) = update(out(at)); }
};
template <class Where, class Out, class Update>
void update_last(Where const& where, Out const& out, extent runs, Update const& update)
{
  if (0 < runs && runs <= extent(out.extent(0)))
    onepass::run_each(where, update_item<decltype(as_sequence(out)), Update>{as_sequence(out), runs - 1, update}, 1,
                      "ranks::runs");
}

/// x -> op(x, newer).
template <class Op, class T>
struct with_newer {
  Op op;
  T newer;
  ONEPASS_FUNCTION T operator()(T const& older) const { return static_cast<T>(op(older, newer)); }
};

}  // namespace onepass::ONEPASS_ABI::ranks::detail
