// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/payloads.hpp>
#include <onepass/top_k.hpp>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

/// Items at given places, and a number added to each.
template <class Items, class Places>
struct items_at {
  using value_type = extent;
  Items items;
  Places places;
  extent more, size;
  ONEPASS_FUNCTION extent operator()(extent i) const { return extent(items(extent(places(i)))) + more; }
};
template <class Items, class Places>
items_at<Items, Places> taken(Items const& items, Places const& places, extent more, extent n)
{
  return {items, places, more, n};
}

}  // namespace detail

/// keys = the k first keys of all ranks in sorted order, indices = where they were, counted over all ranks; on every
/// rank. As onepass::top_k(): equal keys come in the order of their positions. k is the same on all ranks, and there
/// are as many keys. The local call, k candidates or fewer of each rank sent to all, and a local call of these. Waits
/// for the ranks.
/// \ingroup ranks
template <place_like Where, class In, class Keys, class Indices>
void top_k(transport& all, Where const& where, In const& in, extent k, Keys const& keys, Indices const& indices,
           sort_order const& order = {})
{
  using key              = item_t<In>;
  using exec             = space_of<Where>;
  char const* const name = "ranks::top_k";
  auto const here        = on(where).or_named(name);
  std::optional<detail::lent_room<key, exec>> first;
  std::optional<detail::lent_room<extent, exec>> at;
  auto const told = detail::told(all, [&] {
    require(0 <= k && k <= extent(keys.extent(0)) && k <= extent(indices.extent(0)), name, ": there is room for ",
            keys.extent(0), " keys and ", indices.extent(0), " positions; give it for ", k);
    onepass::require_disjoint(name, as_sequence(keys), as_sequence(indices), as_input(in));
    onepass::require_disjoint(name, as_sequence(indices), as_input(in));
    extent const n = as_input(in).size, own = std::min(k, n);
    first.emplace(where, own), at.emplace(where, own);
    onepass::top_k(here, in, own, first->items(), at->items(), order);
    return detail::sizes{n, k};
  });
  for (auto const& each : told)
    require(each.want == told[0].want, name, ": the first rank asks for ", told[0].want, " keys, and another for ",
            each.want, "; give all the same");
  auto const have = [](detail::sizes const& of) { return of.have; };
  auto const mine = detail::block_of(name, all, told, have);
  require(k <= mine.total, name, ": there are ", mine.total, " keys, and ", k, " are asked for");
  onepass::require_index<typename Indices::value_type>(name, mine.total);
  extent const own = std::min(k, mine.count);
  auto const local = as_sequence(at->items());
  detail::copy_items(here, detail::taken(counting<extent>{0, mine.count}, as_input(at->items()), mine.first, own),
                     local);
  detail::route way;
  way.to.assign(told.size(), {0, own});
  way.from = detail::begins_of(name, told, [&](detail::sizes const& of) { return std::min(k, of.have); });
  std::optional<detail::lent_room<key, exec>> candidates;
  std::optional<detail::lent_room<extent, exec>> places, position;
  detail::told(all, [&] {
    candidates.emplace(where, way.received()), places.emplace(where, way.received()), position.emplace(where, k);
    return true;
  });
  detail::send_along<key>(all, where, way, first->data(), candidates->data());
  detail::send_along<extent>(all, where, way, at->data(), places->data());
  onepass::top_k(here, candidates->items(), k, keys, position->items(), order);
  detail::copy_items(here, detail::taken(as_input(places->items()), as_input(position->items()), 0, k),
                     as_sequence(indices));
  here.space.fence("onepass::ranks: memory of the selection is dropped");
}

}  // namespace onepass::ONEPASS_ABI::ranks
