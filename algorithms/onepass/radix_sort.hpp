// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_bins.hpp>
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_orders.hpp>
#include <onepass/backends/run_relays.hpp>
#include <onepass/checks.hpp>
#include <onepass/engine/places.hpp>
#include <onepass/execution/plain_parts.hpp>
#include <onepass/merge_sort.hpp>
#include <onepass/programs/by_bits.hpp>
#include <onepass/programs/counting_sort.hpp>
#include <onepass/programs/histogram.hpp>
#include <onepass/programs/radix_sort.hpp>
#include <onepass/programs/rank_sort.hpp>
#include <onepass/programs/scan.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup sorts Sorts
/// Stable radix sorts. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`, `keys`: a View of rank 1 of integers, bool, enumerations or floats of 16, 32 or 64 bits; or of any trivially
///   copyable type of at most 64 bytes, with a decomposer. -0.0 equals +0.0; NaNs lie beyond the infinity of their
///   sign, ordered by their bits
/// - `values`: a View of rank 1 of any trivially copyable type of at most 64 bytes, one per key; on devices, as keys
///   are, default constructible
/// - the outputs: Views of rank 1 of the same item types, as long as the inputs. They may be the inputs themselves,
///   both or one of them, and may not overlap them in any other way. So keys are sorted in place, and their
///   permutation comes out, with `counting` as the values
/// - `order`: descending or not, and which bits of the key count: `{.descending = true, .begin_bit = 8, .end_bit = 24}`
/// - `decompose`: key -> `key_parts(most significant, ...)`; called for every key in every pass
///
/// Compile-time errors: memory that the space cannot reach, outputs of another type, and keys or values of other types
/// than above. Throws precondition_error, before anything is queued, if an output is too short or overlaps, there are
/// too few values, or a key lacks the bits that `order` names.
///
/// Cost: for 32-bit keys, 9 n keys are read or written on CUDA (a counting pass and four that read and write), 12 n by
/// the kokkos backend, 5 n on host threads while buckets fit the cache, where they are sorted as numbers; 2 n there for
/// what is in order. On CUDA some hundred to some 10^4 keys whose codes are numbers are compared with each other by all
/// multiprocessors at once: one kernel without a workspace, or two in place, with n keys and values. From there to some
/// 10^5 keys of 64 bits, and some 10^4 of 32, are merged as merge_sort() does; argsort() then takes 2 n keys of
/// workspace. Large numbers of 8- or 16-bit integers without values, sorted by all their bits, are sorted by counting:
/// 2 n everywhere.
/// Workspace memory: n keys and values; on host threads twice as many pairs, half of which stay untouched unless a
/// bucket overflows; none for sorting by counting. Values of more than 8 bytes are moved once on CUDA and by the kokkos
/// backend, when the places of all keys are known: that takes n keys and 2 n places of 4 bytes (8 beyond 2^32 keys),
/// and in place n values. Where keys or values alone are in place, the others are copied first.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: on GPUs, Satish, Harris & Garland 2009; a pass that reads and writes once, Adinets & Merrill 2022; see
/// docs/references.md.
/// \{

/// The direction of a sort, and the bits of the key that it compares: [begin_bit, end_bit), counted from the least
/// significant.
struct sort_order {
  bool descending = false;  ///< equal keys keep the input order in this case too
  int begin_bit   = 0;      ///< the least significant bit that counts
  int end_bit     = -1;     ///< -1: all bits of the key

  /// `end_bit` of keys that have so many bits.
  ONEPASS_FUNCTION constexpr int end_of(int bits) const { return end_bit < 0 ? bits : end_bit; }
  /// Whether such keys have the bits that are compared.
  ONEPASS_FUNCTION constexpr bool fits(int bits) const
  {
    return 0 <= begin_bit && begin_bit <= end_of(bits) && end_of(bits) <= bits;
  }
};

namespace detail {

/// What a decomposer makes of a key.
template <class Decompose, class Key>
using code_made_of = std::remove_cvref_t<std::invoke_result_t<Decompose const, Key const&>>;

inline void require_bits(char const* label, sort_order const& order, int bits)
{
  require(order.fits(bits), label, ": there are no bits from ", order.begin_bit, " to ", order.end_of(bits),
          "; give 0 <= begin_bit <= end_bit <= ", bits);
}

/// Whether keys may be sorted by counting.
template <class Keys, class Values, class Decompose>
constexpr bool countable_keys = false;
template <class Keys, class Decompose>
  requires(coded_key<typename Keys::value_type> && sizeof(typename Keys::value_type) <= 2
           && std::is_same_v<Decompose, unchanged>)
constexpr bool countable_keys<Keys, nothing, Decompose> = true;

/// Whether keys may be sorted by merging. Floats of 32 bits may where nobody wants the keys: to compare them costs more
/// than a digit.
template <class Keys, class KeysOut, class Values, class Decompose>
constexpr bool mergeable_keys = false;
template <class Keys, class KeysOut, class Values>
  requires(simple_key<typename Keys::value_type> && sizeof(typename Keys::value_type) > 2)
constexpr bool mergeable_keys<Keys, KeysOut, Values, unchanged> =
    (coded_key<typename Keys::value_type> || sizeof(typename Keys::value_type) == 8
     || is_nothing<KeysOut>)&&sizeof(typename Values::value_type)
        <= 8
    && std::is_default_constructible_v<typename Values::value_type>;

/// Whether so many keys, of which all bits count, are sorted by counting.
template <class Key, class Where>
bool counting_pays(Where const& where, extent n)
{
  return n >= counting_sort_from<tuning_of<Where>>(sizeof(Key)) && bin_of_key<Key>::bins <= private_bins(where);
}

/// Sorts by counting: counts the keys of every value, scans the counts, and writes the keys of ranks [first, last) from
/// them. Each key is read once, and each of those is written once.
template <class Where, class Keys, class KeysOut>
[[gnu::noinline]] void sort_by_counting(char const* label, Where const& where, Keys const& keys,
                                        KeysOut const& keys_out, extent first, extent last, bool descending)
{
  using key  = typename Keys::value_type;
  using bins = bin_of_key<key>;
  using fill = fill_bins<key, KeysOut, on_host<space_of<Where>>>;
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    auto const tables = (private_bin_bytes(place, keys.size, bins::bins) + 255) / 256 * 256;
    contiguous<std::uint64_t> const ends{
        reinterpret_cast<std::uint64_t*>(scratch.plain(tables + bins::bins * sizeof(std::uint64_t)) + tables),
        bins::bins};
    bins const bin_of{descending};
    onepass::run(place.step(" (count)"), histogram_program<Keys, contiguous<std::uint64_t>, bins>{keys, ends, bin_of},
                 item_count{extent(keys.size)}, label);
    onepass::run(place.step(" (add up)").by(schedule::automatic),
                 scan_program<scan_kind::inclusive, contiguous<std::uint64_t>, contiguous<std::uint64_t>, std::uint64_t,
                              plus, unchanged>{ends, ends, {}, {}, {}, false, nullptr},
                 item_count{bins::bins}, label);
    fill const writes{bin_of, ends.data, keys_out, first, last - first};
    onepass::run_each(place.step(" (fill)"), writes, writes.parts(), label);
  });
}

/// Writes items to where the ranks of their codes in their segments say, in other memory.
template <class Where, class Codes, class From, class To, class Segments>
void write_by_ranks(char const* label, Where const& where, Codes const& codes, From const& from, To const& to,
                    Segments const& segments, rank_tuning const& tuned)
{
  using program     = rank_sort_program<Codes, From, To, Segments>;
  extent const n    = codes.size;
  extent const each = div_up(div_up(n, tuned.turns), program::together) * program::together;
  onepass::run(where, program{codes, from, to, segments, int(n), int(each)}, label);
}

/// Sorts segments by the ranks of their items' codes: to other memory, and in place from there back.
template <class Where, class Codes, class From, class To, class Segments>
void sort_by_ranks(char const* label, Where const& where, Codes const& codes, From const& from, To const& to,
                   Segments const& segments, bool in_place, rank_tuning const& tuned)
{
  if (!in_place) return write_by_ranks(label, where, codes, from, to, segments, tuned);
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    extent const n = codes.size;
    plain_parts parts;
    spare_cargo<From> const room(parts, n);
    auto const spare = room.in(scratch.plain(parts.bytes()));
    write_by_ranks(label, place, codes, from, spare, segments, tuned);
    auto const sorted = as_source(spare);
    onepass::run_each(place, copy_item<std::decay_t<decltype(sorted)>, To>{sorted, to}, n, label, few_short_calls);
  });
}

/// Sorts the keys of each segment by themselves, and moves values with them, where segments come in pieces
/// (run_in_pieces()); `nothing` stands for absent values.
template <class Where, class Keys, class KeysOut, class Values, class ValuesOut>
void sort_pieces(char const* label, Where const& where, Keys const& keys, KeysOut const& keys_out, Values const& values,
                 ValuesOut const& values_out, std::vector<order_piece> const& pieces, sort_order const& order)
{
  onepass::run_in_pieces(
      where,
      sort_program<Keys, KeysOut, Values, ValuesOut, unchanged>{
          keys, keys_out, values, values_out, {}, false, order.descending, order.begin_bit, order.end_bit},
      pieces, label);
}

/// The sort itself, on sequences; `nothing` stands for absent values.
template <class Where, class Keys, class KeysOut, class Values, class ValuesOut, class Decompose>
void sort(char const* label, Where const& where, Keys const& keys, KeysOut const& keys_out, Values const& values,
          ValuesOut const& values_out, sort_order const& order, Decompose const& decompose)
{
  using key  = typename Keys::value_type;
  using code = code_made_of<Decompose, key>;
  static_assert(is_key_code<code>, "onepass: keys must be integers, bool, enumerations or floats, or a decomposer must "
                                   "turn them into key_parts of these");
  static_assert(std::is_trivially_copyable_v<key> && sizeof(key) <= 64,
                "onepass: keys must be trivially copyable and have at most 64 bytes");
  static_assert(std::is_trivially_copyable_v<typename Values::value_type> && sizeof(typename Values::value_type) <= 64,
                "onepass: values must be trivially copyable and have at most 64 bytes");
  if constexpr (!on_host<space_of<Where>>) check_kept<key>(), check_kept<typename Values::value_type>();
  constexpr int bits = key_bits<code>;
  require_bits(label, order, bits);
  int const end       = order.end_of(bits);
  bool const in_place = begin_alike(keys, keys_out);
  if constexpr (has_relays<Where> && simple_key<code>)
    if (auto const tuned = rank_tuning_for<tuning_of<Where>>(end - order.begin_bit);
        tuned.wanted(keys.size, in_place)) {
      using coded = by_bits_of<Decompose, code>;
      return sort_by_ranks(
          label, where, codes_of<Keys, coded>{keys, {decompose, {order.begin_bit, end, order.descending}}, keys.size},
          cargo{keys, values}, cargo{keys_out, values_out}, one_segment{int(keys.size)}, in_place, tuned);
    }
  if constexpr (countable_keys<Keys, Values, Decompose>)
    if (order.begin_bit == 0 && end == bits && counting_pays<key>(where, keys.size))
      return sort_by_counting(label, where, keys, keys_out, 0, keys.size, order.descending);
  if constexpr (mergeable_keys<Keys, KeysOut, Values, Decompose> && merges_sometimes<Where>)
    if (merges_for(where, end - order.begin_bit, !is_nothing<Values>).wanted(keys.size)) {
      // Every comparison counts. Where nobody wants the keys, their codes are sorted instead.
      if constexpr (is_nothing<KeysOut>) {
        using coded = by_some_bits<key>;
        return sort_by_merging<few_merges_program>(
            label, where,
            cargo{codes_of<Keys, coded>{keys, coded(order.begin_bit, end, order.descending), keys.size}, values},
            cargo{keys_out, values_out}, by_codes{});
      } else if (order.begin_bit == 0 && end == bits) {
        using compared = by_turned_codes<key>;
        auto const all = static_cast<decltype(compared::turned)>(~0ull);
        return sort_by_merging<few_merges_program>(label, where, cargo{keys, values}, cargo{keys_out, values_out},
                                                   compared{order.descending ? all : decltype(all)(0)});
      }
    }
  using program = sort_program<Keys, KeysOut, Values, ValuesOut, Decompose>;
  onepass::run(where,
               program{keys, keys_out, values, values_out, decompose, in_place, order.descending, order.begin_bit, end},
               item_count{extent(keys.size)}, label);
}

/// Where one of keys and values is in place: the keys are brought to the workspace first, or the values, and then
/// neither is. Outputs are written by the sort alone, which begins once all memory is there.
template <class Where, class Keys, class KeysOut, class Values, class ValuesOut, class Decompose>
void sort_from_copies(char const* label, Where const& where, Keys const& keys, KeysOut const& keys_out,
                      Values const& values, ValuesOut const& values_out, sort_order const& order,
                      Decompose const& decompose)
{
  using key      = typename Keys::value_type;
  using value    = typename Values::value_type;
  extent const n = keys.size;
  int const bits = key_bits<code_made_of<Decompose, key>>;
  require_bits(label, order, bits);
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    auto const sort = [&]<class From, class With>(From const& from, With const& with) {
      return sort_program<From, KeysOut, With, ValuesOut, Decompose>{
          from, keys_out, with, values_out, decompose, false, order.descending, order.begin_bit, order.end_of(bits)};
    };
    auto const go = [&]<class T, class From>(contiguous<T> copy, From const& from, auto const& program_of) {
      plain_parts parts(private_order_bytes(place, program_of(onepass::read_only(copy)), n));
      auto const at = parts.template add<T>(n);
      copy.data     = reinterpret_cast<T*>(scratch.plain(parts.bytes()) + at);
      onepass::run_each(place.step(" (copy)"), copy_values<From, contiguous<T>>{from, copy}, n, label, few_short_calls);
      onepass::run(place, program_of(onepass::read_only(copy)), item_count{n}, label);
    };
    if (begin_alike(keys, keys_out))
      go(contiguous<key>{nullptr, n}, keys, [&](auto const& copies) { return sort(copies, values); });
    else go(contiguous<value>{nullptr, n}, values, [&](auto const& copies) { return sort(keys, copies); });
  });
}

}  // namespace detail

/// out = the keys of `in`, sorted; equal keys keep their order. The two may be the same View.
template <place_like Where, class In, class Out, class Decompose = unchanged>
  requires Kokkos::is_view_v<Out>
void radix_sort(Where const& where, In const& in, Out const& out, sort_order const& order = {},
                Decompose const& decompose = {})
{
  using exec = space_of<Where>;
  check_input<exec, In>();
  auto const from = as_input(in);
  auto const to   = detail::sorted_output<exec, item_t<In>>(out);
  onepass::require_room("radix_sort", from, to);
  onepass::require_no_overlap("radix_sort", from, to);
  detail::sort("radix_sort", where, from, to, nothing{}, nothing{}, order, decompose);
}

/// Sorts the keys in place.
template <place_like Where, class Keys, class Decompose = unchanged>
void radix_sort(Where const& where, Keys const& keys, sort_order const& order = {}, Decompose const& decompose = {})
{
  onepass::radix_sort(where, keys, keys, order, decompose);
}

/// keys_out = the keys, sorted, equal keys in their order; values_out = the value of each of these keys.
template <place_like Where, class Keys, class Values, class KeysOut, class ValuesOut, class Decompose = unchanged>
  requires Kokkos::is_view_v<KeysOut> && Kokkos::is_view_v<ValuesOut>
void radix_sort_by_key(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                       ValuesOut const& values_out, sort_order const& order = {}, Decompose const& decompose = {})
{
  using exec = space_of<Where>;
  check_input<exec, Keys>();
  check_input<exec, Values>();
  auto const from   = as_input(keys);
  auto const with   = as_input(values);
  auto const to     = detail::sorted_output<exec, item_t<Keys>>(keys_out);
  auto const beside = detail::sorted_output<exec, item_t<Values>>(values_out);
  detail::require_by_key("radix_sort_by_key", from, with, to, beside);
  if (from.size == 0 || begin_alike(from, to) == begin_alike(with, beside))
    return detail::sort("radix_sort_by_key", where, from, to, with, beside, order, decompose);
  detail::sort_from_copies("radix_sort_by_key", where, from, to, with, beside, order, decompose);
}

/// Sorts the keys in place, and moves the values with them.
template <place_like Where, class Keys, class Values, class Decompose = unchanged>
void radix_sort_by_key(Where const& where, Keys const& keys, Values const& values, sort_order const& order = {},
                       Decompose const& decompose = {})
{
  radix_sort_by_key(where, keys, values, keys, values, order, decompose);
}

/// \}

}  // namespace onepass::ONEPASS_ABI
