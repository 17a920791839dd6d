// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/place.hpp>
#include <onepass/footprint.hpp>
#include <onepass/operators.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

// The checks that every algorithm makes of its arguments, each with its error message.

template <class Exec, class View>
constexpr bool reachable = bool(Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible);

/// At compile time: the items can be read from Exec, and the host knows how many they are.
template <class Exec, class In>
constexpr void check_input()
{
  static_assert(!is_first_items<In>,
                "onepass: first(items, count) does not stand here, where the host has to know the number of items, or "
                "another argument tells it");
  if constexpr (Kokkos::is_view_v<In>) {
    static_assert(In::rank() == 1 || In::rank() == 2, "onepass: an input must be a View of rank 1 (or 2, by rows)");
    static_assert(reachable<Exec, In>,
                  "onepass: the execution space cannot reach the input's memory; copy it or run elsewhere");
    static_assert(!In::memory_traits::is_atomic, "onepass: an input must not have the Atomic memory trait");
  } else static_assert(sequence<In>, "onepass: an input must be a View or a sequence (value_type, size, operator())");
}

/// At compile time: the same of an input that may have a size known only on the device.
template <class Exec, class In>
constexpr void check_counted_input()
{
  if constexpr (is_first_items<In>) {
    check_input<Exec, decltype(In::items)>();
    static_assert(reachable<Exec, decltype(In::count)>,
                  "onepass: the execution space cannot reach the device-resident size");
  } else check_input<Exec, In>();
}

/// At compile time: items of type T can be written from Exec.
template <class Exec, class Out, class T>
constexpr void check_output()
{
  static_assert(Kokkos::is_view_v<Out>, "onepass: an output must be a View");
  static_assert(Out::rank() == 1 || Out::rank() == 2, "onepass: an output must be a View of rank 1 (or 2, by rows)");
  static_assert(reachable<Exec, Out>,
                "onepass: the execution space cannot reach the output's memory; copy it or run elsewhere");
  static_assert(!std::is_const_v<typename Out::value_type>, "onepass: an output must not be const");
  static_assert(!Out::memory_traits::is_atomic, "onepass: an output must not have the Atomic memory trait");
  static_assert(std::is_convertible_v<T, typename Out::non_const_value_type>,
                "onepass: the results do not convert to the output's items");
}

/// At compile time: items of type T can be kept, in registers and in lists, which have room for them before they have
/// any.
template <class T>
ONEPASS_FUNCTION constexpr void check_kept()
{
  static_assert(std::is_default_constructible_v<T>, "onepass: items must be default constructible");
}

/// At compile time: a single value of type T, read or written by Exec.
template <class Exec, class Scalar>
constexpr void check_scalar()
{
  static_assert(Scalar::rank() == 0, "onepass: a single value must be a View of rank 0");
  static_assert(reachable<Exec, Scalar>, "onepass: the execution space cannot reach the single value's memory");
}

/// Whether an init stands where an operator is expected: a View, or what is no operator and converts to a T.
template <class Op, class T>
constexpr bool is_init = [] {
  if constexpr (Kokkos::is_view_v<Op>) return true;
  else return !operator_over<Op, T> && std::is_convertible_v<Op, T>;
}();

/// At compile time: `Op` combines two T.
template <class Op, class T>
ONEPASS_FUNCTION constexpr void check_operator()
{
  static_assert(!is_init<Op, T>, "onepass: an init stands in the operator's place; name the operator before it, as in "
                                 "exclusive_scan(where, in, out, onepass::plus{}, init)");
  static_assert(
      operator_over<Op, T>,
      "onepass: the operator must be callable as op(older, newer) with two const accumulators and return one");
  static_assert(std::is_trivially_copyable_v<T>, "onepass: an accumulator must be trivially copyable");
  static_assert(std::is_default_constructible_v<T>, "onepass: an accumulator must be default constructible");
  static_assert(
      sizeof(typename monoid<Op, T>::type) <= 64,
      "onepass: an accumulator (with its flag, where the operator has no identity) may have at most 64 bytes");
}

/// At compile time: a count can be written to a View of rank 0 of an integral type.
template <class Exec, class Count>
constexpr void check_count()
{
  check_scalar<Exec, Count>();
  using type = typename Count::value_type;
  static_assert(std::is_integral_v<type> && !std::is_const_v<type> && !std::is_same_v<type, bool>,
                "onepass: a count must be a View of rank 0, or a variable, of an integral type");
}

/// At compile time: a position can be written to a View of rank 0 of an integral type.
template <class Exec, class Index>
constexpr void check_index()
{
  check_scalar<Exec, Index>();
  static_assert(std::is_integral_v<typename Index::value_type> && !std::is_const_v<typename Index::value_type>,
                "onepass: an index must be a View of rank 0, or a variable, of an integral type");
}

/// At compile time: `Predicate` answers for an item of In.
template <class Predicate, class In>
ONEPASS_FUNCTION constexpr void check_predicate()
{
  static_assert(std::is_invocable_r_v<bool, Predicate const, item_t<In> const&>,
                "onepass: the predicate must be callable with an item and give a bool");
}

/// At compile time: `Less` says of an A and a B which comes first.
template <class Less, class A, class B>
ONEPASS_FUNCTION constexpr void check_comparator()
{
  static_assert(std::is_invocable_r_v<bool, Less const, A const&, B const&>,
                "onepass: the comparator must be callable with two items and give a bool");
}

/// At run time, before anything is queued: a position up to `n` fits Index.
template <class Index>
void require_index(char const* operation, extent n)
{
  require(std::uint64_t(n) <= std::uint64_t(Kokkos::Experimental::finite_max_v<Index>), operation, ": positions of ", n,
          " items do not fit the type of the index; give a wider one");
}

/// At run time, before anything is queued: `out` has room for as many items as `in` has.
template <class In, class Out>
[[gnu::always_inline]] inline void require_room(char const* operation, In const& in, Out const& out)
{
  require(out.size >= in.size, operation, ": the output has ", out.size, " items and the input ", in.size,
          "; give an output of at least ", in.size);
}

/// At run time: there is a value for each key.
template <class Keys, class Values>
[[gnu::always_inline]] inline void require_values(char const* operation, Keys const& keys, Values const& values)
{
  require(values.size >= keys.size, operation, ": there are ", values.size, " values for ", keys.size,
          " keys; give one a key");
}

/// At run time: if the two share memory, then each item of one is the same item of the other.
template <class In, class Out>
[[gnu::always_inline]] inline void require_no_overlap(char const* operation, In const& in, Out const& out)
{
  if constexpr (in_memory<In> && in_memory<Out>)
    require(same_items(in, out) || !may_meet(footprint_of(in, in.size), footprint_of(out, std::min(in.size, out.size))),
            operation, ": input and output overlap; give the same view twice, or two that do not touch");
}

/// At run time: an argument shares no memory with others.
[[gnu::always_inline]] inline void require_apart(char const* operation, footprint const& a, footprint const& b)
{
  require(!may_meet(a, b), operation, ": an output shares memory with another argument; give it memory of its own");
}
template <class A, class B>
[[gnu::always_inline]] inline void require_apart(char const* operation, A const& a, B const& b)
{
  if constexpr (in_memory<A> && in_memory<B>)
    onepass::require_apart(operation, footprint_of(a, a.size), footprint_of(b, b.size));
}
template <class X, class... Others>
[[gnu::always_inline]] inline void require_disjoint(char const* operation, X const& x, Others const&... others)
{
  (onepass::require_apart(operation, x, others), ...);
}

/// At run time: a result of one value shares no memory with what else the call reads and writes, the number of items
/// on the device (held_count()) too, which some schedules read again when the result has been written.
template <class Result, class... Others>
[[gnu::always_inline]] inline void require_result_apart(char const* operation, Result const& result,
                                                        Others const&... others)
{
  contiguous<typename Result::value_type> const value{result.data(), 1};
  onepass::require_disjoint(operation, value, others...);
}

/// At run time: an init that is read for each row or segment does not lie where the first results go.
template <class Init, class Out>
[[gnu::always_inline]] inline void require_init_apart([[maybe_unused]] char const* operation,
                                                      [[maybe_unused]] Init const& init,
                                                      [[maybe_unused]] Out const& out)
{
  if constexpr (Kokkos::is_view_v<Init>) onepass::require_result_apart(operation, init, out);
}

/// At run time: a program that compacts in place needs a schedule that reads each item once. No items are in no place:
/// empty Views may have the same address, none.
template <place_like Where, class In, class Out>
[[gnu::always_inline]] inline void require_single_pass_in_place(char const* operation, Where const& where, In const& in,
                                                                Out const& out)
{
  require(in.size == 0 || !takes_two_passes(where) || !begin_alike(in, out), operation,
          ": in place, the two-pass schedule would read items that it has already written; use another schedule or "
          "another output");
}

}  // namespace onepass::ONEPASS_ABI
