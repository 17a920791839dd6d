// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/parallel_scan.hpp>

#include <algorithm>
#include <utility>

namespace onepass::ONEPASS_ABI {

/// \defgroup parallel_scan Functors of Kokkos
/// Kokkos::parallel_scan with the functors that were written for it, in one pass: `functor(i, update, is_final)` adds
/// the contribution of index i to `update`, and may write what it likes where `is_final`.
///
/// - `label`: of the kernel. It may be left out
/// - `policy`: a Kokkos::RangePolicy with any index type and work tag (chunk sizes are the library's own choice); a
///   number of indices, or what converts to one, from 0 on, in the functor's execution space or the default one; or
///   `range_policy(where, begin, end)`, whose `where` is an execution space instance or a place. A range that ends
///   before it begins is empty
/// - `functor`: a function object or a lambda. Its value type is its `value_type`, else that of `total`, else that of
///   its second argument. An update begins with `init(update)`, or a value-initialised one; updates are combined by
///   `join(older, newer)`, or +=. With a work tag, operator(), init and join take it first. join must be associative;
///   it need not be commutative. What init makes must be neutral to it
/// - `total`: what all indices give together; of none, what init makes. A View of rank 0 that the execution space
///   reaches is written when the kernel runs; a variable on the host is written before the call returns
///
/// What a functor may rely on: each index gets one final call, with an update that is the join of exactly the
/// contributions of all indices before it, in order. Before that it gets none, one or two that are not final, each
/// with an update that begins afresh or holds contributions of indices before it. None where one thread walks from the
/// first index to the last, as in Kokkos::Serial, and on hosts wherever everything before an index is known when it is
/// first called: so a final call must not need what one that is not final has computed. Kokkos promises none either,
/// though its other spaces make one. Final calls of some indices run before calls of later ones that are not final,
/// which in Kokkos they do not; so what only calls that are not final read must not be written by the final call of
/// another index. Integers get the bits that Kokkos gives them; floats are joined in another order than there, unless
/// the place is `canonically(exec)`, whose order is the same everywhere.
///
/// Compile-time errors: another policy, values that are bool, not trivially copyable or have more than 64 bytes (60,
/// where the functor has an init), a functor that does not fit them, a total of another type or that the space can not
/// reach, and calls by a team inside of a kernel, which are scan_each(in_team(team, bytes), ...).
///
/// Cost: one pass; each index is called at most twice, the second time while what it read is still in a cache. Two-pass
/// schedules, and `canonically()` on devices, call it three times.
///
/// Queued on the policy's instance. Waits only where the total is a variable on the host. Allocates nothing if the
/// place has a large enough workspace. Calls may be made by several host threads at once, and on a host space's own
/// backend by threads inside of a kernel, each of which then works alone.
///
/// Source: decoupled look-back, Merrill & Garland 2016; see docs/references.md. The contract is that of Kokkos.
/// \{

/// The indices [begin, end) at a place.
template <class WorkTag, class Index, class Where>
struct place_range {
  Where where;  ///< the place, or a reference to one
  Index begin;  ///< the first index
  Index end;    ///< behind the last one
};

/// A policy for parallel_scan: the indices [begin, end), where an execution space instance or a place says. A work tag
/// is passed to the functor.
template <class WorkTag = void, class Index = extent, place_like Where>
place_range<WorkTag, Index, Where> range_policy(Where const& where, std::type_identity_t<Index> begin,
                                                std::type_identity_t<Index> end)
{
  static_assert(std::is_integral_v<Index>, "onepass: the indices of a range_policy must be integers");
  return {where, begin, end};
}

/// How many bytes of memory a functor reads for an index: of what it reads when it is called, and reads again in the
/// final call. A multiprocessor takes as many indices at once as its cache holds; without a member `bytes_read` of the
/// functor, or `reading<bytes>(functor)`, 8 bytes are assumed. A matter of speed alone.
template <class Functor>
inline constexpr int bytes_read_by = 8;
/// \copydoc bytes_read_by
template <class Functor>
  requires requires { std::integral_constant<int, Functor::bytes_read>{}; }
inline constexpr int bytes_read_by<Functor> = Functor::bytes_read;

/// A functor or lambda of which is known how many bytes it reads for an index.
template <int Bytes, class Functor>
struct reading_functor : Functor {
  static_assert(Bytes > 0, "onepass: reading<bytes>() takes a positive number");
  static constexpr int bytes_read = Bytes;  ///< for an index
};
/// The functor or lambda, of which is said that it reads so many bytes for an index; see bytes_read_by.
template <int Bytes, class Functor>
reading_functor<Bytes, Functor> reading(Functor const& functor)
{
  return {functor};
}

namespace detail {

template <class P>
struct is_place_range : std::false_type {};
template <class Tag, class Index, class Where>
struct is_place_range<place_range<Tag, Index, Where>> : std::true_type {
  using tag = Tag;
};
template <class Range>
using tag_of = typename is_place_range<std::remove_const_t<Range>>::tag;

/// A number of indices, or what Kokkos takes for one.
template <class P>
concept index_count = std::is_convertible_v<P, std::size_t>;

/// As an integer; 0 where it is negative.
template <index_count P>
std::size_t number_of_indices(P const& count)
{
  if constexpr (std::is_unsigned_v<P>) return count;
  else return std::size_t(std::max(static_cast<extent>(count), extent(0)));
}

template <class P>
concept scan_policy = Kokkos::is_execution_policy<P>::value || is_place_range<P>::value || index_count<P>;

template <class Functor>
concept names_space = requires
{
  typename Functor::execution_space;
};
template <class Functor>
concept names_device = requires
{
  typename Functor::device_type;
};
template <class Functor>
struct space_for {
  using type = Kokkos::DefaultExecutionSpace;
};
template <names_space Functor>
struct space_for<Functor> {
  using type = typename Functor::execution_space;
};
template <names_device Functor>
  requires(!names_space<Functor>)
struct space_for<Functor> {
  using type = typename Functor::device_type::execution_space;
};

/// What TeamThreadRange(), ThreadVectorRange() and TeamVectorRange() give.
template <class P>
constexpr bool is_range_in_team = false;
template <template <class, class> class Range, class Index, class Member>
constexpr bool is_range_in_team<Range<Index, Member>> = Kokkos::is_team_handle_v<Member>;

template <class P>
struct is_range_policy : std::false_type {};
template <class... Traits>
struct is_range_policy<Kokkos::RangePolicy<Traits...>> : std::true_type {};

/// The policy's range, at its place, of which there is no copy: one counts an instance's owners.
template <class Functor, class Policy>
auto range_of(Policy const& policy)
{
  if constexpr (is_place_range<Policy>::value) {
    using index = std::remove_const_t<decltype(policy.begin)>;
    return place_range<tag_of<Policy>, index, decltype((policy.where))>{policy.where, policy.begin, policy.end};
  } else if constexpr (index_count<Policy>) {
    using exec     = typename space_for<Functor>::type;
    using index    = typename Kokkos::RangePolicy<exec>::index_type;
    auto const end = number_of_indices(policy);
    require(std::in_range<index>(end), "parallel_scan: ", end, " indices are more than the ", sizeof(index),
            " bytes of this space's indices count; give a RangePolicy with an IndexType that does");
    return range_policy<void, index>(exec{}, 0, index(end));
  } else {
    static_assert(
        is_range_policy<Policy>::value,
        "onepass: parallel_scan takes a RangePolicy, a number of indices, or range_policy(where, begin, end)");
    return place_range<typename Policy::work_tag, typename Policy::index_type, decltype((policy.space()))>{
        policy.space(), policy.begin(), policy.end()};
  }
}

/// The type of the update of that operator() which takes the tag, of any number of them.
template <class Tag>
struct update_with {
  template <class R, class F, class I, class T, class B>
  static std::type_identity<T> of(R (F::*)(Tag, I, T&, B) const);
  template <class R, class F, class I, class T, class B>
  static std::type_identity<T> of(R (F::*)(Tag const&, I, T&, B) const);
};
template <>
struct update_with<void> {
  template <class R, class F, class I, class T, class B>
  static std::type_identity<T> of(R (F::*)(I, T&, B) const);
};

struct no_total {};

template <class Functor>
concept names_value = requires
{
  typename Functor::value_type;
};

template <class Functor, class Tag, class Total>
struct scanned_value {
  using type = Total;
};
template <class Functor, class Tag>
  requires(!names_value<Functor>)
struct scanned_value<Functor, Tag, no_total> : decltype(update_with<Tag>::of(&Functor::operator())) {};
template <names_value Functor, class Tag, class Total>
struct scanned_value<Functor, Tag, Total> {
  using type = typename Functor::value_type;
};

template <class Total>
struct total_value {
  using type = std::remove_const_t<Total>;
};
template <class Total>
  requires(Kokkos::is_view_v<std::remove_const_t<Total>>)
struct total_value<Total> {
  using type = typename Total::value_type;
};

template <class Functor, class Tag, class Index, class T>
constexpr void check_functor()
{
  static_assert(!std::is_array_v<T>, "onepass: parallel_scan takes no arrays as values; use a struct that holds one");
  static_assert(!std::is_same_v<T, bool>, "onepass: the values of parallel_scan may not be bool; use an integer");
  static_assert(std::is_trivially_copyable_v<T>, "onepass: the values of parallel_scan must be trivially copyable");
  static_assert(sizeof(T) <= 64, "onepass: the values of parallel_scan may have at most 64 bytes");
  constexpr bool callable = [] {
    if constexpr (std::is_void_v<Tag>) return std::is_invocable_v<Functor const&, Index, T&, bool>;
    else return std::is_invocable_v<Functor const&, Tag, Index, T&, bool>;
  }();
  static_assert(callable, "onepass: the functor of parallel_scan must be callable as functor([tag,] index, update, "
                          "is_final) with a reference to its value type, and be const");
}

/// Queues the scan of a range at a place; the total goes to memory that the space reaches, or nowhere. A call that a
/// backend finishes at once needs no label, which takes as long as some hundred indices.
template <class T, class Functor, class Range, class Where>
void queue_scan(std::string const& label, Functor const& functor, Range const& range, Where const& where, T* total)
{
  using index = std::remove_cv_t<decltype(range.begin)>;
  check_functor<Functor, tag_of<Range>, index, T>();
  using calls    = functor_calls<held_at<Where, Functor>, tag_of<Range>, index, T, bytes_read_by<Functor>>;
  extent const n = range.begin < range.end ? extent(range.end) - extent(range.begin) : 0;
  calls_program<calls> const program{{functor, range.begin}, n, total};
  std::string_view called = label.empty() ? label_of(where) : label;
  if (called.empty()) called = "onepass::parallel_scan";
  if (is_finished_at_once(where, program, item_count{n}, called)) return;
  if (label.empty()) return onepass::run(where, program, item_count{n}, "parallel_scan");
  auto named  = on(where);
  named.label = label;
  onepass::run(named, program, item_count{n}, "parallel_scan");
}

}  // namespace detail

/// Scans the policy's indices by the functor.
template <detail::scan_policy Policy, class Functor>
void parallel_scan(std::string const& label, Policy const& policy, Functor const& functor)
{
  auto const range = detail::range_of<Functor>(policy);
  using T          = typename detail::scanned_value<Functor, detail::tag_of<decltype(range)>, detail::no_total>::type;
  detail::queue_scan<T>(label, functor, range, range.where, static_cast<T*>(nullptr));
}

/// The same, and what all indices give together.
template <detail::scan_policy Policy, class Functor, class Total>
void parallel_scan(std::string const& label, Policy const& policy, Functor const& functor, Total&& total)
{
  auto const range = detail::range_of<Functor>(policy);
  using given      = std::remove_reference_t<Total>;
  using value      = typename detail::total_value<given>::type;
  using T          = typename detail::scanned_value<Functor, detail::tag_of<decltype(range)>, value>::type;
  static_assert(std::is_same_v<T, value>, "onepass: the total of parallel_scan must have the functor's value type");
  onepass::with_result(range.where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    check_scalar<space_of<std::remove_cvref_t<decltype(range.where)>>, std::remove_cvref_t<decltype(to)>>();
    detail::queue_scan<T>(label, functor, range, at, to.data());
  });
}

/// Without a label.
template <detail::scan_policy Policy, class Functor>
void parallel_scan(Policy const& policy, Functor const& functor)
{
  onepass::parallel_scan(std::string(), policy, functor);
}

/// Without a label, and what all indices give together.
template <detail::scan_policy Policy, class Functor, class Total>
void parallel_scan(Policy const& policy, Functor const& functor, Total&& total)
{
  onepass::parallel_scan(std::string(), policy, functor, std::forward<Total>(total));
}

/// Not by a team inside of a kernel.
template <class Range, class... Args>
  requires(detail::is_range_in_team<Range>)
KOKKOS_FUNCTION void parallel_scan(Range const&, Args const&...)
{
  static_assert(!detail::is_range_in_team<Range>,
                "onepass: inside of a kernel scan_each(in_team(team, bytes), ...) of onepass/team.hpp scans");
}

/// \}

}  // namespace onepass::ONEPASS_ABI
