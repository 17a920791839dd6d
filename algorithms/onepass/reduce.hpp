// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/scan.hpp>

namespace onepass {

/// \defgroup reductions Reductions
/// All items combined into one value. Common to both:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1 or 2, a sequence, or `first(items, count)` with a size known only on the device
/// - `total`: a View of rank 0, or a variable of the host, in whose type the items are combined: trivially copyable, at
///   most 64 bytes
/// - `op`: `op(older, newer)` must be associative; it need not be commutative; a wider result is converted. Default:
///   sums. Operators of std, libcu++ and Thrust and reducers of Kokkos may be given too (known_operators.hpp)
/// - `init`: precedes item 0: a value, or a View of rank 0 that is read when the kernel runs. The result for an empty
///   input is it, or the operator's identity (+0.0 for sums of floats)
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, an operator that does not fit,
/// and a reduction with neither an init nor an identity. There are no run-time errors.
///
/// Cost: one pass; n items are read once.
///
/// Queued on the instance without a fence; waits only where the total is a variable. Allocates nothing if the place has
/// a large enough workspace.
/// \{

namespace detail {

template <class Where, class In, class Total, class Transform, class Op, class Init>
void reduce(Where const& where, In const& in, Total const& total, Transform const& f, Op const& op, Init const& init)
{
  using exec  = space_of<Where>;
  using T     = typename Total::value_type;
  using known = known_operator_t<Op, T>;
  check_input<exec, In>();
  check_operator<known, T>();
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(has_init || has_identity<known, T>,
                "onepass: a reduction with an operator that has no identity needs an init");
  auto from     = as_input(in);
  using program = scan_program<scan_kind::total_only, decltype(from), nothing, T, known, Transform>;
  run(where,
      program{from, {}, {known_operator<T>(op)}, f, given_init<T, exec>(init), has_init, total_address<T, exec>(total)},
      count_of(in), "reduce");
}

}  // namespace detail

/// total() = init · f(in(0)) · … · f(in(n-1)). f takes an item and runs once per item, twice on two-pass schedules.
template <place_like Where, class In, class Total, class Transform, class Op = plus, class Init = no_init>
void transform_reduce(Where const& where, In const& in, Total&& total, Transform f, Op op = {}, Init const& init = {})
{
  with_result(where, std::forward<Total>(total),
              [&](auto const& at, auto const& to) { detail::reduce(at, in, to, f, op, init); });
}

/// total() = init · in(0) · … · in(n-1).
template <place_like Where, class In, class Total, class Op = plus, class Init = no_init>
void reduce(Where const& where, In const& in, Total&& total, Op op = {}, Init const& init = {})
{
  onepass::transform_reduce(where, in, std::forward<Total>(total), unchanged{}, op, init);
}

/// \}

}  // namespace onepass
