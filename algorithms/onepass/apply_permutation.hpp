// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_relays.hpp>
#include <onepass/checks.hpp>
#include <onepass/columns.hpp>
#include <onepass/execution/cell_tuning.hpp>
#include <onepass/programs/apply_permutation.hpp>
#include <onepass/programs/checked.hpp>
#include <onepass/programs/permute_by_records.hpp>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace onepass::ONEPASS_ABI {

namespace detail {

/// Calls that share a row of wide Views, so that threads write neighbouring items side by side: as many as the widest
/// row that lies together has items. A host thread takes whole rows.
template <class Where, class... Rows>
int parts_of_rows([[maybe_unused]] Rows const&... rows)
{
  constexpr int most = 32;
  auto const width   = [](auto const& r) {
    if constexpr (has_wide_rows<std::remove_cvref_t<decltype(r)>>) return r.together() ? r.width : 1;
    else return 1;
  };
  if constexpr (returns_finished<Where>) return 1;
  else return std::clamp(std::max({1, width(rows)...}), 1, most);
}

/// Calls of a move of rows, of which `parts` calls share one.
template <class Where, class Move>
auto calls_of_rows(Move const& move, extent rows, int parts)
{
  if constexpr (Move::wide || returns_finished<Where>) return shared_rows<Move>{move, rows, parts};
  else return spread_rows<Move>{move, rows};
}

/// `unless`, if there is one, is asked where the call runs.
template <class Where, class Permutation, class From, class To, int... C>
void permute(Where const& where, Permutation const& permutation, From const& from, To const& to,
             std::integer_sequence<int, C...>, [[maybe_unused]] std::uint32_t const* unless = nullptr)
{
  auto const calls = calls_of_rows<Where>(permute_rows<Permutation, From, To, C...>{permutation, from, to},
                                          permutation.size, parts_of_rows<Where>(to.template get<C>()...));
  if constexpr (has_relays<Where>)
    if (unless)
      return onepass::run_each(where, unless_at_random<std::remove_const_t<decltype(calls)>>{calls, unless},
                               calls.calls(), "apply_permutation");
  onepass::run_each(where, calls, calls.calls(), "apply_permutation", few_short_calls);
}

template <class Where, class Permutation>
auto checked_permutation(Where const& where, Permutation const& permutation)
{
  check_input<space_of<Where>, Permutation>();
  static_assert(std::is_integral_v<item_t<Permutation>>, "onepass: a permutation must consist of integers");
  auto const order = as_input(permutation);
  detail::require_on_device("apply_permutation", where, "position", order.size,
                            leaves_range<sequence_of<Permutation>>{order, order.size}, "is none of the ", order.size,
                            " items; give positions from 0 on");
  return order;
}

/// The rows of a View, of which a permutation takes n.
template <class Exec, bool ForReading = false, class Items>
auto permuted_rows(char const* what, Items const& items, extent n)
{
  if constexpr (Kokkos::is_view_v<Items>) {
    static_assert(1 <= Items::rank() && Items::rank() <= 3, "onepass: apply_permutation takes Views of rank 1 to 3");
    static_assert(reachable<Exec, Items>, "onepass: the execution space cannot reach a view's memory; copy it or run "
                                          "elsewhere");
    static_assert(!Items::memory_traits::is_atomic, "onepass: permuted views must not have the Atomic memory trait");
  } else
    static_assert(sequence<Items>, "onepass: an input must be a View or a sequence (value_type, size, operator())");
  auto rows = as_rows<ForReading>("apply_permutation", items);
  require(rows.size >= n, "apply_permutation: ", what, " has ", rows.size, " items and the permutation ", n,
          "; give at least ", n);
  return rows;
}

/// The rows of an output that gets those of `from`.
template <class Exec, class From, class To>
auto permuted_output(From const& from, To const& to, extent n)
{
  static_assert(Kokkos::is_view_v<To> && !std::is_const_v<typename To::value_type>,
                "onepass: apply_permutation writes to Views that are not const");
  static_assert(item_rank<From> == item_rank<To>, "onepass: apply_permutation moves rows to a View of the same rank");
  static_assert(std::is_convertible_v<typename decltype(as_rows("", from))::value_type, typename To::value_type>,
                "onepass: the items do not convert to the output's");
  if constexpr (item_rank < To >> 1)
    for (std::size_t r = 1; r < std::size_t(To::rank()); ++r)
      require(from.extent(r) == to.extent(r), "apply_permutation: rows have ", from.extent(r), " items in dimension ",
              r, " and those of the output ", to.extent(r), "; give views of the same rows");
  return permuted_rows<Exec>("an output", to, n);
}

/// How the rows of all Views lie in memory of n rows each: View after View, or side by side in n records, of which one
/// is all that is read at random.
class spare_layout {
public:
  spare_layout(extent n, bool in_records)
      : n_(std::size_t(n))
      , in_records_(in_records)
  {}

  /// The rows of one more View: where they begin.
  template <class Rows>
  std::size_t add(Rows const& rows)
  {
    using T       = typename Rows::value_type;
    auto const at = rounded_up(used_, in_records_ ? alignof(T) : std::size_t(256));
    alignment_    = std::max(alignment_, alignof(T));
    used_         = at + bytes_of_row(rows) * (in_records_ ? 1 : n_);
    return at;
  }

  /// From one row of a View to the next. A record takes whole sectors of memory, or a part that divides one.
  template <class Rows>
  extent step(Rows const& rows) const
  {
    return extent(in_records_ ? record() : bytes_of_row(rows));
  }

  std::size_t bytes() const { return in_records_ ? n_ * record() : used_; }

  /// Bytes of a record.
  std::size_t record() const
  {
    constexpr std::size_t sector = 32;
    return rounded_up(used_, std::max(alignment_, std::min(sector, std::bit_ceil(used_))));
  }

private:
  template <class Rows>
  static std::size_t bytes_of_row(Rows const& rows)
  {
    using T = typename Rows::value_type;
    return std::size_t(items_of_row(rows)) * sizeof(T);
  }
  static std::size_t rounded_up(std::size_t x, std::size_t to) { return (x + to - 1) / to * to; }

  std::size_t n_, used_ = 0, alignment_ = 1;
  bool in_records_;
};

/// Spare rows like those given: n of them, `step` bytes from one to the next.
template <class Rows>
auto spare_rows([[maybe_unused]] Rows const& like, std::byte* first, extent n, extent step)
{
  using T = typename Rows::value_type;
  if constexpr (has_wide_rows<Rows>) return spaced_rows<T>{{first, n, step}, like.width};
  else return spaced_items<T>{first, n, step};
}

/// Whether n rows of these records are worth asking the device how they are permuted.
template <class Where, class... Rows>
bool asks_for_records(extent n, spare_layout const& records, Rows const&...)
{
  constexpr auto numbers = record_tuning_for<tuning_of<Where>>();
  return n >= numbers.from && sizeof...(Rows) >= numbers.fewest && records.record() >= numbers.least
         && records.record() <= numbers.most && records.record() % record_shape::word == 0;
}

/// Rows of `from` become rows of `to`, through records at `memory` if the permutation is at random; else otherwise(
/// unless) is called to queue what moves them, unless the word says that it is.
template <class Where, class Permutation, class From, class To, class Otherwise, int... C>
void permute_by_choice(Where const& where, Permutation const& permutation, From const& from, To const& to,
                       spare_layout const& layout, std::size_t const (&begin)[sizeof...(C)], std::byte* memory,
                       std::uint32_t* at_random, Otherwise const& otherwise, std::integer_sequence<int, C...>)
{
  constexpr auto numbers  = record_tuning_for<tuning_of<Where>>();
  char const* const label = "apply_permutation";
  extent const n          = permutation.size;
  auto const records = make_columns(spare_rows(to.template get<C>(), memory + begin[C], n, extent(layout.record()))...);
  using columns      = std::remove_const_t<decltype(records)>;
  record_shape shape{n, int(layout.record()), 0,
                     std::max<extent>(where.space.concurrency() / (256 * numbers.resident), 1)};
  shape.together = int(std::min<std::size_t>(numbers.stage / std::size_t(shape.step()), 256));
  onepass::run(where, judge_permutation<Permutation>{permutation, numbers.pairs, numbers.near, at_random}, label);
  onepass::run(where, make_records<columns, From, C...>{{shape, memory, records, at_random}, from}, label);
  otherwise(at_random);
  onepass::run(
      where, take_records<columns, Permutation, To, C...>{{shape, memory, records, at_random}, permutation, to}, label);
}

/// At run time: View C of those that are written shares no memory with any before it.
template <int C, class Columns>
void require_apart_from_earlier(Columns const& written)
{
  [&]<int... Earlier>(std::integer_sequence<int, Earlier...>)
  {
    (onepass::require_disjoint("apply_permutation", written.template get<Earlier>(), written.template get<C>()), ...);
  }
  (std::make_integer_sequence<int, C>());
}

}  // namespace detail

/// Every View of `to` = the same View of `from`, permuted: to(i, ...) = from(permutation(i), ...).
///
/// - `permutation`: a View of rank 1 or a sequence of integers in [0, n); `on(exec).checked()` checks this first, waits
///   for the result, and throws precondition_error otherwise
/// - `from`, `to`: std::tuples of equally many Views of ranks 1 to 3 and any layout (`from` also of sequences), each of
///   at least n items, or rows: of ranks 2 and 3 everything with the same first index moves together. Ranks may be
///   mixed; the two of a pair have the same rank and rows. Items of `from` convert to those of `to`. Outputs share no
///   memory with anything else
///
/// Compile-time errors: memory that the space cannot reach, permutations that are not integers, Views of rank 4, of
/// unlike ranks or items, and different numbers of inputs and outputs. Throws precondition_error, before anything is
/// queued, if a View is too short, rows are unlike or memory is shared.
///
/// Cost: one kernel for all Views; the permutation is read once (on devices once for each item of the widest rows),
/// each item is read once, at a random position, and written once. CUDA looks whether many rows are taken at random: if
/// so, and the place has a workspace that may grow, rows go through records there, of which each is read whole.
///
/// Queued on the instance without a fence. Allocates nothing if the workspace, if there is one, is large enough: for
/// 2^20 rows or more of several Views, the bytes of all their rows, rounded up to sectors of 32.
///
/// Source: records are the library's own, docs/decisions/0029-cells.md.
/// \ingroup permutations
template <place_like Where, class Permutation, class... From, class... To>
void apply_permutation(Where const& where, Permutation const& permutation, std::tuple<From...> const& from,
                       std::tuple<To...> const& to)
{
  using exec = space_of<Where>;
  static_assert(sizeof...(From) == sizeof...(To), "onepass: apply_permutation needs as many outputs as inputs");
  auto const order = detail::checked_permutation(where, permutation);
  [&]<std::size_t... V>(std::index_sequence<V...>)
  {
    auto const sources = make_columns(detail::permuted_rows<exec, true>("an input", std::get<V>(from), order.size)...);
    auto const targets = make_columns(detail::permuted_output<exec>(std::get<V>(from), std::get<V>(to), order.size)...);
    auto const apart   = [&](auto const& target) {
      onepass::require_disjoint("apply_permutation", order, target);
      (onepass::require_disjoint("apply_permutation", sources.template get<int(V)>(), target), ...);
    };
    (apart(targets.template get<int(V)>()), ...);
    (detail::require_apart_from_earlier<int(V)>(targets), ...);
    constexpr std::make_integer_sequence<int, sizeof...(To)> all{};
    if constexpr (has_relays<Where> && sizeof...(To) > 0) {
      detail::spare_layout layout(order.size, true);
      std::size_t const begin[] = {layout.add(targets.template get<int(V)>())...};
      auto const& at            = on(where);
      if (at.scratch && at.scratch->grows()
          && detail::asks_for_records<Where>(order.size, layout, std::get<V>(to)...)) {
        auto const place        = at.or_named("apply_permutation");
        std::size_t const bytes = (layout.bytes() + 255) / 256 * 256;
        std::byte* const memory = at.scratch->plain(bytes + sizeof(std::uint32_t));
        auto const otherwise    = [&](std::uint32_t const* unless) {
          detail::permute(place, order, sources, targets, all, unless);
        };
        return detail::permute_by_choice(place, order, sources, targets, layout, begin, memory,
                                         reinterpret_cast<std::uint32_t*>(memory + bytes), otherwise, all);
      }
    }
    detail::permute(where, order, sources, targets, all);
  }
  (std::index_sequence_for<To...>{});
}

/// In place: view(i, ...) = view(permutation(i), ...) for every View. Goes through workspace memory for all Views, on
/// hosts, and on CUDA where the permutation is at random, in records: two kernels, every item is read and written
/// twice. Throws precondition_error, before anything is queued, if a View is too short or shares memory with the
/// permutation or another. Allocates nothing if the place has a large enough workspace.
/// \ingroup permutations
template <place_like Where, class Permutation, class... Views>
  requires(sizeof...(Views) > 0 && (Kokkos::is_view_v<Views> && ...))
void apply_permutation(Where const& where, Permutation const& permutation, Views const&... views)
{
  using exec       = space_of<Where>;
  auto const order = detail::checked_permutation(where, permutation);
  auto const n     = order.size;
  auto const rows  = make_columns(detail::permuted_output<exec>(views, views, n)...);
  [&]<int... C>(std::integer_sequence<int, C...> all)
  {
    (onepass::require_disjoint("apply_permutation", order, rows.template get<C>()), ...);
    (detail::require_apart_from_earlier<C>(rows), ...);
    constexpr bool in_records = cell_tuning_for<tuning_of<Where>>(on_host<exec>).records;
    detail::spare_layout layout(n, in_records), records(n, true);
    std::size_t const begin[]                            = {layout.add(rows.template get<C>())...};
    [[maybe_unused]] std::size_t const begin_in_record[] = {records.add(rows.template get<C>())...};
    with_workspace(where, "apply_permutation", [&](auto const& place, workspace<exec>& scratch) {
      [[maybe_unused]] bool const asks =
          has_relays<Where> && scratch.grows() && detail::asks_for_records<Where>(n, records, views...);
      std::size_t const bytes = (std::max(layout.bytes(), asks ? records.bytes() : 0) + 255) / 256 * 256;
      std::byte* const memory = scratch.plain(bytes + (asks ? sizeof(std::uint32_t) : 0));
      auto const spare        = [&](auto const& of, std::size_t at) {
        return detail::spare_rows(of, memory + at, n, layout.step(of));
      };
      auto const spares = make_columns(spare(rows.template get<C>(), begin[C])...);
      counting<extent> const in_order{0, n};
      if constexpr (has_relays<Where>)
        if (asks)
          return detail::permute_by_choice(
              place, order, rows, rows, records, begin_in_record, memory,
              reinterpret_cast<std::uint32_t*>(memory + bytes),
              [&](std::uint32_t const* unless) {
                detail::permute(place, order, rows, spares, all, unless);
                detail::permute(place, in_order, spares, rows, all, unless);
              },
              all);
      if constexpr (in_records) {
        detail::permute(place, in_order, rows, spares, all);
        detail::permute(place, order, spares, rows, all);
      } else {
        detail::permute(place, order, rows, spares, all);
        detail::permute(place, in_order, spares, rows, all);
      }
    });
  }
  (std::make_integer_sequence<int, int(sizeof...(Views))>{});
}

}  // namespace onepass::ONEPASS_ABI
