// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/scan_by_key.hpp>
#include <onepass/scan.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup scans_by_key Scans by key
/// Scans that restart wherever a key differs from the one before: runs are maximal stretches of equal keys. Common to
/// both:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `keys`: a View of rank 1, a sequence, or `first(keys, count)`; equal keys need not be sorted, but must be adjacent
/// - `values`: a View of rank 1 or a sequence, with a value for each key
/// - `out`: a View of rank 1, at least as long as `keys`, in whose item type the values are combined. It may be
///   `values` itself, but not `keys`
/// - `op`: `op(older, newer)` must be associative; it need not be commutative. It never combines values of different
///   runs. Default: sums
/// - `init`: precedes the first value of every run: a value, or a View of rank 0 that is read when the kernel runs
/// - `equal`: `equal(key, next)`, once per item on single-pass schedules. Default: ==
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, an operator that does not fit,
/// and an exclusive scan with neither an init nor an identity. Throws precondition_error, before anything is queued, if
/// there are too few values, if `out` is too short, or if memory is shared.
///
/// Cost: one pass; keys and values are read once and n results written once, however long the runs are.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: segmented scans, Blelloch 1990, Sengupta et al. 2007; in a single pass, Merrill & Garland 2016; see
/// docs/references.md.
/// \{

namespace detail {

template <scan_kind Kind, class Where, class Keys, class Values, class Out, class Op, class Init, class Equal>
void scan_by_key(char const* label, Where const& where, Keys const& keys, Values const& values, Out const& out, Op op,
                 Init const& init, Equal equal)
{
  using exec  = space_of<Where>;
  using T     = item_t<Out>;
  using known = known_operator_t<Op, T>;
  check_counted_input<exec, Keys>();
  check_input<exec, Values>();
  check_kept<item_t<Keys>>();
  check_kept<item_t<Values>>();
  check_output<exec, Out, T>();
  check_operator<known, T>();
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(Kind != scan_kind::exclusive || has_init || has_identity<known, T>,
                "onepass: an exclusive scan with an operator that has no identity needs an init");
  auto const from_keys   = as_input(keys);
  auto const from_values = as_input(values);
  onepass::require_values(label, from_keys, from_values);
  auto to = as_sequence(out);
  onepass::require_room(label, from_keys, to);
  onepass::require_no_overlap(label, from_values, to);
  onepass::require_disjoint(label, to, from_keys, held_count(keys));
  onepass::require_init_apart(label, init, to);
  using input = zipped<sequence_of<Keys>, sequence_of<Values>>;
  using base  = scan_program<Kind, input, decltype(to), T, known, second_of<T>>;
  base const all{
      {from_keys, from_values}, to, {known_operator<T>(op)}, {}, given_init<T, exec>(init), has_init, nullptr};
  onepass::run(where, segmented_scan_program<base, key_heads<Equal>, has_init>{all, {equal}}, count_of(keys), label);
}

}  // namespace detail

/// out(i) = init · the values before i that belong to the same run of keys; for the first item of a run: init, or the
/// identity.
template <place_like Where, class Keys, class Values, class Out, class Op = plus, class Init = no_init,
          class Equal = equal_to>
void exclusive_scan_by_key(Where const& where, Keys const& keys, Values const& values, Out const& out, Op op = {},
                           Init const& init = {}, Equal equal = {})
{
  detail::scan_by_key<scan_kind::exclusive>("exclusive_scan_by_key", where, keys, values, out, op, init, equal);
}

/// out(i) = init · the values up to i that belong to the same run of keys.
template <place_like Where, class Keys, class Values, class Out, class Op = plus, class Init = no_init,
          class Equal = equal_to>
void inclusive_scan_by_key(Where const& where, Keys const& keys, Values const& values, Out const& out, Op op = {},
                           Init const& init = {}, Equal equal = {})
{
  detail::scan_by_key<scan_kind::inclusive>("inclusive_scan_by_key", where, keys, values, out, op, init, equal);
}

/// \}

}  // namespace onepass::ONEPASS_ABI
