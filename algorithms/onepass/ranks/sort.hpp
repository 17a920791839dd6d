// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/bucket_sort.hpp>
#include <onepass/ranks/programs/merged_sort.hpp>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

template <class Out, class T>
constexpr bool is_sorted_output = [] {
  if constexpr (Kokkos::is_view_v<Out>) return Out::rank() == 1 && std::is_same_v<typename Out::value_type, T>;
  else return true;
}();

/// A sort of the keys of all ranks, by all of them, with values that move with their keys. `nothing` stands for values
/// and outputs that there are not.
template <class Place, class Keys, class Values, class KeysOut, class ValuesOut>
class sort_of_ranks {
public:
  sort_of_ranks(char const* label, transport& all, Place const& where, Keys const& keys, Values const& values,
                KeysOut const& keys_out, ValuesOut const& values_out, sort_order const& order)
      : label_(label)
      , all_(all)
      , where_(where)
      , keys_(keys)
      , values_(values)
      , keys_out_(keys_out)
      , values_out_(values_out)
      , order_(order)
      , n_(as_input(keys).size)
  {
    check_input<space_of<Place>, Keys>();
    if constexpr (!is_nothing<Values>) check_input<space_of<Place>, Values>();
  }

  void run()
  {
    if (all_.size() == 1) return run_alone();
    std::optional<items> sorted(std::in_place, all_, n_);
    bool const many = may_have_many && sorted->are_many(n_);
    ranks_          = told(all_, [&] {
      auto const own = checked();
      reserve_for_cuts(all_);
      keys_to_.emplace(where_, keys_out_, own.want);
      if constexpr (with_values) values_to_.emplace(where_, values_out_, own.want);
      if (!many) sort_into(*sorted);
      return own;
    });
    wanted_         = blocks_of(label_, ranks_).second;
    if constexpr (may_have_many) {
      auto const has_many = [&](sizes const& of) { return sorted->are_many(of.have); };
      if (std::all_of(ranks_.begin(), ranks_.end(), has_many)) {
        if (sort_by_buckets()) return;
        sorted.emplace(all_, n_);  // buckets have used the memory
      }
      if (std::any_of(ranks_.begin(), ranks_.end(), has_many))
        told(all_, [&] {
          if (many) sort_into(*sorted);
          return 0;
        });
    }
    merged_sort<key, moved, Place> merged(all_, where_, *sorted, ranks_, wanted_, order_);
    merged.gather(room());
    write_outputs();
  }

private:
  static constexpr bool with_values = Kokkos::is_view_v<ValuesOut>;

  using exec  = space_of<Place>;
  using key   = item_t<Keys>;
  using moved = std::conditional_t<with_values, std::remove_const_t<typename Values::value_type>, nothing>;
  using both  = keys_and_values<key, moved>;
  using items = sorted_items<key, moved, exec>;

  static_assert(simple_key<key>, "onepass: over ranks, keys are integers, bool, enumerations or floats");
  static_assert(is_sorted_output<KeysOut, key> && (!with_values || is_sorted_output<ValuesOut, moved>),
                "onepass: a sorted output must be a View of rank 1 of the type of its input");

  /// Many keys may go to their ranks before they are sorted.
  static constexpr bool may_have_many = is_nothing<moved> || sizeof(moved) <= 8;

  /// Refuses wrong arguments. Returns how many items this rank has, and how many it is to get.
  sizes checked() const
  {
    onepass::detail::require_bits(label_, order_, key_bits<key>);
    extent share = 0;
    if constexpr (Kokkos::is_view_v<KeysOut>) share = extent(keys_out_.extent(0));
    if constexpr (with_values) {
      onepass::require_values(label_, as_input(keys_), as_input(values_));
      extent const room = extent(values_out_.extent(0));
      if constexpr (Kokkos::is_view_v<KeysOut>) {
        require(share == room, label_, ": there is room for ", share, " keys and ", room,
                " values; give outputs of one size");
        onepass::require_disjoint(label_, as_sequence(keys_out_), as_sequence(values_out_));
      }
      share = room;
    }
    return {n_, share};
  }

  void run_alone()
  {
    (void)blocks_of(label_, told(all_, [&] { return checked(); }));
    std::optional<lent_room<key, exec>> unwanted;
    if constexpr (Kokkos::is_view_v<KeysOut>) sort_to(keys_out_, values_out_);
    else sort_to(unwanted.emplace(where_, n_).items(), values_out_);
    drop_memory();
  }
  void sort_into(items& sorted) const
  {
    auto const to = sorted.room(where_, n_);
    if constexpr (with_values) sort_to(view_at<exec>(to.keys, n_), view_at<exec>(to.values, n_));
    else sort_to(view_at<exec>(to.keys, n_), nothing{});
  }
  template <class KeysTo, class ValuesTo>
  void sort_to(KeysTo const& keys, [[maybe_unused]] ValuesTo const& values) const
  {
    if constexpr (with_values) onepass::radix_sort_by_key(where_, keys_, values_, keys, values, order_);
    else onepass::radix_sort(where_, keys_, keys, order_);
  }

  /// Whether it did: not where keys crowd.
  bool sort_by_buckets()
  {
    bucket_sort<key, moved, Place> buckets(all_, where_, ranks_, wanted_, order_);
    bool has_sorted = false;
    if constexpr (with_values) has_sorted = buckets.distribute(as_input(keys_), as_input(values_));
    else has_sorted = buckets.distribute(as_input(keys_), nothing{});
    if (!has_sorted) return false;
    buckets.gather(room());
    write_outputs();
    return true;
  }

  both room() const
  {
    if constexpr (with_values) return {keys_to_->data(), values_to_->data()};
    else return {keys_to_->data(), nullptr};
  }
  void write_outputs() const
  {
    if constexpr (Kokkos::is_view_v<KeysOut>) keys_to_->write(where_, keys_out_);
    if constexpr (with_values) values_to_->write(where_, values_out_);
    drop_memory();
  }
  void drop_memory() const { where_.space.fence("onepass::ranks: memory of the sort is dropped"); }

  char const* label_;
  transport& all_;
  Place where_;
  Keys keys_;
  Values values_;
  KeysOut keys_out_;
  ValuesOut values_out_;
  sort_order order_;
  extent n_;
  std::optional<packed_room<key, exec>> keys_to_;
  std::optional<packed_room<moved, exec>> values_to_;
  std::vector<sizes> ranks_;
  std::vector<extent> wanted_;  ///< where the items of each rank begin in the end
};

template <class Where, class Keys, class Values, class KeysOut, class ValuesOut>
void sort(char const* label, transport& all, Where const& where, Keys const& keys, Values const& values,
          KeysOut const& keys_out, ValuesOut const& values_out, sort_order const& order)
{
  auto const here = on(where).or_named(label);
  sort_of_ranks<std::decay_t<decltype(here)>, Keys, Values, KeysOut, ValuesOut>(label, all, here, keys, values,
                                                                                keys_out, values_out, order)
      .run();
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
  onepass::require_index<index>(name, mine.total);
  detail::sort(name, all, where, keys, counting<index>{static_cast<index>(mine.first), n}, nothing{}, permutation,
               order);
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
