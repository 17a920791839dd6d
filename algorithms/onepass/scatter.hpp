// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/apply_permutation.hpp>
#include <onepass/backends/run_ranges.hpp>
#include <onepass/execution/exactly.hpp>
#include <onepass/programs/checked.hpp>
#include <onepass/programs/scatter.hpp>
#include <onepass/programs/scatter_add.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup indices Reading and writing by index
/// Items, or rows of a matrix, that are read, written or added to where an index says. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `indices`: a View of rank 1, or a sequence, of n integers: rows of the side that they say, from 0 on.
///   `on(exec).checked()` checks this first, waits for the result, and throws precondition_error otherwise. Without it
///   rows that there are not are neither read nor written; where floats are added, such an index makes the sums
///   meaningless, and still nothing is written outside the output
/// - the sides: Views of one rank, 1 or 2, and any layout (the one that is read may be a sequence), of rows of equally
///   many items; of the side that has no indices at least n. Items that are read convert to those of the output. They
///   share no memory
///
/// Compile-time errors: memory that the space cannot reach, indices that are not integers, Views of other or unlike
/// ranks, and items that do not convert. Throws precondition_error, before anything is queued, if a side is too short,
/// rows are unlike or memory is shared.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
/// \{

namespace detail {

/// A side of such a call, as rows.
template <class Exec, bool ForReading = false, class Items>
auto rows_of(char const* label, Items const& items)
{
  if constexpr (Kokkos::is_view_v<Items>) {
    static_assert(Items::rank() == 1 || Items::rank() == 2, "onepass: what has indices must be a View of rank 1 or 2");
    static_assert(reachable<Exec, Items>,
                  "onepass: the execution space cannot reach a view's memory; copy it or run elsewhere");
    static_assert(!Items::memory_traits::is_atomic, "onepass: what has indices must not have the Atomic memory trait");
  } else
    static_assert(sequence<Items>, "onepass: an input must be a View or a sequence (value_type, size, operator())");
  return as_rows<ForReading>(label, items);
}

/// Everything that is checked of a call: `indexed` is the side that the indices are of.
template <class Where, class Indices, class In, class Out>
void check_indices(char const* label, Where const& where, Indices const& indices, In const& from, Out const& to,
                   extent n, extent indexed, extent other)
{
  check_input<space_of<Where>, Indices>();
  static_assert(std::is_integral_v<item_t<Indices>> && item_rank<Indices> == 1,
                "onepass: indices must be a View of rank 1, or a sequence, of integers");
  static_assert(has_wide_rows<In> == has_wide_rows<Out>, "onepass: both sides must be Views of the same rank");
  static_assert(std::is_convertible_v<typename In::value_type, typename Out::value_type>,
                "onepass: the items do not convert to the output's");
  require(other >= n, label, ": there are ", n, " indices for ", other, " rows; give at least one a row");
  if constexpr (has_wide_rows<In>)
    require(from.width == to.width, label, ": rows of ", from.width, " items go to rows of ", to.width,
            "; give views of the same rows");
  auto const places = as_input(indices);
  onepass::require_disjoint(label, to, places, from);
  detail::require_on_device(label, where, "index", n, leaves_range<sequence_of<Indices>>{places, indexed},
                            "is none of the ", indexed, " rows; give indices from 0 on");
}

template <bool Back, class Where, class In, class Indices, class Out>
void copy_by_index(char const* label, Where const& where, In const& in, Indices const& indices, Out const& out)
{
  auto const from   = rows_of<space_of<Where>, true>(label, in);
  auto const to     = rows_of<space_of<Where>>(label, out);
  auto const places = as_input(indices);
  check_indices(label, where, indices, from, to, places.size, Back ? to.size : from.size, Back ? from.size : to.size);
  using copy =
      copy_rows<Back, sequence_of<Indices>, std::remove_const_t<decltype(from)>, std::remove_const_t<decltype(to)>>;
  auto const calls = calls_of_rows<Where>(copy{places, from, to}, places.size, parts_of_rows<Where>(from, to));
  onepass::run_each(where, calls, calls.calls(), label, few_short_calls);
}

}  // namespace detail

/// out(i, ...) = in(indices(i), ...): the indices are of rows of `in`.
///
/// Cost: one kernel; items are read at random places and written once.
template <place_like Where, class In, class Indices, class Out>
void gather(Where const& where, In const& in, Indices const& indices, Out const& out)
{
  detail::copy_by_index<false>("gather", where, in, indices, out);
}

/// out(indices(i), ...) = in(i, ...): the indices are of rows of `out`. Of equal indices any one row is written, or a
/// part of each; other rows of `out` stay as they are.
///
/// Cost: one kernel; items are read once and written at random places.
template <place_like Where, class In, class Indices, class Out>
void scatter(Where const& where, In const& in, Indices const& indices, Out const& out)
{
  detail::copy_by_index<true>("scatter", where, in, indices, out);
}

/// out(indices(i), ...) += values(i, ...): the indices are of rows of `out`, and may repeat. Of f32, f64 and integers
/// of 4 or 8 bytes.
///
/// The result has the same bits on every space and in every run, in whatever order the values come: an item of `out`
/// becomes the sum of what it was and all values that are added to it, without rounding, which is then rounded once, to
/// nearest even (+0.0 if that is zero, of either sign); sums of integers wrap. Integers of 8 bytes that are added to
/// floats are first rounded to f64. Items that nothing is added to stay as they are.
/// Compilers must not reorder additions (-ffast-math).
///
/// Cost: integers are added to rows that lie in a team's memory, where rows have many values each, or some are crowded:
/// all of them or those that it meets first, equal neighbours at once. Others are added to the output one by one. Hosts
/// add in a table of each thread where there are at least 12 times as many values as rows, else on one thread, as they
/// do with floats if these are few, or threads: each item of `out` then has a sum of 16 or 24 bytes, or, if `out` has
/// more than 4 times as many rows and very many, each of twice as many as there are values. On CUDA few are added by
/// one team; on devices up to 2^23, or 2^25 to 3 10^6 items of `out`, are added in the same way as integers, as
/// fixed-point numbers of two words in a window that a sample places: one kernel clears, one adds, one rounds, and one
/// is for what lies outside, which takes longer. Of more floats those for few items of `out`, as many as lie in a
/// team's memory by 12 bytes (f32) or 16, are added there; as many as there are rows, or more, are first brought to the
/// order of parts, whose rows lie in a team's memory, by one or two passes of a sort. From 2^20 floats on two kernels
/// look first whether indices near each other in the input are so in the output; if all are, teams add to parts of the
/// rows in their memory, and the others have nothing to do. Other floats are sorted by index, by as many bits as the
/// number of rows has, and sums of equal indices are added up: values travel with their indices, or of matrices
/// positions, by which each column is then read. Workspace memory: of fixed-point numbers in memory 21 bytes for each
/// value, and 20 for each item of `out`, or 72 for each value if `out` has more than 4 times as many items; of those in
/// a team's memory 600 bytes for each item of `out`; else that of the sort, n indices and values, and for each row of
/// `out` 12 or 16 bytes (parts), or 4 and as many items again. There may be 2^32 - 1 values.
///
/// Source: the sort, Adinets & Merrill 2022; sums, Shewchuk 1997 and Kulisch 2013; see docs/references.md.
template <place_like Where, class Values, class Indices, class Out>
void scatter_add(Where const& where, Values const& values, Indices const& indices, Out const& out)
{
  using exec        = space_of<Where>;
  auto const from   = detail::rows_of<exec, true>("scatter_add", values);
  auto const to     = detail::rows_of<exec>("scatter_add", out);
  auto const places = as_input(indices);
  using T           = typename decltype(detail::rows_of<exec>("", out))::value_type;
  static_assert(
      std::is_same_v<
          T, float> || std::is_same_v<T, double> || (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)),
      "onepass: scatter_add adds floats, doubles or integers of 4 or 8 bytes");
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
  static_assert(std::is_integral_v<T>,
                "onepass: scatter_add() of floats needs IEEE 754 arithmetic; compile without -ffast-math");
#endif
  if constexpr (is_exact_place<Where>) onepass::scatter_add(steps_of(where), values, indices, out);  // as anywhere
  else {
    detail::check_indices("scatter_add", where, indices, from, to, places.size, to.size, from.size);
    if constexpr (std::is_integral_v<T>) detail::add_integers(where, from, places, to);
    else if (!detail::add_few(where, from, places, to) && !detail::add_in_memory(where, from, places, to)
             && !detail::add_fixed(where, from, places, to) && !detail::add_in_parts(where, from, places, to)
             && !detail::add_alone(where, from, places, to))
      detail::add_in_order(where, from, places, to);
  }
}

/// \}

}  // namespace onepass::ONEPASS_ABI
