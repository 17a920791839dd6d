// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/bucket_sort.hpp>
#include <onepass/ranks/programs/merged_sort.hpp>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

/// Calls f with room for n items: the View's own, or some of its own where there is none.
template <class T, place_like Where, class Out, class F>
void with_room(Where const& where, Out const& out, extent n, F const& f)
{
  if constexpr (Kokkos::is_view_v<Out>) with_contiguous<true>(where, out, f);
  else {
    lent_room<T, space_of<Where>> const own(where, n);
    f(own.data());
  }
}

template <class Out, class T>
constexpr bool is_sorted_output = [] {
  if constexpr (Kokkos::is_view_v<Out>) return Out::rank() == 1 && std::is_same_v<typename Out::value_type, T>;
  else return true;
}();

/// Sorts the keys of all ranks, and moves values with them; `nothing` stands for absent outputs and values.
template <class Where, class Keys, class Values, class KeysOut, class ValuesOut>
void sort(char const* label, transport& all, Where const& where, Keys const& keys, Values const& values,
          KeysOut const& keys_out, ValuesOut const& values_out, sort_order const& order)
{
  using key                  = item_t<Keys>;
  using exec                 = space_of<Where>;
  constexpr bool with_values = Kokkos::is_view_v<ValuesOut>;
  using moved = std::conditional_t<with_values, std::remove_const_t<typename Values::value_type>, nothing>;
  static_assert(simple_key<key>, "onepass: over ranks, keys are integers, bool, enumerations or floats");
  static_assert(is_sorted_output<KeysOut, key> && (!with_values || is_sorted_output<ValuesOut, moved>),
                "onepass: a sorted output must be a View of rank 1 of the type of its input");
  auto const here    = on(where).or_named(label);
  extent const n     = as_input(keys).size;
  bool const alone   = all.size() == 1;
  auto const sort_to = [&](auto const& keys_to, [[maybe_unused]] auto const& values_to) {
    if constexpr (with_values) onepass::radix_sort_by_key(here, keys, values, keys_to, values_to, order);
    else onepass::radix_sort(here, keys, keys_to, order);
  };
  using both = keys_and_values<key, moved>;
  std::optional<sorted_items<key, moved, exec>> sorted;
  if (!alone) sorted.emplace(all, n);
  // Many keys may go to their ranks before they are sorted.
  constexpr bool by_buckets = is_nothing<moved> || sizeof(moved) <= 8;
  bool const many           = by_buckets && !alone && sorted->are_many(n);
  auto const sort_here      = [&] {
    auto const to = sorted->room(where, n);
    if constexpr (with_values) sort_to(view_at<exec>(to.keys, n), view_at<exec>(to.values, n));
    else sort_to(view_at<exec>(to.keys, n), nothing{});
  };
  auto const told_sizes = told(all, [&] {
    onepass::detail::require_bits(label, order, key_bits<key>);
    if constexpr (with_values) require_values(label, as_input(keys), as_input(values));
    extent share = 0;
    if constexpr (Kokkos::is_view_v<KeysOut>) share = extent(keys_out.extent(0));
    if constexpr (with_values) {
      require(!Kokkos::is_view_v<KeysOut> || share == extent(values_out.extent(0)), label, ": there is room for ",
              share, " keys and ", values_out.extent(0), " values; give outputs of one size");
      if constexpr (Kokkos::is_view_v<KeysOut>) require_disjoint(label, as_sequence(keys_out), as_sequence(values_out));
      share = extent(values_out.extent(0));
    }
    if (!alone && !many) sort_here();
    return sizes{n, share};
  });
  auto const wanted     = blocks_of(label, told_sizes).second;
  if (alone) {
    std::optional<lent_room<key, exec>> unwanted;
    if constexpr (Kokkos::is_view_v<KeysOut>) sort_to(keys_out, values_out);
    else sort_to(unwanted.emplace(where, n).items(), values_out);
    return here.space.fence("onepass::ranks: memory of the sort is dropped");
  }
  extent const received   = wanted[std::size_t(all.rank()) + 1] - wanted[std::size_t(all.rank())];
  auto const into_outputs = [&](auto const& f) {
    with_room<key>(where, keys_out, received, [&](key* keys_to) {
      if constexpr (with_values) with_contiguous<true>(where, values_out, [&](moved* to) { f(both{keys_to, to}); });
      else f(both{keys_to, nullptr});
    });
    here.space.fence("onepass::ranks: memory of the sort is dropped");
  };
  if constexpr (by_buckets) {
    auto const has_many = [&](sizes const& of) { return sorted->are_many(of.have); };
    if (std::all_of(told_sizes.begin(), told_sizes.end(), has_many)) {
      bucket_sort<key, moved, std::decay_t<decltype(here)>> buckets(all, here, told_sizes, wanted, order);
      auto const fill = [&] {
        if constexpr (with_values) return buckets.distribute(as_input(keys), as_input(values));
        else return buckets.distribute(as_input(keys), nothing{});
      };
      if (fill()) return into_outputs([&](both const& out) { buckets.gather(out); });
      sorted.emplace(all, n);
    }
    if (std::any_of(told_sizes.begin(), told_sizes.end(), has_many))
      told(all, [&] {
        if (many) sort_here();
        return 0;
      });
  }
  merged_sort<key, moved, std::decay_t<decltype(here)>> merged(all, here, *sorted, told_sizes, wanted, order);
  into_outputs([&](both const& out) { merged.gather(out); });
}

}  // namespace detail

/// \addtogroup ranks
/// \{

/// out = the keys of all ranks, sorted: rank 0 gets the first ones, as many as its `out` has room for, rank 1 the
/// next, and so on. Stable, and exact for any keys: equal ones are ordered by rank and place, and shared out as
/// others are. The sizes of all outputs add up to those of the inputs, else precondition_error is thrown. Keys and
/// `order` are as in onepass::radix_sort(), without decomposers; `in` and `out` are Views of rank 1 of one type, and
/// may be one.
///
/// Cost: a local sort, each key is sent once at most, and a merge for each doubling of the ranks that keys come from;
/// from more than 16 ranks on a second sort instead. For each 8 bits of a key a rank sends 2 KB to each rank. Takes
/// memory for the keys before and after. One rank takes the local call alone. Where ranks read each other's memory,
/// many keys, with values of 8 bytes at most, are moved by their highest digit, copied, and sorted by the other ones:
/// 10 n keys of 32 bits are read or written, and a rank sends 4 KB to each; it takes memory for n more, and for a
/// quarter of n, unless they crowd where shares part. Waits for the result.
///
/// Source: buckets before the exchange, Stehle & Jacobsen 2017, there of one device; see docs/references.md.
template <place_like Where, class In, class Out>
void radix_sort(transport& all, Where const& where, In const& in, Out const& out, sort_order const& order = {})
{
  detail::sort("ranks::radix_sort", all, where, in, nothing{}, out, nothing{}, order);
}

/// The same with values, which move with their keys. `values` is a View of rank 1 or a sequence, with a value for
/// each key; the outputs of a rank have one size.
template <place_like Where, class Keys, class Values, class KeysOut, class ValuesOut>
void radix_sort_by_key(transport& all, Where const& where, Keys const& keys, Values const& values,
                       KeysOut const& keys_out, ValuesOut const& values_out, sort_order const& order = {})
{
  detail::sort("ranks::radix_sort_by_key", all, where, keys, values, keys_out, values_out, order);
}

/// permutation = the positions of the keys of all ranks in sorted order, counted over all ranks: rank 0 gets those of
/// the first keys, as many as its `permutation` has room for, and so on. Its items are integers that hold them. As
/// radix_sort_by_key() with positions as values.
template <place_like Where, class Keys, class Permutation>
void argsort(transport& all, Where const& where, Keys const& keys, Permutation const& permutation,
             sort_order const& order = {})
{
  using index            = typename Permutation::value_type;
  char const* const name = "ranks::argsort";
  extent const n         = as_input(keys).size;
  auto const mine        = detail::block_of(name, all, detail::told(all, [&] { return n; }));
  require_index<index>(name, mine.total);
  detail::sort(name, all, where, keys, counting<index>{static_cast<index>(mine.first), n}, nothing{}, permutation,
               order);
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
