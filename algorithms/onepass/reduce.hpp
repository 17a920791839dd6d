// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_ranges.hpp>
#include <onepass/execution/exactly.hpp>
#include <onepass/programs/exact_sums.hpp>
#include <onepass/scan.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup reductions Reductions
/// All items combined into one value. Common to both:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1 or 2, a sequence, or `first(items, count)` with a size known only on the device
/// - `total`: a View of rank 0, or a variable of the host, in whose type the items are combined: trivially copyable,
///   default constructible, at most 64 bytes, with a flag beside it where the operator has no identity: 60, or 56 if
///   it is aligned to 8
/// - `op`: `op(older, newer)` must be associative; it need not be commutative; a wider result is converted. Default:
///   sums. Operators of std, libcu++ and Thrust and reducers of Kokkos may be given too (known_operators.hpp)
/// - `init`: precedes item 0: a value, or a View of rank 0 that is read when the kernel runs. The result for an empty
///   input is it, or the operator's identity (+0.0 for sums of floats)
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, an operator that does not fit,
/// and a reduction with neither an init nor an identity. Throws precondition_error, before anything is queued, if the
/// total goes where the number of items is.
///
/// Columns of a matrix may be read first, also by serially(), where the operator commutes.
///
/// Cost: one pass; n items are read once, under exactly(exec) once more where three doubles do not hold the sum.
///
/// Queued on the instance without a fence; waits only where the total is a variable. Allocates nothing if the place has
/// a large enough workspace.
///
/// Source: under exactly(exec), Shewchuk 1997 and Kulisch 2013; see docs/references.md. Totals on CUDA are the
/// library's own, docs/decisions/0020-totals-and-words-of-bytes.md.
/// \{

namespace detail {

/// What exactly() asks of a sum. Whether it is one of floats: integers are added as ever.
template <class T, class Op>
constexpr bool adds_floats_exactly()
{
  static_assert(std::is_same_v<known_operator_t<Op, T>, plus>,
                "onepass: exactly() is for sums; give no other operator");
  static_assert(std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "onepass: exact sums are floats, doubles or integers");
  return std::is_floating_point_v<T>;
}

/// One pass, and another by digits if the first can not hold the sum. It is made as a Sum, a float or held_sum: as NaN
/// where it is in the digits, which must be zero if host threads add to them.
template <class Place, class In, class Sum, class Term, class Before>
void add_exactly(char const* label, Place const& at, In const& from, item_count const& count, Term const& term,
                 given<Before> const& before, Sum* made, std::int64_t* words)
{
  using program        = exact_total_program<In, Sum, Term, Before>;
  using again          = add_to_digits<In, Sum, Term, Before>;
  auto const by_digits = [&](auto const& there, Before const& first) {
    onepass::run(there, again{from, count, term, first, made, words}, div_up(count.limit + 1, again::stretch), label);
  };
  if constexpr (returns_finished<Place>) {
    Before const first = before();                                        // `made` may be there
    *made              = Sum(Kokkos::Experimental::quiet_NaN_v<double>);  // digits are as fast
    by_digits(at, first);
  } else {
    onepass::run(at, program{{from, {}, {}, term, {}, false, nullptr}, before, made, words}, count, label);
    by_digits(at.step(" (digits)"), Before(0));  // which the digits have already
  }
}

template <class Where, class In, class Total, class Term, class Init>
void reduce_exactly(char const* label, Where const& where, In const& in, Total const& total, Term const& term,
                    Init const& init)
{
  using exec      = space_of<Where>;
  using T         = typename Total::value_type;
  using digits    = long_sum<Term::of_products>;
  auto* const sum = total_address<T, exec>(total);
  auto const add  = [&](auto const& at, std::int64_t* words) {
    onepass::with_input<true>(in, [&](auto from) {
      detail::add_exactly(label, at, from, count_of(in), term, given_init<T, exec>(init), sum, words);
    });
    onepass::run_each(at, round_the_digits<digits, T>{words, sum}, 1, label);
  };
  auto const place = steps_of(on(where).or_named(label));
  if constexpr (returns_finished<Where>) {
    auto own = digits::zero();
    add(place, own.word);
  } else
    with_workspace(place, label, [&](auto const& at, workspace<exec>& scratch) {
      add(at, reinterpret_cast<std::int64_t*>(scratch.plain(sizeof(digits))));
    });
}

/// The sum of all items, not rounded, as a value of the host; waits.
template <class Where, class In, class Term>
auto sum_unrounded(char const* label, Where const& where, In const& in, Term const& term)
{
  using exec   = space_of<Where>;
  using digits = long_sum<Term::of_products>;
  struct sums {
    held_sum held;
    digits rest;
  } here{held_sum(0.0), digits::zero()};
  auto const add = [&](auto const& at, sums* made) {
    onepass::with_input<true>(in, [&](auto from) {
      detail::add_exactly(label, at, from, count_of(in), term, given<double>{0.0}, &made->held, made->rest.word);
    });
  };
  auto const place = steps_of(on(where).or_named(label));
  if constexpr (returns_finished<Where>) add(place, &here);
  else
    with_workspace(place, label, [&](auto const& at, workspace<exec>& scratch) {
      using there   = Kokkos::View<std::byte*, typename exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      using of_host = Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      std::byte* const made = scratch.plain(sizeof(sums));
      add(at, reinterpret_cast<sums*>(made));
      Kokkos::deep_copy(at.space, of_host(reinterpret_cast<std::byte*>(&here), sizeof(sums)),
                        there(made, sizeof(sums)));
      at.space.fence("onepass: a sum is read by the host");
    });
  if (!is_nan(here.held)) {
    here.rest = digits::zero();
    for (double const part : here.held.part) here.rest.add(part);
  }
  here.rest.settle();
  return here.rest;
}

template <class Where, class In, class Total, class Transform, class Op, class Init>
void reduce(Where const& where, In const& in, Total const& total, Transform const& f, Op const& op, Init const& init)
{
  using exec  = space_of<Where>;
  using T     = typename Total::value_type;
  using known = known_operator_t<Op, T>;
  check_counted_input<exec, In>();
  check_operator<known, T>();
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(has_init || has_identity<known, T>,
                "onepass: a reduction with an operator that has no identity needs an init");
  onepass::require_result_apart("reduce", total, held_count(in));
  if constexpr (is_exact_place<Where>) {
    if constexpr (adds_floats_exactly<T, Op>())
      return detail::reduce_exactly("reduce", where, in, total, exact_number<Transform>{f}, init);
    else return detail::reduce(steps_of(where), in, total, f, op, init);
  } else {
    onepass::with_input<commuting<known> && !is_canonical<tuning_of<Where>>>(in, [&](auto from) {
      using program = scan_program<scan_kind::total_only, decltype(from), nothing, T, known, Transform>;
      onepass::run(
          where,
          program{
              from, {}, {known_operator<T>(op)}, f, given_init<T, exec>(init), has_init, total_address<T, exec>(total)},
          count_of(in), "reduce");
    });
  }
}

}  // namespace detail

/// total() = init · f(in(0)) · … · f(in(n-1)). f takes an item and runs once per item, twice on two-pass schedules, and
/// once more under exactly(exec) where three doubles do not hold the sum.
template <place_like Where, class In, class Total, class Transform, class Op = plus, class Init = no_init>
void transform_reduce(Where const& where, In const& in, Total&& total, Transform f, Op op = {}, Init const& init = {})
{
  onepass::with_result(where, std::forward<Total>(total),
                       [&](auto const& at, auto const& to) { detail::reduce(at, in, to, f, op, init); });
}

/// total() = init · in(0) · … · in(n-1).
template <place_like Where, class In, class Total, class Op = plus, class Init = no_init>
void reduce(Where const& where, In const& in, Total&& total, Op op = {}, Init const& init = {})
{
  onepass::transform_reduce(where, in, std::forward<Total>(total), unchanged{}, op, init);
}

/// total() = init + x(0) y(0) + … + x(n-1) y(n-1). `x` and `y` are Views or sequences of n numbers each, `x` may be
/// first(items, count); they are multiplied and added in the type of the total. Throws precondition_error, before
/// anything is queued, if there are fewer y. Under exactly(exec) neither products nor sums are rounded before the end.
template <place_like Where, class X, class Y, class Total, class Init = no_init>
void dot(Where const& where, X const& x, Y const& y, Total&& total, Init const& init = {})
{
  using exec = space_of<Where>;
  check_counted_input<exec, X>();
  check_input<exec, Y>();
  zipped<sequence_of<X>, sequence_of<Y>> const all{as_input(x), as_input(y)};
  onepass::require_values("dot", all.first, all.second);
  auto const pairs = [&] {
    if constexpr (is_first_items<X>) return onepass::first(all, x.count);
    else return all;
  }();
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    using T = typename std::remove_cvref_t<decltype(to)>::value_type;
    onepass::require_result_apart("dot", to, held_count(pairs));
    if constexpr (is_exact_place<Where>) {
      if constexpr (detail::adds_floats_exactly<T, plus>())
        detail::reduce_exactly("dot", at, pairs, to, exact_product<products_in_f64<item_t<X>, item_t<Y>>>{}, init);
      else detail::reduce(steps_of(at), pairs, to, rounded_product<T>{}, plus{}, init);
    } else detail::reduce(on(at).or_named("dot"), pairs, to, rounded_product<T>{}, plus{}, init);
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
