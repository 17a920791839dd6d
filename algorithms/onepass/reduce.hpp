// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/scan.hpp>

namespace onepass {

/// total() = init · f(in(0)) · … · f(in(n-1)), in the type of `total`, a View of rank 0.
/// op(older, newer) associates; it need not commute. An empty input gives init, or the operator's identity: an
/// operator without one needs an init. Queued on the instance; nothing is fenced.
template <where Where, class In, class Total, class Transform, class Op = plus, class Init = no_init>
void transform_reduce(Where const& where, In const& in, Total const& total, Transform f, Op op = {},
                      Init const& init = {})
{
  using exec = space_of<Where>;
  using T    = typename Total::value_type;
  check_input<exec, In>();
  check_operator<Op, T>();
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(has_init || has_identity<Op, T>,
                "onepass: a reduction with an operator that has no identity needs an init");
  auto from     = as_input(in);
  using program = scan_program<scan_kind::total_only, decltype(from), nothing, T, Op, Transform>;
  run(where,
      program{from, {}, {op}, f, detail::given_init<T, exec>(init), has_init, detail::total_address<T, exec>(total)},
      count_of(in), "reduce");
}

/// total() = init · in(0) · … · in(n-1).
template <where Where, class In, class Total, class Op = plus, class Init = no_init>
void reduce(Where const& where, In const& in, Total const& total, Op op = {}, Init const& init = {})
{
  transform_reduce(where, in, total, unchanged{}, op, init);
}

}  // namespace onepass
