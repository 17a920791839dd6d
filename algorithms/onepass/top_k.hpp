// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_orders.hpp>
#include <onepass/backends/run_ranges.hpp>
#include <onepass/backends/run_tiles.hpp>
#include <onepass/checks.hpp>
#include <onepass/execution/plain_parts.hpp>
#include <onepass/programs/first_of_rows.hpp>
#include <onepass/programs/select.hpp>
#include <onepass/programs/top_k.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/segmented_sort.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup selection Selection by rank
/// The k first keys in sorted order, or the one of a given rank. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: a View of rank 1, or a sequence, of integers, bool, enumerations or floats of 16, 32 or 64 bits; n keys,
///   2^32 at most. Or a View of rank 2, of any layout, of whose rows of n keys each is taken by itself
/// - `k`: how many keys, at most n; in select_kth() the rank of the key, from 0, less than n
/// - `keys`: a View of the type of the keys, of rank 1 and k items or more; of rank 0 in select_kth(). `index`,
///   `indices`: the same of an integral type that holds n - 1, which receive positions in `in`. They share no memory
///   with the input or each other. Of a matrix the outputs have a row for each of its rows, and in select_kth() they
///   are of rank 1 and have an item for each; positions are columns
/// - `order`: as in radix_sort(): ascending or descending, and which bits of the key count. -0.0 equals +0.0, and each
///   zero keeps its sign; NaNs lie beyond the infinity of their sign, ordered by their bits
///
/// Equal keys come in the order of their positions, ascending or descending: which of them are among the k first, and
/// where, is the same on every backend and in every run.
///
/// Compile-time errors: memory that the space cannot reach, keys and outputs of other types than above. Throws
/// precondition_error, before anything is queued, if there are fewer than k keys or more than 2^32, an output is too
/// short, too narrow or shares memory, or a key lacks the bits that `order` names.
///
/// Cost: where n > 4 k, n keys are read once, and no more than n / 256 of them before that, for a bound that about k
/// keys reach; these are listed and sorted. Equal keys make no difference, since positions count as their last digits.
/// The sample's places are fixed: on inputs that were not made to mislead it, it does so less than once in a thousand
/// millions of calls; then one team reads all keys once for each byte of a key and of a position, and once more. Where
/// n <= 4 k all keys are sorted, or counted where nobody wants positions of 2^20 keys of 8 bits or 2^22 of 16.
/// Workspace memory: about 1.5 k to 3 k codes and positions, and what a sort of them takes; of n where all are sorted.
/// Hosts read all keys once, whatever k is, but for samples of 256 keys at most, and twice if these mislead; a thread
/// takes memory for 2 k codes, or for 4 k where n is not more.
///
/// Rows of a matrix are read once where k <= 64 on CUDA, by a thread, a warp or a team each, and on hosts, by threads
/// that take rows or share long ones. Up to k = 1024 a team reads a row of 4096 keys and more once for each byte of a
/// key and of a column, and twice more. Else rows are sorted, as segmented_sort() does, some 2^28 keys at a time, in
/// workspace memory of two words of 8 bytes for each, or of 16. Rows that have 65536 keys for each row there is are
/// calls of their own.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: a sample bounds the rank, Floyd & Rivest 1975; digits decide where it misleads, Alabi et al. 2012; see
/// docs/references.md.
/// \{

namespace detail {

/// Whether nothing but keys is wanted, and there are so few that they can be counted.
template <class In, class Out>
constexpr bool counts_alone = countable_keys<In, decltype(Out::indices), unchanged>;

/// Writes the items of the ranks of `out` among the first k, in passes over all.
template <class Where, class In, class Order, class Out>
[[gnu::noinline]] void write_ranks_in_passes(char const* label, Where const& where, In const& in, Order const& order,
                                             int code_bits, extent k, Out const& out)
{
  using exec                     = space_of<Where>;
  using code                     = typename Order::code;
  using placed                   = placed_code<code>;
  constexpr top_k_tuning numbers = top_k_tuning_for<tuning_of<Where>>();
  extent const n                 = in.size;
  codes_of<In, Order> const all_codes{in, order, n};
  counting<key_place> const all_places{0, n};
  if constexpr (has_relays<Where>)
    if (auto const tuned = rank_tuning_for<tuning_of<Where>>(code_bits); tuned.wanted(n, false))
      return write_by_ranks(label, where, all_codes, cargo{nothing{}, all_places}, cargo{nothing{}, out},
                            one_segment{int(n)}, tuned);
  bool const sorts_all = n <= numbers.sort_up_to || k > n / numbers.share;
  if constexpr (counts_alone<In, Out>) {
    using key = typename In::value_type;
    if (sorts_all && code_bits == key_bits<key> && counting_pays<key>(where, n))
      return detail::sort_by_counting(label, where, in, out.keys, out.first, out.last, order.turned != 0);
  }
  if (sorts_all) {
    using all = rank_order<codes_of<In, Order>, counting<key_place>, Out>;
    onepass::run(where, all{all_codes, all_places, out, code_bits}, item_count{n}, label);
    return;
  }
  auto const plan   = top_k_plan::of(numbers, n, k);
  int const at_bits = int(std::bit_width(std::uint64_t(n - 1)));
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    using sorting      = rank_order<listed_codes<code>, contiguous<key_place const>, Out>;
    auto const sort_of = [&](code const* codes, key_place const* places, extent const* count) {
      return sorting{{codes, count, plan.room}, {places, plan.room}, out, code_bits};
    };
    plain_parts parts(private_order_bytes(place, sort_of(nullptr, nullptr, nullptr), plan.room));
    auto const bound_at = parts.add<placed>(1), count_at = parts.add<extent>(1),
               firsts_at = parts.add<placed>(plan.groups), codes_at = parts.add<code>(plan.room),
               places_at    = parts.add<key_place>(plan.room);
    std::byte* const memory = scratch.plain(parts.bytes());
    auto* const bound       = reinterpret_cast<placed*>(memory + bound_at);
    auto* const count       = reinterpret_cast<extent*>(memory + count_at);
    contiguous<placed> const firsts{reinterpret_cast<placed*>(memory + firsts_at), plan.groups};
    contiguous<code> const listed{reinterpret_cast<code*>(memory + codes_at), plan.room};
    contiguous<key_place> const places{reinterpret_cast<key_place*>(memory + places_at), plan.room};

    onepass::run(place.step(" (sample)"), sample_program<In, Order>{in, order, n, plan.groups, plan.each, firsts},
                 plan.groups, label);
    onepass::run(place.step(" (bound)"), bound_program<code>{{}, read_only(firsts), plan.rank, at_bits, bound}, label);
    auto const columns = make_columns(kept_column<contiguous<code>, write_code<Order>>{listed, {order}},
                                      kept_column<contiguous<key_place>, write_position>{places, {}});
    onepass::run(place.step(" (list)"),
                 select_program<In, keep_first<Order>, extent, kept_column<contiguous<code>, write_code<Order>>,
                                kept_column<contiguous<key_place>, write_position>>{in, {order, bound}, count, columns},
                 item_count{n}, label);
    onepass::run(place.step(" (mend)"), mend_program<In, Order>{{}, in, order, n, k, at_bits, count, listed, places},
                 label);
    if (plan.expected <= (on_host<exec> ? numbers.host_ranks : numbers.rank_up_to))
      onepass::run(place.step(" (rank)"), rank_program<code, Out>{read_only(listed), read_only(places), count, out},
                   plan.room, label);
    else  // the host knows how many there are where it has listed them itself
      onepass::run(place.step(" (sort)"), sort_of(listed.data, places.data, count),
                   item_count{plan.room, on_host<exec> ? count : nullptr}, label);
  });
}

/// Writes the items of the ranks of `out` among the first k.
template <class Where, class In, class Order, class Out>
[[gnu::always_inline]] inline void write_ranks(char const* label, Where const& where, In in, Order order, int code_bits,
                                               extent k, Out out)
{
  if (k == 0) return;
  if constexpr (selects_first<Where>) {
    selection<In, Order, Out> asked{in, order, out, in.size, out.first, out.last};
    if (run_selection(where, asked, label)) return;
  }
  In const in_memory     = in;  // copies, so that few items are taken from registers
  Order const by         = order;
  Out const out_of_there = out;
  write_ranks_in_passes(label, where, in_memory, by, code_bits, k, out_of_there);
}

/// The order that `order` gives keys, once it is known that they have the bits that it names.
template <class Key>
[[gnu::always_inline]] inline order_of_keys<Key> checked_order(char const* label, sort_order const& order)
{
  require_bits(label, order, key_bits<Key>);
  return {order.descending, order.begin_bit, order.end_of(key_bits<Key>)};
}

template <class Exec, class In>
void check_keys()
{
  check_input<Exec, In>();
  static_assert(simple_key<item_t<In>>, "onepass: selection by rank takes integers, bool, enumerations or floats");
}

template <class Exec, int Rank, class Written, class Out>
void check_selected(Out const&)
{
  static_assert(Out::rank() == Rank, "onepass: an output of a selection must be a View of the rank of the result");
  static_assert(reachable<Exec, Out>,
                "onepass: the execution space cannot reach the output's memory; copy it or run elsewhere");
  static_assert(!std::is_const_v<typename Out::value_type>, "onepass: an output must not be const");
  if constexpr (std::is_void_v<Written>)
    static_assert(std::is_integral_v<typename Out::value_type>, "onepass: positions must be integers");
  else
    static_assert(std::is_same_v<typename Out::value_type, Written>,
                  "onepass: selected keys must have the type of the input");
}

/// An output of `count` keys or positions, checked: a View of the rank of the result.
template <class Exec, int Rank, class Written, class In, class Out>
[[gnu::always_inline]] inline auto selected_output(char const* label, In const& in, Out const& out, extent count)
{
  if constexpr (is_nothing<Out>) return out;
  else {
    check_selected<Exec, Rank, Written>(out);
    auto const to = [&] {
      if constexpr (Rank == 0) return contiguous<typename Out::value_type>{out.data(), 1};
      else return as_sequence(out);
    }();
    require(to.size >= count, label, ": the output has ", to.size, " items; give it at least ", count);
    onepass::require_disjoint(label, in, to);
    return to;
  }
}

/// An output of `count` keys or positions of each row, checked: a matrix, or of `Rank` 1 a View of one of each.
template <class Exec, int Rank, class Written, class In, class Out>
auto rows_of_output(char const* label, In const& in, Out const& out, extent rows, extent count)
{
  if constexpr (is_nothing<Out>) return out;
  else {
    check_selected<Exec, Rank, Written>(out);
    auto const to = as_matrix<typename Out::value_type>(out);
    require(to.rows >= rows && to.columns >= count, label, ": the output has ", to.rows, " x ", to.columns,
            " items; give it at least ", rows, " x ", count);
    onepass::require_disjoint(label, as_input(in), as_sequence(out));
    return to;
  }
}

/// Puts all items of each row in order, and writes the ranks of `out` among the first k.
template <class Where, class In, class Order, class Out>
void sort_rows(char const* label, Where const& where, In const& in, Order const& order, extent k, Out const& out)
{
  using items        = items_of_rows<In, Order>;
  using item         = typename items::value_type;
  using order_of_all = std::conditional_t<items::in_word, by_codes, less>;
  extent const n     = in.rows * in.columns;
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    plain_parts parts;
    auto const at     = parts.add<item>(n);
    auto const sorted = [=](std::byte* memory) {
      return cargo{contiguous<item>{reinterpret_cast<item*>(memory + at), n}, nothing{}};
    };
    std::byte* const memory = detail::sort_segments_behind(
        parts, label, place.step(" (sort)"), scratch, cargo{items{in, order, n, divisor(in.columns, n)}, nothing{}},
        sorted, offset_segments<multiples>{{in.columns, in.rows + 1}, n}, order_of_all{});
    onepass::run_each(place.step(" (first)"),
                      write_first_of_rows<items, Out>{read_only(sorted(memory).items), out, k, in.columns}, in.rows * k,
                      label);
  });
}

/// Writes the items of the ranks of `out` among the first k of each row.
template <class Where, class In, class Order, class Out>
[[gnu::noinline]] void write_ranks_of_rows(char const* label, Where const& where, In const& in, Order const& order,
                                           int code_bits, extent k, Out const& out)
{
  constexpr top_k_tuning numbers = top_k_tuning_for<tuning_of<Where>>();
  if (k == 0) return;
  auto const take_row = [&](auto const& place, extent r) {
    auto const take = [&](auto const& items) {
      detail::write_ranks(label, place, items, order, code_bits, k, out.row(r, items));
    };
    if constexpr (threads_call<Where>)  // vector registers take what lies side by side
      if (in.column_stride == 1) return take(in.whole_row(r));
    take(in.row(r));
  };
  auto const one_by_one = [&] {
    for (extent r = 0; r < in.rows; ++r) take_row(where, r);
  };
  extent const bytes_of_row = in.columns * extent(sizeof(typename In::value_type));
  if constexpr (threads_call<Where>) {
    if (bytes_of_row >= numbers.host_bytes) return one_by_one();
    auto place      = on(where);
    place.scratch   = nullptr;  // a thread has memory of its own
    auto const take = [&](extent r) { take_row(place, r); };
    onepass::run(where, rows_apart<decltype(take)>{in.rows, bytes_of_row, take}, in.rows, label);
  } else {
    if (in.columns / numbers.apart >= in.rows) return one_by_one();
    using by_warps                = first_of_rows<In, Order, Out, false>;
    using by_teams                = first_of_rows<In, Order, Out, true>;
    bool const across             = in.row_stride < in.column_stride;
    constexpr int most_by_threads = sizeof(typename Order::code) <= 4 ? 16 : 8;
    if (k <= most_by_threads && in.rows >= numbers.lanes_from && (across || in.columns <= numbers.lanes_to)) {
      auto const by_threads = [&]<int K>(std::integral_constant<int, K>) {
        onepass::run(where, first_by_threads<In, Order, Out, K>{in, order, out, int(k)}, in.rows, label);
      };
      if (k <= 8) by_threads(std::integral_constant<int, 8>{});
      else by_threads(std::integral_constant<int, most_by_threads>{});
      return;
    }
    bool const long_rows =
        in.columns >= numbers.team_from || (in.rows < numbers.few_rows && in.columns >= numbers.few_from);
    if constexpr (has_relays<Where>)
      if (k <= by_warps::most_by_warps && !long_rows)
        return onepass::run(where, by_warps{in, order, out, k}, in.rows, label);
    if (k <= by_warps::most_by_warps || (k <= by_teams::most && in.columns >= numbers.team_from))
      return onepass::run(where, by_teams{in, order, out, k}, in.rows, label);
    extent const together = std::max<extent>(numbers.sorted / in.columns, 1);
    for (extent r = 0; r < in.rows; r += together) {
      extent const n = std::min(together, in.rows - r);
      sort_rows(label, where, in.some(r, n), order, k, out.some(r, n));
    }
  }
}

/// Checks all arguments of a selection in each row of a matrix, and makes it. An output has a row for each row, or is
/// of rank 1 and has an item for each.
template <int Rank, class Where, class In, class Keys, class Indices>
void select_ranks_of_rows(char const* label, Where const& where, In const& in, extent first, extent last,
                          Keys const& keys, Indices const& indices, sort_order const& order)
{
  using exec = space_of<Where>;
  using key  = item_t<In>;
  check_keys<exec, In>();
  auto const from = as_matrix<key const>(in);
  auto const by   = checked_order<key>(label, order);
  require(from.columns <= extent(1) << 32, label, ": ", from.columns, " keys in a row are too many; give 2^32 at most");
  require(0 <= first && first <= last && last <= from.columns, label, ": a row has ", from.columns, " keys, and ", last,
          " are asked for");
  auto to     = rows_of_output<exec, Rank, key>(label, in, keys, from.rows, last - first);
  auto beside = rows_of_output<exec, Rank, void>(label, in, indices, from.rows, last - first);
  if constexpr (!is_nothing<Keys> && !is_nothing<Indices>)
    onepass::require_disjoint(label, as_sequence(keys), as_sequence(indices));
  if constexpr (!is_nothing<Indices>)
    onepass::require_index<typename Indices::value_type>(label, std::max<extent>(from.columns, 1) - 1);
  if (from.rows == 0 || first == last) return;
  ranks_of_rows<decltype(from), decltype(to), decltype(beside)> const out{from, to, beside, first, last};
  write_ranks_of_rows(label, where, from, by, std::bit_width(by.mask), last, out);
}

/// Checks all arguments of a selection, and makes it: the ranks [first, last).
template <int Rank, class Where, class In, class Keys, class Indices>
[[gnu::always_inline]] inline void select_ranks(char const* label, Where const& where, In const& in, extent first,
                                                extent last, Keys const& keys, Indices const& indices,
                                                sort_order const& order)
{
  if constexpr (item_rank<In> == 2)
    return select_ranks_of_rows<Rank + 1>(label, where, in, first, last, keys, indices, order);
  else {
    using exec = space_of<Where>;
    using key  = item_t<In>;
    check_keys<exec, In>();
    auto from         = as_input(in);
    auto by           = checked_order<key>(label, order);
    extent const size = from.size;
    require(size <= extent(1) << 32, label, ": ", size, " keys are too many; give 2^32 at most");
    require(0 <= first && first <= last && last <= size, label, ": there are ", size, " keys, and ", last,
            " are asked for");
    auto to     = selected_output<exec, Rank, key>(label, from, keys, last - first);
    auto beside = selected_output<exec, Rank, void>(label, from, indices, last - first);
    onepass::require_disjoint(label, to, beside);
    if constexpr (!is_nothing<Indices>)
      onepass::require_index<typename Indices::value_type>(label, std::max<extent>(size, 1) - 1);
    using out = ranks_written<sequence_of<In>, decltype(selected_output<exec, Rank, key>(label, from, keys, 0)),
                              decltype(selected_output<exec, Rank, void>(label, from, indices, 0))>;
    write_ranks(label, where, from, by, std::bit_width(by.mask), last, out{from, to, beside, first, last, size});
  }
}

}  // namespace detail

/// keys = the k first keys in sorted order, indices = where they were. Of a matrix, keys(r, i) and indices(r, i) are
/// those of row r.
template <place_like Where, class In, class Keys, class Indices>
  requires Kokkos::is_view_v<Indices>
void top_k(Where const& where, In const& in, extent k, Keys const& keys, Indices const& indices,
           sort_order const& order = {})
{
  detail::select_ranks<1>("top_k", where, in, 0, k, keys, indices, order);
}

/// keys = the k first keys in sorted order.
template <place_like Where, class In, class Keys>
void top_k(Where const& where, In const& in, extent k, Keys const& keys, sort_order const& order = {})
{
  detail::select_ranks<1>("top_k", where, in, 0, k, keys, nothing{}, order);
}

/// key() = the key that has k keys before it in sorted order, index() = where it was. Both may be variables of the
/// host, for which the call waits. Of a matrix, key(r) and index(r) are those of row r.
template <place_like Where, class In, class Key, class Index>
  requires(!std::is_convertible_v<Index, sort_order>)
void select_kth(Where const& where, In const& in, extent k, Key&& key, Index&& index, sort_order const& order = {})
{
  if constexpr (item_rank<In> == 2) detail::select_ranks<0>("select_kth", where, in, k, k + 1, key, index, order);
  else
    onepass::with_result<0>(where, std::forward<Key>(key), [&](auto const& place, auto const& to) {
      onepass::with_result<1>(place, std::forward<Index>(index), [&](auto const& at, auto const& beside) {
        detail::select_ranks<0>("select_kth", at, in, k, k + 1, to, beside, order);
      });
    });
}

/// key() = the key that has k keys before it in sorted order; of a matrix, key(r) that of row r.
template <place_like Where, class In, class Key>
void select_kth(Where const& where, In const& in, extent k, Key&& key, sort_order const& order = {})
{
  if constexpr (item_rank<In> == 2) detail::select_ranks<0>("select_kth", where, in, k, k + 1, key, nothing{}, order);
  else
    onepass::with_result(where, std::forward<Key>(key), [&](auto const& at, auto const& to) {
      detail::select_ranks<0>("select_kth", at, in, k, k + 1, to, nothing{}, order);
    });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
