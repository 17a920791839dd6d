// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

namespace onepass::ONEPASS_ABI {

/// How the k first of many items are found (algorithms/onepass/top_k.hpp, docs/decisions/0025-top-k.md).
struct top_k_tuning {
  extent sort_up_to;    ///< items that are all sorted
  extent share;         ///< all are sorted where k is more than one in `share`
  extent groups;        ///< of samples, each of which gives its first; a power of two
  extent gap;           ///< items for each sample
  extent most_samples;  ///< however many items there are
  extent enough;        ///< samples among the k first beyond which more would not cut much better
  double deviations;    ///< of their number by which the sample is trusted
  extent rank_up_to;    ///< expected candidates that a device ranks by comparing all with all
  extent host_ranks;    ///< the same on hosts, where sorting them takes less
  extent apart;         ///< columns for each row of a matrix from which on each is a call of its own
  extent team_from;     ///< columns from which on a row is a team's and not a warp's,
  extent few_rows;      ///< or where there are fewer rows than these
  extent few_from;      ///< of so many columns
  extent lanes_from;    ///< rows from which on each is a thread's, where few are wanted of it
  extent lanes_to;      ///< columns of these, at most, where those of a row lie side by side
  extent host_bytes;    ///< of a row from which on all threads of a host share it

  template <class F>
  void each(F const& f) const
  {
    f("sort_up_to", sort_up_to), f("share", share), f("groups", groups), f("gap", gap);
    f("most_samples", most_samples), f("enough", enough), f("rank_up_to", rank_up_to), f("host_ranks", host_ranks);
    f("apart", apart), f("team_from", team_from), f("few_rows", few_rows), f("few_from", few_from);
    f("lanes_from", lanes_from), f("lanes_to", lanes_to);
    f("host_bytes", host_bytes);
  }
};
template <class Tuning>
constexpr top_k_tuning top_k_tuning_for()
{
  if (is_tiny<Tuning>)
    return {64, 4, 32, 16, 128, 32, 0, 48, 48, 100, 50, 5, 20, 30, 40, 256};  // the sample misleads every other time
  return {4096, 4, 2048, 256, extent(1) << 18, 256, 6, 8192, 0, 1 << 16, 4096, 4096, 1024, 1 << 14, 256, 1 << 18};
}

}  // namespace onepass::ONEPASS_ABI
