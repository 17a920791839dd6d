// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_rounds.hpp>
#include <onepass/checks.hpp>
#include <onepass/execution/plain_parts.hpp>
#include <onepass/programs/merge_sort.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup merge_sorts Sorts by a comparator
/// Stable sorts of anything that can be compared. Common to both:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`, `keys`: items of one type: a View of rank 1, or a sequence. They are trivially copyable, can be made without
///   arguments and have at most 64 bytes
/// - `values`: the same, of any such type, one for each key
/// - the outputs: Views of rank 1 of the same item types, as long as the inputs. Each may be its input itself;
///   otherwise no memory may be shared
/// - `less`: `less(a, b)`, a strict weak order. Default: <, with NaNs after all numbers
///
/// Stable: equal items stay in their order. The results are the same on every backend.
///
/// Compile-time errors: memory that the space cannot reach, outputs of another type, Views of rank 2, items that are
/// too large and a comparator that does not fit. Throws precondition_error, before anything is queued, if an output is
/// too short or shares memory, or there are too few values.
///
/// Cost: runs of some thousand items are sorted in shared memory, then merged two at a time: 2 n items and values are
/// read or written for the runs, and for each doubling from a run's length to n. On devices one kernel for what is one
/// run, else one more for each doubling, and where there are many tiles a short one before each. Workspace memory: n
/// items and values, and 8 bytes a tile; none on devices for what is one run.
/// radix_sort() is faster for numbers, and for what can be decomposed into them.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: tiles by exchanges of neighbours and merges by their paths, Odeh et al. 2012; see docs/references.md.
/// \{

namespace detail {

/// Room for what a cargo has of `n` items; of none if it is not needed.
template <class From>
class spare_cargo {
  using item                   = typename decltype(From::items)::value_type;
  static constexpr bool valued = !is_nothing<decltype(From::values)>;

public:
  using value = typename decltype(From::values)::value_type;
  using type  = cargo<contiguous<item>, std::conditional_t<valued, contiguous<value>, nothing>>;

  spare_cargo(plain_parts& parts, extent n)
      : n_(n)
      , items_(parts.add<item>(n))
      , values_(parts.add<value>(valued ? n : 0))
  {}
  type in(std::byte* memory) const
  {
    type made{};
    made.items = {reinterpret_cast<item*>(memory + items_), n_};
    if constexpr (valued) made.values = {reinterpret_cast<value*>(memory + values_), n_};
    return made;
  }

private:
  extent n_;
  std::size_t items_, values_;
};

/// Bytes of items and values that are sorted without a workspace where calls have finished when they return: a
/// workspace costs as much as to sort some ten items.
inline constexpr extent most_on_stack = extent(1) << 14;

/// Sorts a cargo into another, which may be the same memory. Items that nobody wants go to the workspace.
template <template <class...> class Program = merge_sort_program, class Where, class From, class To, class Less>
void sort_by_merging(char const* label, Where const& where, From const& from, To const& to, Less const& less)
{
  using spare             = spare_cargo<From>;
  using item              = typename decltype(From::items)::value_type;
  constexpr bool unwanted = is_nothing<decltype(To::items)>;
  using target   = cargo<std::conditional_t<unwanted, contiguous<item>, decltype(To::items)>, decltype(To::values)>;
  using program  = Program<From, target, typename spare::type, Less>;
  extent const n = from.items.size;
  if (n == 0) return;
  auto const run_in = [&](auto const& place, plain_parts& parts, round_tiles const& tiles, auto const& memory_of) {
    spare const room(parts, tiles.first > 1 || on_host<space_of<Where>> ? n : 0);
    auto const splits       = parts.add<extent>(tiles.sought);
    auto const dropped      = parts.add<item>(unwanted ? n : 0);
    std::byte* const memory = memory_of(parts.bytes());
    target goes{};
    goes.values = to.values;
    if constexpr (unwanted) goes.items = {reinterpret_cast<item*>(memory + dropped), n};
    else goes.items = to.items;
    onepass::run(place,
                 program{merge_sort_program<From, target, typename spare::type, Less>{
                     {from, goes, room.in(memory), less},
                     n,
                     tiles.sought > 0 ? reinterpret_cast<extent*>(memory + splits) : nullptr}},
                 label);
  };
  plain_parts parts;
  if constexpr (returns_finished<Where>)
    if (n <= most_on_stack / extent(sizeof(item) + sizeof(typename spare::value))) {
      alignas(64) std::byte memory[2 * most_on_stack + 1024];
      return run_in(where, parts, {1, 0}, [&](std::size_t) { return memory; });
    }
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    run_in(place, parts, round_tiles_of<program>(place, n), [&](std::size_t bytes) { return scratch.plain(bytes); });
  });
}

template <class Exec, class T, class Out>
auto sorted_output(Out const& out)
{
  check_output<Exec, Out, T>();
  static_assert(Out::rank() == 1, "onepass: a sorted output must be a View of rank 1");
  static_assert(std::is_same_v<typename Out::value_type, T>,
                "onepass: a sorted output must have the type of its input");
  return as_sequence(out);
}

template <class Exec, class T, class Out>
auto merge_sorted_output(Out const& out)
{
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && sizeof(T) <= 64,
                "onepass: what is sorted must be trivially copyable and default constructible, and may have at most 64 "
                "bytes");
  return sorted_output<Exec, T>(out);
}

/// At run time: what a sort by key needs of keys, values, and where they go.
template <class Keys, class Values, class KeysOut, class ValuesOut>
void require_by_key(char const* label, Keys const& keys, Values const& values, KeysOut const& keys_out,
                    ValuesOut const& values_out)
{
  onepass::require_values(label, keys, values);
  onepass::require_room(label, keys, keys_out);
  onepass::require_room(label, keys, values_out);
  onepass::require_no_overlap(label, keys, keys_out);
  onepass::require_no_overlap(label, values, values_out);
  onepass::require_disjoint(label, values_out, keys, keys_out);
  onepass::require_disjoint(label, values, keys_out);
}

}  // namespace detail

/// out = the items of `in` in the order of `less`, equal ones as they were. The two may be the same View.
template <place_like Where, class In, class Out, class Less = less>
  requires Kokkos::is_view_v<Out>
void merge_sort(Where const& where, In const& in, Out const& out, Less less = {})
{
  using exec = space_of<Where>;
  check_input<exec, In>();
  check_comparator<Less, item_t<In>, item_t<In>>();
  static_assert(item_rank<In> == 1, "onepass: a sort takes a View of rank 1");
  auto const from = as_input(in);
  auto const to   = detail::merge_sorted_output<exec, item_t<In>>(out);
  onepass::require_room("merge_sort", from, to);
  onepass::require_no_overlap("merge_sort", from, to);
  detail::sort_by_merging("merge_sort", where, cargo{from, nothing{}}, cargo{to, nothing{}}, less);
}

/// keys_out = the keys in the order of `less`, equal ones as they were; values_out = the value of each of these keys.
template <place_like Where, class Keys, class Values, class KeysOut, class ValuesOut, class Less = less>
void merge_sort_by_key(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                       ValuesOut const& values_out, Less less = {})
{
  using exec = space_of<Where>;
  check_input<exec, Keys>();
  check_input<exec, Values>();
  check_comparator<Less, item_t<Keys>, item_t<Keys>>();
  static_assert(item_rank<Keys> == 1 && item_rank<Values> == 1, "onepass: a sort takes Views of rank 1");
  auto const from   = as_input(keys);
  auto const with   = as_input(values);
  auto const to     = detail::merge_sorted_output<exec, item_t<Keys>>(keys_out);
  auto const beside = detail::merge_sorted_output<exec, item_t<Values>>(values_out);
  detail::require_by_key("merge_sort_by_key", from, with, to, beside);
  detail::sort_by_merging("merge_sort_by_key", where, cargo{from, with}, cargo{to, beside}, less);
}

/// \}

}  // namespace onepass::ONEPASS_ABI
