// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI {

/// Sums of floats without rounding, then rounded once; the steps of such a call run with the tuning `Within`.
template <class Within>
struct exact_tuning {
  using within = Within;  ///< of the steps
};
template <class Within>
inline constexpr bool is_exact<exact_tuning<Within>> = true;

/// Whether calls at a place add floats without rounding.
template <class Where>
inline constexpr bool is_exact_place = is_exact<tuning_of<Where>>;

/// Sums of f32 and f64 without rounding, rounded once at the end to nearest even: their bits depend on neither order,
/// threads, space, schedule nor number of ranks. `where` is an execution space instance or a place. Taken by reduce,
/// transform_reduce, dot, segmented_reduce, reduce_rows, reduce_by_key and ranks::reduce with the operator plus;
/// everything else is refused at compile time. Sums of integers are the same as ever.
///
/// Items are taken as f64. A sum that is zero is +0.0; infinities and NaNs are as in IEEE
/// 754, but overflow and underflow are judged of the rounded sum alone. Compilers must not reorder additions
/// (-ffast-math).
///
/// Cost: one pass where a sum is held by three doubles, which items within about 90 binades of each other are; sums
/// that are not are read once more (docs/bits.md).
template <place_like Where>
auto exactly(Where const& where)
{
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
  static_assert(!place_like<Where>, "onepass: exactly() needs IEEE 754 arithmetic; compile without -ffast-math");
#endif
  static_assert(!is_canonical<tuning_of<Where>>, "onepass: exact sums need no canonical order");
  if constexpr (is_exact_place<Where>) return on(where);
  else return on(where).template tuned<exact_tuning<tuning_of<Where>>>();
}

/// The place at which the steps of an exact call run.
template <place_like Where>
  requires(is_exact_place<Where>)
auto steps_of(Where const& where) { return where.template tuned<typename tuning_of<Where>::within>(); }

}  // namespace onepass::ONEPASS_ABI
