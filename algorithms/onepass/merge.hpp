// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_ranges.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/merge.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup merges Merges
/// Two sorted inputs are merged into one. Common to both:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `a`, `b`; `a_keys`, `b_keys`: items of one type in the order of `less`: Views of rank 1, sequences, or
///   `first(items, count)` with a size known only on the device. They have at most 64 bytes
/// - `out`, `keys_out`: a View of rank 1, at least as long as both inputs together. No memory may be shared
/// - `less`: `less(a, b)`, a strict weak order. Default: <, with NaNs after all numbers
///
/// Stable: equal items of `a` come before those of `b`, and those of each stay as they are. If the inputs
/// are not sorted, the results are meaningless.
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, inputs
/// of different types, Views of rank 2, items that are too large and a comparator that does not fit. Throws
/// precondition_error, before anything is queued, if an output is too short or shares memory.
///
/// Cost: n items are read once and written once; on devices a small kernel before that finds where tiles begin, by
/// log2(n) items each. Uses 8 bytes of workspace per tile there.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: Odeh et al. 2012; see docs/references.md.
/// \{

namespace detail {

template <class Where, class A, class B, class Out, class Less, class Beside>
void merge(char const* label, Where const& where, A const& a, B const& b, Out const& out, Less const& less,
           Beside const& beside)
{
  using exec = space_of<Where>;
  using item = item_t<A>;
  check_counted_input<exec, A>();
  check_counted_input<exec, B>();
  static_assert(std::is_same_v<item, item_t<B>>, "onepass: what is merged must be of one type");
  static_assert(std::is_trivially_copyable_v<item> && sizeof(item) <= 64,
                "onepass: the items must be trivially copyable and may have at most 64 bytes");
  if constexpr (!on_host<exec>) check_kept<item>();
  check_comparator<Less, item, item>();
  check_output<exec, Out, item>();
  static_assert(item_rank<A> == 1 && item_rank<B> == 1 && Out::rank() == 1,
                "onepass: a merge takes and gives Views of rank 1");
  auto const from_a = as_input(a);
  auto const from_b = as_input(b);
  auto const to     = as_sequence(out);
  extent const all  = from_a.size + from_b.size;
  require(to.size >= all, label, ": the output has ", to.size, " items and the inputs ", from_a.size, " and ",
          from_b.size, "; give an output of at least ", all);
  onepass::require_disjoint(label, to, from_a, from_b, held_count(a), held_count(b));

  using program = merge_program<sequence_of<A>, sequence_of<B>, decltype(as_sequence(out)), Less, Beside>;
  program p{from_a, from_b, count_of(a), count_of(b), to, less, beside, nullptr};
  if constexpr (returns_finished<Where>) onepass::run(where, p, all, label);
  else
    with_workspace(where, label, [&](auto const& place, auto& scratch) {
      auto* const notes = scratch.plain(std::size_t(range_tiles<program>(place, all)) * sizeof(extent));
      p.splits          = reinterpret_cast<extent*>(notes);
      onepass::run(place, p, all, label);
    });
}

}  // namespace detail

/// out = the items of a and b in the order of `less`.
template <place_like Where, class A, class B, class Out, class Less = less>
void merge(Where const& where, A const& a, B const& b, Out const& out, Less less = {})
{
  detail::merge("merge", where, a, b, out, less, keys_alone{});
}

/// keys_out, values_out = the keys of a and b in the order of `less`, and the values beside them. `a_values` and
/// `b_values` are Views of rank 1 or sequences with a value for each key, fewer throw precondition_error, which convert
/// to the items of `values_out`; they may have any size. Each value is read once and written once.
template <place_like Where, class AKeys, class AValues, class BKeys, class BValues, class KeysOut, class ValuesOut,
          class Less = less>
void merge_by_key(Where const& where, AKeys const& a_keys, AValues const& a_values, BKeys const& b_keys,
                  BValues const& b_values, KeysOut const& keys_out, ValuesOut const& values_out, Less less = {})
{
  using exec = space_of<Where>;
  check_input<exec, AValues>();
  check_input<exec, BValues>();
  check_output<exec, ValuesOut, item_t<AValues>>();
  check_output<exec, ValuesOut, item_t<BValues>>();
  static_assert(item_rank<AValues> == 1 && item_rank<BValues> == 1 && ValuesOut::rank() == 1,
                "onepass: a merge takes and gives Views of rank 1");
  auto const from_a = as_input(a_values);
  auto const from_b = as_input(b_values);
  auto const to     = as_sequence(values_out);
  auto const keys   = as_sequence(keys_out);
  extent const all  = as_input(a_keys).size + as_input(b_keys).size;
  onepass::require_values("merge_by_key", as_input(a_keys), from_a);
  onepass::require_values("merge_by_key", as_input(b_keys), from_b);
  require(to.size >= all, "merge_by_key: there is room for ", to.size, " values of ", all, " keys; give one a key");
  onepass::require_disjoint("merge_by_key", from_a, to, keys);
  onepass::require_disjoint("merge_by_key", from_b, to, keys);
  onepass::require_disjoint("merge_by_key", to, as_input(a_keys), held_count(a_keys));
  onepass::require_disjoint("merge_by_key", to, as_input(b_keys), held_count(b_keys));
  onepass::require_disjoint("merge_by_key", keys, to);
  detail::merge(
      "merge_by_key", where, a_keys, b_keys, keys_out, less,
      values_beside<sequence_of<AValues>, sequence_of<BValues>, decltype(as_sequence(values_out))>{from_a, from_b, to});
}

/// \}

}  // namespace onepass::ONEPASS_ABI
