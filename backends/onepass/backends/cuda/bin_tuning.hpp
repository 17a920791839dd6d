// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

// Bin programs and sum programs, whose blocks have tables of bins.

/// Bin programs.
struct bin_tuning {
  int threads;        ///< of a block
  int blocks;         ///< on a multiprocessor; one where registers or tables leave no room for more
  int most_blocks;    ///< in all; 0: as many as fit
  int reads;          ///< loads that a thread has in flight
  unsigned counters;  ///< of a block's table, at most
  unsigned slices;    ///< that bins are cut into where there are more of them: a block counts one, and all of a share
                      ///< of the items are read at about the same time
  unsigned copies;    ///< of a small table, at most: one for each bank
  extent alone_items, alone_bins;  ///< so few are counted by one block
  extent sliced_from;              ///< items; below, a table for any of many bins is quicker to add up
  extent sampled_from;             ///< items from which on a sample decides how many bins are counted

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("blocks", blocks), f("most_blocks", most_blocks), f("reads", reads);
    f("counters", counters), f("slices", slices), f("copies", copies), f("alone_items", alone_items);
    f("alone_bins", alone_bins), f("sliced_from", sliced_from), f("sampled_from", sampled_from);
  }
};
template <class Tuning>
constexpr bin_tuning bin_tuning_for(bool by_value = false, bool packed = true)
{
  bin_tuning t{.threads      = 1024,
               .blocks       = by_value ? 2 : 1,
               .most_blocks  = 0,
               .reads        = packed ? 2 : 8,
               .counters     = 56 * 1024,
               .slices       = 4,
               .copies       = 32,
               .alone_items  = extent(1) << 14,
               .alone_bins   = extent(1) << 15,
               .sliced_from  = extent(1) << 17,
               .sampled_from = extent(1) << 23};
  if (is_tiny<Tuning>) {
    t.threads = 64, t.most_blocks = 3, t.counters = 96;
    t.alone_items = 100, t.alone_bins = 80, t.sliced_from = 200, t.sampled_from = 10000;
  }
  return t;
}

/// Sum programs.
struct sum_tuning {
  int threads;              ///< of a block
  int blocks;               ///< on a multiprocessor
  int most_blocks;          ///< in all; 0: as many as fit
  unsigned table_words;     ///< of a block's table, at most
  unsigned copies;          ///< of a small table, at most: one for each bank
  extent many_each;         ///< items for each bin from which on a table of all bins is worth its while,
  extent table_from;        ///< of so many and more,
  extent first_table_from;  ///< and items from which on others may have a table of bins that ask first:
  int sample_words;         ///< memory by which a sample of items is counted,
  int crowd, crowded_from;  ///< more threads than these that meet the last of so many items of a bin, for a table,
  int sampled_each;         ///< and the units of a thread until the next one
  int part_threads;     ///< of a block that adds parts, of which others are to work while one looks for the next part
  int part_blocks;      ///< on a multiprocessor
  unsigned part_words;  ///< of such a block's table, at most
  int part_stretches;   ///< for each of those blocks: where parts have few items a stretch takes longer

  template <class Table>
  constexpr Table table(extent n, extent bins) const
  {
    if (bins <= n / many_each && n >= table_from) return Table::of(bins, table_words, copies);
    return n < first_table_from ? Table::of_none() : Table::of_first(table_words);
  }

  template <class F>
  void each(F const& f) const
  {
    f("threads", threads), f("blocks", blocks), f("most_blocks", most_blocks), f("table_words", table_words);
    f("copies", copies), f("many_each", many_each), f("table_from", table_from);
    f("first_table_from", first_table_from), f("sample_words", sample_words), f("crowd", crowd);
    f("crowded_from", crowded_from), f("sampled_each", sampled_each), f("part_threads", part_threads);
    f("part_blocks", part_blocks), f("part_words", part_words), f("part_stretches", part_stretches);
  }
};
template <class Tuning>
constexpr sum_tuning sum_tuning_for()
{
  if (is_tiny<Tuning>) return {64, 1, 3, 96, 4, 4, 20, 50, 32, 4, 2, 2, 64, 1, 96, 1};
  return {1024, 1, 0, 56 * 1024, 32, 16, 8192, extent(1) << 16, 14 * 1024, 16, 2, 16, 512, 2, 28 * 1024, 4};
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
