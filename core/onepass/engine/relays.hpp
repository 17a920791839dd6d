// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

namespace onepass::ONEPASS_ABI {

/// How many registers the turns of a relay program need: many, few, or as few as a thread has of the most threads.
enum class relay_weight { full, light, lightest };

/// An algorithm whose teams take turns, in any order and at any time: none waits for another.
///
///   extent turns()                      how many there are, one at least
///   std::size_t stage_bytes(threads)    the size of the stage of such a team
///   void take(team, turn)               takes a turn, by all threads of a team of warps
///
/// Optional: weight, where turns wait for memory and need few registers, so that more teams are at work.
template <class P>
concept relay_program = requires(P const p)
{
  p.turns();
  p.stage_bytes(1);
};

/// One whose turns may find more work than they should do alone, and then leave it to others: these look whether there
/// is any, take a part each, and leave its sum; whoever comes last has all of them.
///
///   aggregate_type                      of a sum that is left: trivially copyable, at most 64 bytes
///   extent sharers()                    how many more turns there are, none perhaps
///   found look(team, k)                 what the k-th of these finds, which all threads are told alike
///   void share(team, k, found, notes)   its part
///
/// What `notes` has:
///
///   leave_sum(k, sum)      k less than sharers(); by thread 0
///   bool last_of(k, all)   by the same thread, after that: whether it is the last of so many who say so with this k.
///                          Their sums are then there for it, and for those who meet it at a barrier
///   sums(k, end, x)        those from k on, before `end` and as many as the array x holds
template <class P>
concept sharing_program = relay_program<P> && requires(P const p)
{
  typename P::aggregate_type;
  p.sharers();
};

}  // namespace onepass::ONEPASS_ABI
