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
  extent sorted;        ///< items of rows that are sorted at a time
  extent host_bytes;    ///< of a row from which on all threads of a host share it

  template <class F>
  void each(F const& f) const
  {
    f("sort_up_to", sort_up_to), f("share", share), f("groups", groups), f("gap", gap);
    f("most_samples", most_samples), f("enough", enough), f("rank_up_to", rank_up_to), f("host_ranks", host_ranks);
    f("apart", apart), f("team_from", team_from), f("few_rows", few_rows), f("few_from", few_from);
    f("lanes_from", lanes_from), f("lanes_to", lanes_to);
    f("sorted", sorted), f("host_bytes", host_bytes);
  }
};
template <class Tuning>
constexpr top_k_tuning top_k_tuning_for()
{
  if (is_tiny<Tuning>)  // the sample misleads every other time
    return {.sort_up_to   = 64,
            .share        = 4,
            .groups       = 32,
            .gap          = 16,
            .most_samples = 128,
            .enough       = 32,
            .deviations   = 0,
            .rank_up_to   = 48,
            .host_ranks   = 48,
            .apart        = 100,
            .team_from    = 50,
            .few_rows     = 5,
            .few_from     = 20,
            .lanes_from   = 30,
            .lanes_to     = 40,
            .sorted       = 6000,
            .host_bytes   = 256};
  return {.sort_up_to   = 4096,
          .share        = 4,
          .groups       = 2048,
          .gap          = 256,
          .most_samples = extent(1) << 18,
          .enough       = 256,
          .deviations   = 6,
          .rank_up_to   = 8192,
          .host_ranks   = 0,
          .apart        = 1 << 16,
          .team_from    = 4096,
          .few_rows     = 4096,
          .few_from     = 1024,
          .lanes_from   = 1 << 14,
          .lanes_to     = 256,
          .sorted       = 1 << 28,
          .host_bytes   = 1 << 18};
}

}  // namespace onepass::ONEPASS_ABI
