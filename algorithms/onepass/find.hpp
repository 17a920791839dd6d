// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_ranges.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/find.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup finding Finding items
/// The first item that satisfies a predicate, and whether there is one. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1, or of 2, where positions count along its rows; a sequence; or `first(items, count)`
///   with a size known only on the device
/// - `index`: a View of rank 0, or a variable of the host, of an integral type that holds n, which receives the
///   position
/// - `result`: a View of rank 0, or a variable, of bool or of an integral type, which receives true or false
/// - `predicate`: item -> bool, without side effects: it is called for items in any order, for some of them twice,
///   and possibly for items after the first that decides
///
/// Results do not depend on the order in which threads run: they are the same on every backend.
///
/// Compile-time errors: memory that the space cannot reach, indices and results that are not
/// integers, and a predicate that does not fit. Throws precondition_error, before anything is queued, where an index is
/// too narrow.
///
/// Cost: n items are read once at most; tiles after the first item found so far are not read. On devices a kernel of
/// one thread runs before and after it, with 8 bytes of workspace.
///
/// Queued on the instance without a fence; waits only where a result is a variable. Allocates nothing if the place has
/// a large enough workspace.
///
/// Source: the library's own, docs/decisions/0035-queries.md.
/// \{

namespace detail {

template <class Where, class In, class Predicate, class Tell>
void find(char const* label, Where const& where, In const& in, Predicate const& predicate, Tell const& tell)
{
  auto const count = count_of(in);
  onepass::with_input(in, [&](auto from) {
    using program = find_first_program<decltype(from), Predicate>;
    if constexpr (returns_finished<Where>) {
      extent found = count();
      onepass::run(where, program{from, predicate, count, &found}, from.size, label);
      tell(found, count());
    } else
      with_workspace(where, label, [&](auto const& place, auto& scratch) {
        auto* const found = scratch.template plain_of<extent>(1);
        onepass::run_each(place.step(" (begin)"), nothing_found{count, found}, 1, "");
        onepass::run(place, program{from, predicate, count, found}, from.size, label);
        onepass::run_each(place.step(" (tell)"), tell_found<Tell>{count, found, tell}, 1, "");
      });
  });
}

template <class Where, class In, class Index, class Predicate, class Asked>
void find_position(char const* label, Where const& where, In const& in, Index const& index, Predicate const&,
                   Asked const& asked)
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_index<exec, Index>();
  check_predicate<Predicate, In>();
  onepass::require_index<typename Index::value_type>(label, as_input(in).size);
  detail::find(label, where, in, asked, tell_position<typename Index::value_type>{index.data()});
}

template <class Where, class In, class Result, class Predicate, class Asked>
void find_whether(char const* label, Where const& where, In const& in, Result const& result, Predicate const&,
                  Asked const& asked, bool there)
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_scalar<exec, Result>();
  static_assert(std::is_integral_v<typename Result::value_type> && !std::is_const_v<typename Result::value_type>,
                "onepass: a result must be a View of rank 0, or a variable, of bool or of an integral type");
  check_predicate<Predicate, In>();
  detail::find(label, where, in, asked, tell_whether<typename Result::value_type>{result.data(), there});
}

}  // namespace detail

/// index() = the first i with predicate(in(i)), or n where there is none.
template <place_like Where, class In, class Index, class Predicate>
void find_if(Where const& where, In const& in, Index&& index, Predicate predicate)
{
  onepass::with_result(where, std::forward<Index>(index), [&](auto const& at, auto const& to) {
    detail::find_position("find_if", at, in, to, predicate, predicate);
  });
}

/// index() = the first i without predicate(in(i)), or n where there is none.
template <place_like Where, class In, class Index, class Predicate>
void find_if_not(Where const& where, In const& in, Index&& index, Predicate predicate)
{
  onepass::with_result(where, std::forward<Index>(index), [&](auto const& at, auto const& to) {
    detail::find_position("find_if_not", at, in, to, predicate, unless<Predicate>{predicate});
  });
}

/// result() = predicate(x) for all items x; true of none.
template <place_like Where, class In, class Result, class Predicate>
void all_of(Where const& where, In const& in, Result&& result, Predicate predicate)
{
  onepass::with_result(where, std::forward<Result>(result), [&](auto const& at, auto const& to) {
    detail::find_whether("all_of", at, in, to, predicate, unless<Predicate>{predicate}, false);
  });
}

/// result() = predicate(x) for at least one item x; false of none.
template <place_like Where, class In, class Result, class Predicate>
void any_of(Where const& where, In const& in, Result&& result, Predicate predicate)
{
  onepass::with_result(where, std::forward<Result>(result), [&](auto const& at, auto const& to) {
    detail::find_whether("any_of", at, in, to, predicate, predicate, true);
  });
}

/// result() = predicate(x) for no item x; true of none.
template <place_like Where, class In, class Result, class Predicate>
void none_of(Where const& where, In const& in, Result&& result, Predicate predicate)
{
  onepass::with_result(where, std::forward<Result>(result), [&](auto const& at, auto const& to) {
    detail::find_whether("none_of", at, in, to, predicate, predicate, false);
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
