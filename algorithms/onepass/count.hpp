// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/count.hpp>

namespace onepass {

/// \defgroup counting_items Counting items
/// How many items are wanted.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1 or 2, a sequence, or `first(items, count)` with a size that is known on the device
/// - `count`: a View of rank 0 of an integral type
/// - `predicate`: item -> bool, once an item, on schedules of two passes twice
///
/// Errors: the compiler refuses, with a sentence, memory that the space cannot reach, counts that are no integers and a
/// predicate that does not fit. Nothing is refused at run time.
///
/// Cost: one pass; n items are read once.
///
/// Queued on the instance; nothing is fenced, and nothing allocated where the place has a workspace that is large
/// enough.
/// \{

/// count() = how many items x have predicate(x).
template <place_like Where, class In, class Count, class Predicate>
void count_if(Where const& where, In const& in, Count const& count, Predicate predicate)
{
  using exec = space_of<Where>;
  check_input<exec, In>();
  check_count<exec, Count>();
  check_predicate<Predicate, In>();
  auto const from = as_input(in);
  run(where, count_program<sequence_of<In>, Predicate, typename Count::value_type>{from, predicate, count.data()},
      count_of(in), "count_if");
}

/// \}

}  // namespace onepass
