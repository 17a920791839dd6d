// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <concepts>
#include <cstdint>

namespace onepass::ONEPASS_ABI {

/// An algorithm whose teams take turns that are numbered in the order in which they begin, and leave notes for later
/// ones: a turn that finds more work than it should do alone says so in a mark, and later turns, which wait for these
/// marks, take a part each and leave its sum. None waits that finds no such mark, and none before it has done its own.
///
///   aggregate_type             of a sum that is left: trivially copyable, at most 64 bytes
///   extent turns()             how many there are, one at least
///   extent notes()             the number of marks, and of sums
///   std::size_t stage_bytes(threads)    the size of the stage of such a team
///   void take(team, turn, notes)        takes a turn, by all threads of a team of warps
///
/// What `notes` has, for one thread at a time; each mark and each sum is left once at least, and then no more changed
/// where anything depends on it:
///
///   leave_mark(k, word), mark(k)    the latter waits until it is there
///   leave_sum(k, sum)
///   sums(k, end, x)                 waits for those from k on, before `end` and as many as the array x holds
///
/// Waits end if a turn waits only for what earlier turns leave before they wait, or after waits for still earlier ones:
/// a turn begins when a running team draws its number.
template <class P>
concept relay_program = requires(P const p)
{
  typename P::aggregate_type;
  p.turns();
  p.notes();
  p.stage_bytes(1);
};

}  // namespace onepass::ONEPASS_ABI
