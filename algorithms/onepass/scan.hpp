// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_ranges.hpp>
#include <onepass/checks.hpp>
#include <onepass/engine/items/canonical.hpp>
#include <onepass/execution/sides_tuning.hpp>
#include <onepass/known_operators.hpp>
#include <onepass/programs/rows_side_by_side.hpp>
#include <onepass/programs/scan.hpp>
#include <onepass/programs/segmented_scan.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup scans Scans
/// Each item becomes the combination of everything before it (exclusive), or of everything up to it (inclusive). Common
/// to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1, a sequence, `first(items, count)` with a size known only on the device, or a View
///   of rank 2, each row of which is scanned by itself
/// - `out`: a View of rank 1, at least as long as `in`; for rows, of rank 2 with the extents of `in`. It may be `in`
///   itself, but may not overlap it in any other way
/// - `op`: `op(older, newer)` must be associative; it need not be commutative; a wider result is converted. Default:
///   sums. Operators of std, libcu++ and Thrust and reducers of Kokkos may be given too (known_operators.hpp)
/// - `init`: precedes item 0: a value, or a View of rank 0 that is read when the kernel runs. Default: no init
/// - `total`: a View of rank 0, or a variable of the host, that receives the combination of init and all items (also if
///   there are none). Default: none. reduce_rows() (segmented.hpp) gives the totals of rows
///
/// Values are combined in the output's item type, or in `Accumulator` if a call names one:
/// `inclusive_scan<double>(...)`. This type is trivially copyable, default constructible and of at most 64 bytes, with
/// a flag beside it where the operator has no identity: 60, or 56 if it is aligned to 8.
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, an operator that does not fit,
/// an exclusive scan with neither an init nor an identity, and a total of rows. Throws precondition_error, before
/// anything is queued, if `out` is too short, has other rows, overlaps `in`, or has the number of items or, of rows,
/// their init in it.
///
/// Cost: one pass; n items are read once and n results written once. Two-pass schedules read the items twice.
///
/// Queued on the instance without a fence; waits only where the total is a variable. Allocates nothing if the place has
/// a large enough workspace.
///
/// Source: scans in general, Hillis & Steele 1986, Blelloch 1990; in a single pass, Merrill & Garland 2016; see
/// docs/references.md.
/// \{

/// No init: nothing precedes item 0. An exclusive scan then needs an operator with an identity.
struct no_init {};

namespace detail {

template <class Accumulator, class Fallback>
using accumulator_or = std::conditional_t<std::is_void_v<Accumulator>, Fallback, Accumulator>;

template <class T, class Exec, class Init>
given<T> given_init(Init const& init)
{
  if constexpr (std::is_same_v<Init, no_init>) return {};
  else if constexpr (Kokkos::is_view_v<Init>) {
    check_scalar<Exec, Init>();
    static_assert(std::is_same_v<typename Init::non_const_value_type, T>,
                  "onepass: a device-side init must have the accumulator's type");
    return {T{}, init.data()};
  } else {
    static_assert(std::is_convertible_v<Init, T>, "onepass: init does not convert to the accumulator");
    return {static_cast<T>(init), nullptr};
  }
}

template <class T, class Exec, class Total>
T* total_address(Total const& total)
{
  if constexpr (std::is_same_v<Total, nothing>) return nullptr;
  else {
    check_scalar<Exec, Total>();
    static_assert(std::is_same_v<typename Total::value_type, T>,
                  "onepass: the total must be a View of rank 0, or a variable, of the accumulator's type");
    return total.data();
  }
}

template <class Where>
constexpr sides_tuning sides_of = sides_tuning_for<tuning_of<Where>>(on_host<space_of<Where>>);

/// Into how many parts each of so many rows side by side is cut.
template <class Where>
extent parts_of_rows(Where const& where, extent rows, extent columns)
{
  extent const threads = onepass::calls_alone(where) ? 1 : extent(instance_of(where).concurrency());
  return sides_of<Where>.parts_of(rows, columns, threads);
}

/// A scan by rows that lie side by side, in the input and in the output: of their parts, what precedes each, and then
/// all items.
template <class Where, class Program>
void scan_side_by_side(char const* label, Where const& where, Program const& all)
{
  using sums         = sums_side_by_side<Program, nothing>;
  using scans        = scans_side_by_side<Program>;
  extent const rows  = all.in.size / all.in.columns,
               parts = std::min(sides_of<Where>.most, detail::parts_of_rows(where, rows, all.in.columns));
  scans sides{{all, rows, parts, nullptr}};
  if (parts < sides_of<Where>.fewest) {
    sides.parts = 1;
    return onepass::run(where, sides, rows, label);
  }
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    using aggregate = typename scans::aggregate;
    sides.put_by    = scratch.template plain_of<aggregate>(rows * parts);
    onepass::run(place.step(" (parts)"), sums{{all, rows, parts, sides.put_by}, {}}, rows * parts, "");
    onepass::run_each(place.step(" (add up)"), add_up_before<scans>{sides}, rows, "");
    onepass::run(place, sides, rows * parts, label);
  });
}

template <scan_kind Kind, class Accumulator, class Where, class In, class Out, class Op, class Transform, class Init,
          class Total>
void scan(char const* label, Where const& where, In const& in, Out const& out, Op const& given, Transform transform,
          Init const& init, Total const& total)
{
  using exec    = space_of<Where>;
  using T       = accumulator_or<Accumulator, item_t<Out>>;
  auto const op = known_operator<T>(given);
  using known   = known_operator_t<Op, T>;
  check_counted_input<exec, In>();
  check_output<exec, Out, T>();
  check_operator<known, T>();
  static_assert(std::is_convertible_v<decltype(transform(std::declval<item_t<In> const&>())), T>,
                "onepass: the transformed items do not convert to the accumulator");
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(Kind != scan_kind::exclusive || has_init || has_identity<known, T>,
                "onepass: an exclusive scan with an operator that has no identity needs an init");

  constexpr bool rows = Kokkos::is_view_v<In> && item_rank<In> == 2;
  static_assert(!rows || std::is_same_v<Total, nothing>,
                "onepass: a scan by rows has no total; reduce_rows of segmented.hpp gives one a row");

  if constexpr (!is_nothing<Total>) onepass::require_result_apart(label, total, held_count(in));
  auto const queue = [&](auto from, auto to) {
    onepass::require_room(label, from, to);
    onepass::require_no_overlap(label, from, to);
    onepass::require_disjoint(label, held_count(in), to);
    if constexpr (rows) onepass::require_init_apart(label, init, to);
    using program = scan_program<Kind, decltype(from), decltype(to), T, known, Transform>;
    program const all{from, to, {op}, transform, given_init<T, exec>(init), has_init, total_address<T, exec>(total)};
    if constexpr (rows && program::pure && !is_canonical<tuning_of<Where>>)
      if constexpr (is_by_rows<decltype(from)> && is_by_rows<decltype(to)>)
        if (constexpr auto numbers = sides_of<Where>;
            from.size >= numbers.items && onepass::lies_side_by_side(from, numbers.scanned)
            && onepass::lies_side_by_side(to, 1) && schedule_of(where) == schedule::automatic)
          return detail::scan_side_by_side(label, where, all);
    if constexpr (rows) {
      using base = std::conditional_t<is_canonical<tuning_of<Where>>, canonical_program<program>, program>;
      onepass::run(
          where,
          segmented_scan_program<base, row_heads, has_init>{base{all}, {extent(in.extent(1)), extent(from.size)}},
          item_count{extent(from.size)}, label);
    } else onepass::run(where, all, count_of(in), label);
  };
  if constexpr (rows) {
    require(in.extent(0) == out.extent(0) && in.extent(1) == out.extent(1), label, ": the output has ", out.extent(0),
            " x ", out.extent(1), " items and the input ", in.extent(0), " x ", in.extent(1),
            "; give an output of the same shape");
    if constexpr (flat_rows<In> && flat_rows<Out>)
      if (in.span_is_contiguous() && out.span_is_contiguous()) {
        queue(as_flat_input(in), as_flat(out));
        return;
      }
  }
  queue(as_input(in), as_sequence(out));
}

}  // namespace detail

/// out(i) = init · in(0) · … · in(i-1), where a · b is op(a, b); out(0) = init, or the operator's identity.
template <class Accumulator = void, place_like Where, class In, class Out, class Op = plus, class Init = no_init,
          class Total = nothing>
void exclusive_scan(Where const& where, In const& in, Out const& out, Op op = {}, Init const& init = {},
                    Total&& total = {})
{
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    detail::scan<scan_kind::exclusive, Accumulator>("exclusive_scan", at, in, out, op, unchanged{}, init, to);
  });
}

/// out(i) = init · in(0) · … · in(i), where a · b is op(a, b). Without an init nothing precedes item 0, and the
/// operator needs no identity.
template <class Accumulator = void, place_like Where, class In, class Out, class Op = plus, class Init = no_init,
          class Total = nothing>
void inclusive_scan(Where const& where, In const& in, Out const& out, Op op = {}, Init const& init = {},
                    Total&& total = {})
{
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    detail::scan<scan_kind::inclusive, Accumulator>("inclusive_scan", at, in, out, op, unchanged{}, init, to);
  });
}

/// out(i) = init · f(in(0)) · … · f(in(i-1)). f takes an item, and its result converts to the accumulator. It runs
/// exactly once per item, twice on two-pass schedules and, canonically, up to three times on devices.
template <class Accumulator = void, place_like Where, class In, class Out, class Transform, class Op = plus,
          class Init = no_init, class Total = nothing>
void transform_exclusive_scan(Where const& where, In const& in, Out const& out, Transform f, Op op = {},
                              Init const& init = {}, Total&& total = {})
{
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    detail::scan<scan_kind::exclusive, Accumulator>("transform_exclusive_scan", at, in, out, op, f, init, to);
  });
}

/// out(i) = init · f(in(0)) · … · f(in(i)). f takes an item, and its result converts to the accumulator. It runs
/// exactly once per item, twice on two-pass schedules and, canonically, up to three times on devices.
template <class Accumulator = void, place_like Where, class In, class Out, class Transform, class Op = plus,
          class Init = no_init, class Total = nothing>
void transform_inclusive_scan(Where const& where, In const& in, Out const& out, Transform f, Op op = {},
                              Init const& init = {}, Total&& total = {})
{
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    detail::scan<scan_kind::inclusive, Accumulator>("transform_inclusive_scan", at, in, out, op, f, init, to);
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
