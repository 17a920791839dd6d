// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/partition.hpp>
#include <onepass/reduce.hpp>
#include <onepass/select.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup partitions Partitions
/// Stable partition into two or three parts: each part keeps the input order. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1, a sequence, or `first(items, count)` with a size known only on the device
/// - the outputs: Views of rank 1, each of which may be too short: the rest is then not written. They share no memory
///   with the input or each other, and nor do counts
/// - `count`: a View of rank 0, or a variable of the host, of an integral type, which receives how many items were kept
/// - `predicate`: item -> bool; `classify`: item -> 0, 1 or 2; called once per item, twice on two-pass schedules
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, items that are not default
/// constructible, outputs of rank 2 and counts that are not integers. Throws precondition_error, before anything is
/// queued, if memory is shared.
///
/// Cost: one pass, except for partition_if_into_one(); n items are read once and written once.
///
/// Queued on the instance without a fence; waits only where the count is a variable. Allocates nothing if the place has
/// a large enough workspace.
///
/// Source: split, Blelloch 1990; in a single pass, Merrill & Garland 2016; see docs/references.md.
/// \{

namespace detail {
template <class Predicate>
struct counted_predicate {
  Predicate predicate;
  template <class Item>
  ONEPASS_FUNCTION extent operator()(Item const& x) const
  {
    return predicate(x) ? 1 : 0;
  }
};
}  // namespace detail

/// kept = the items x with predicate(x), others = the rest.
template <place_like Where, class In, class Kept, class Others, class Count, class Predicate>
  requires Kokkos::is_view_v<Others>
void partition_if(Where const& where, In const& in, Kept const& kept, Others const& others, Count&& count,
                  Predicate predicate)
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_predicate<Predicate, In>();
  check_kept<item_t<In>>();
  auto from      = as_input(in);
  auto to_kept   = detail::checked_output<exec, item_t<In>>(kept);
  auto to_others = detail::checked_output<exec, item_t<In>>(others);
  onepass::require_disjoint("partition_if", from, to_kept, to_others);
  onepass::require_disjoint("partition_if", held_count(in), to_kept, to_others);
  onepass::require_disjoint("partition_if", to_kept, to_others);
  onepass::with_result(where, std::forward<Count>(count), [&](auto const& at, auto const& to) {
    using counts = std::remove_cvref_t<decltype(to)>;
    check_count<exec, counts>();
    onepass::require_result_apart("partition_if", to, from, held_count(in), to_kept, to_others);
    using program = partition_program<decltype(from), keep_if<Predicate>, typename counts::value_type,
                                      decltype(to_kept), decltype(to_others)>;
    onepass::run(at, program{{from, {predicate}, to.data(), {}}, to_kept, to_others, nullptr}, count_of(in),
                 "partition_if");
  });
}

/// out = the items with predicate(x), then the rest. `out` has room for all items, else precondition_error is thrown;
/// `count` is of onepass::extent. Matching items are counted first, so the items are read twice, 3 n items are
/// moved in all, and predicate(x) is called twice per item.
template <place_like Where, class In, class Out, class Count, class Predicate>
void partition_if_into_one(Where const& where, In const& in, Out const& out, Count&& count, Predicate predicate)
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_predicate<Predicate, In>();
  check_kept<item_t<In>>();
  auto from = as_input(in);
  auto to   = detail::checked_output<exec, item_t<In>>(out);
  onepass::require_room("partition_if_into_one", from, to);
  onepass::require_disjoint("partition_if_into_one", to, from, held_count(in));
  onepass::with_result(where, std::forward<Count>(count), [&](auto const& at, auto const& first) {
    static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(first)>::value_type, extent>,
                  "onepass: partition_if_into_one counts in onepass::extent");
    onepass::require_result_apart("partition_if_into_one", first, from, held_count(in), to);
    using program = partition_program<decltype(from), keep_if<Predicate>, extent, decltype(to), decltype(to)>;
    // The count goes to memory of the call, and from there on: a partition that is refused has written nothing.
    using counted_in = Kokkos::View<extent, typename exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto const count_before = [&](auto const& place, extent* counted) {
      onepass::transform_reduce(place.step(" (count)"), in, counted_in(counted),
                                detail::counted_predicate<Predicate>{predicate});
      onepass::run(place, program{{from, {predicate}, first.data(), {}}, to, to, counted}, count_of(in),
                   "partition_if_into_one");
    };
    if constexpr (returns_finished<Where>) {
      extent counted = 0;
      count_before(on(at).or_named("partition_if_into_one"), &counted);
    } else
      with_workspace(at, "partition_if_into_one", [&](auto const& place, auto& scratch) {
        count_before(place, scratch.template plain_of<extent>(1));
      });
  });
}

/// first, second, third = the items x with classify(x) == 0, 1 and 2. `counts` is a View of rank 1 of integers, whose
/// first 3 elements receive the sizes of the parts; a shorter View throws precondition_error.
template <place_like Where, class In, class First, class Second, class Third, class Counts, class Classify>
void partition_three_way(Where const& where, In const& in, First const& first, Second const& second, Third const& third,
                         Counts const& counts, Classify classify)
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_kept<item_t<In>>();
  static_assert(Counts::rank() == 1 && reachable<exec, Counts>,
                "onepass: partition_three_way counts in a View of 3 integers that the execution space reaches");
  static_assert(std::is_integral_v<typename Counts::value_type> && !std::is_const_v<typename Counts::value_type>,
                "onepass: the counts of partition_three_way must be integers that can be written");
  require(counts.extent(0) >= 3, "partition_three_way: there is room for ", counts.extent(0), " counts; give 3");
  auto from = as_input(in);
  auto a = detail::checked_output<exec, item_t<In>>(first), b = detail::checked_output<exec, item_t<In>>(second),
       c = detail::checked_output<exec, item_t<In>>(third);
  onepass::require_disjoint("partition_three_way", from, a, b, c);
  onepass::require_disjoint("partition_three_way", a, b, c);
  onepass::require_disjoint("partition_three_way", b, c);
  auto const sizes = as_sequence(counts);
  onepass::require_disjoint("partition_three_way", from, sizes);
  onepass::require_disjoint("partition_three_way", held_count(in), sizes, a, b, c);
  onepass::require_disjoint("partition_three_way", sizes, a, b, c);
  using program = three_way_program<decltype(from), Classify, std::remove_const_t<decltype(sizes)>, decltype(a),
                                    decltype(b), decltype(c)>;
  onepass::run(where, program{from, classify, sizes, make_columns(a, b, c)}, count_of(in), "partition_three_way");
}

/// \}

}  // namespace onepass::ONEPASS_ABI
