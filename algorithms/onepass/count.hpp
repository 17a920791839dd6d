// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/count.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup counting_items Counting items
/// How many items satisfy a predicate.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1 or 2, a sequence, or `first(items, count)` with a size known only on the device
/// - `count`: a View of rank 0, or a variable of the host, of an integral type
/// - `predicate`: item -> bool, called once per item, twice on two-pass schedules
///
/// Compile-time errors: memory that the space cannot reach, counts that are not integers and a
/// predicate that does not fit. Throws precondition_error, before anything is queued, if the count goes where the
/// number of items is.
///
/// Cost: one pass; n items are read once.
///
/// Queued on the instance without a fence; waits only where the count is a variable. Allocates nothing if the place has
/// a large enough workspace.
///
/// Source: totals on CUDA are the library's own, docs/decisions/0020-totals-and-words-of-bytes.md.
/// \{

/// count() = how many items x have predicate(x).
template <place_like Where, class In, class Count, class Predicate>
void count_if(Where const& where, In const& in, Count&& count, Predicate predicate)
{
  onepass::with_result(where, std::forward<Count>(count), [&](auto const& at, auto const& to) {
    using exec   = space_of<Where>;
    using counts = std::remove_cvref_t<decltype(to)>;
    check_counted_input<exec, In>();
    check_count<exec, counts>();
    check_predicate<Predicate, In>();
    onepass::require_result_apart("count_if", to, held_count(in));
    onepass::with_input<true>(in, [&](auto from) {
      onepass::run(at,
                   count_program<decltype(from), Predicate, typename counts::value_type>{from, predicate, to.data()},
                   count_of(in), "count_if");
    });
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
