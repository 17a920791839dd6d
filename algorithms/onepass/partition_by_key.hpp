// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_orders.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/partition_by_key.hpp>

#include <bit>

namespace onepass::ONEPASS_ABI {

/// out = the items with key(x) == 0, then those with key 1, and so on, each part in input order; counts(k) = the number
/// of items with key k. There are as many keys as `counts` has elements, at most 256.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`, `out`: Views of rank 1 of one trivially copyable type of at most 64 bytes, on devices default constructible;
///   `out` may be `in` itself
/// - `counts`: a View of rank 1 of an integral type, written on the device
/// - `key`: item -> integer from 0 to one less than there are counts; it should be cheap, since it is called twice per
///   item. An item with any other key ends up in some part, and the counts do not show it
///
/// Compile-time errors: memory that the space cannot reach, other types and a key that does not fit. Throws
/// precondition_error, before anything is queued, if `out` is too short, memory is shared, or there are no or more than
/// 256 counts.
///
/// Cost: the items are counted, then moved: 3 n items are read or written; in place 5 n, through workspace memory for
/// n.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: one digit of a radix sort, Adinets & Merrill 2022; see docs/references.md.
/// \ingroup partitions
template <place_like Where, class In, class Out, class Counts, class Key>
void partition_by_key(Where const& where, In const& in, Out const& out, Counts const& counts, Key const& key)
{
  using exec = space_of<Where>;
  using item = item_t<In>;
  check_input<exec, In>();
  check_output<exec, Out, item>();
  static_assert(Out::rank() == 1 && std::is_same_v<typename Out::value_type, item>,
                "onepass: partition_by_key writes to a View of rank 1 of its input's type");
  static_assert(std::is_trivially_copyable_v<item> && sizeof(item) <= 64,
                "onepass: partition_by_key takes trivially copyable items of at most 64 bytes");
  if constexpr (!on_host<exec>) check_kept<item>();
  static_assert(
      requires(Key const& of, item const& x) { requires std::is_integral_v<std::remove_cvref_t<decltype(of(x))>>; },
      "onepass: the key must be callable with an item and give an integer");
  using count = typename Counts::value_type;
  static_assert(Counts::rank() == 1 && reachable<exec, Counts> && std::is_integral_v<count> && !std::is_const_v<count>,
                "onepass: the counts of partition_by_key must be a View of rank 1 of an integral type that the "
                "execution space reaches");
  auto const from    = as_input(in);
  auto const to      = as_sequence(out);
  auto const sizes   = as_sequence(counts);
  extent const parts = sizes.size;
  require(1 <= parts && parts <= extent(1) << one_digit, "partition_by_key: there are ", parts,
          " counts; give one for each key, 1 to 256");
  onepass::require_room("partition_by_key", from, to);
  onepass::require_no_overlap("partition_by_key", from, to);
  onepass::require_disjoint("partition_by_key", sizes, from, to);
  int const width = std::max(1, int(std::bit_width(std::uint64_t(parts - 1))));
  using program =
      partition_by_key_program<decltype(as_input(in)), decltype(as_sequence(out)), decltype(as_sequence(counts)), Key>;
  onepass::run(where, program{from, to, sizes, key, begin_alike(from, to), width}, item_count{extent(from.size)},
               "partition_by_key");
}

}  // namespace onepass::ONEPASS_ABI
