// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/sort_in_vectors.hpp>
#include <onepass/engine/orders.hpp>
#include <onepass/execution/tuning.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace onepass::ONEPASS_ABI::backends::host {

// Measured on two cores (perf/results/cpu2).

/// When threads are taken for crowded out by other programs (crowd.hpp).
struct crowd_numbers {
  std::chrono::microseconds late{500};    ///< a thread that begins so much later comes late; woken ones take 5 to 100
  int least_calls = 8, most_calls = 512;  ///< calls for which the calling thread then works alone
  extent call_bytes = extent(512) << 10;  ///< of one of them: larger work counts as several
  extent alone_to   = extent(64) << 20;   ///< bytes; more is worth the share of the cores that more threads get
};
inline constexpr crowd_numbers crowd_tuning;

/// Item programs.
struct item_tuning {
  extent tile_bytes;  ///< of a tile: a quarter of a second-level cache, which also holds the next tile
  extent tile_items;  ///< of a tile, whatever their size; 0: as many as fit tile_bytes
  extent alone_from;  ///< bytes of input from which on other threads help, since waking them takes time; 0: always

  /// The number of items of a tile whose items have bytes_per_item bytes.
  constexpr extent items(std::size_t bytes_per_item) const
  {
    return tile_items ? tile_items : std::max<extent>(tile_bytes / extent(bytes_per_item), 1);
  }
  /// The same, of n, where each is read once and a tile need not fit a cache, if so many do: memory is slow where a
  /// tile begins, and some tiles of each thread even out what others do to it.
  static constexpr extent items_read_once(extent n, extent in_cache)
  {
    constexpr extent many = 64, most = 8;
    return in_cache * std::clamp<extent>(n / (in_cache * many), 1, most);
  }
  template <class F>
  void each(F const& f) const
  {
    f("tile_bytes", tile_bytes), f("tile_items", tile_items), f("alone_from", alone_from);
  }
};
template <class Tuning>
constexpr item_tuning item_tuning_for()
{
  if (is_tiny<Tuning>) return {0, 7, 0};
  return {256 * 1024, 0, 512 * 1024};
}

/// Items below which one after another is faster than lists and vectors, and than vectors that only add up.
inline constexpr extent fewest_in_vectors = 128, fewest_added_in_vectors = 32;

/// The same for three parts, whose lists take more to begin and to end.
inline constexpr extent fewest_in_lists_of_parts = 256;

/// So many flags no processor remembers from call to call: branches at random ones are guessed wrong.
inline constexpr extent fewest_forgotten = 32768;

/// Among so many flags one that is unlike the others is an exception, which to guess wrong costs less than a list.
inline constexpr extent guessed_among = 16;

/// Walks by user code.
struct walk_numbers {
  extent few_bytes;    ///< below, threads share one walk; from there on, tiles are walked while they are in a cache
  extent alone_items;  ///< up to this many, the calling thread works alone
  double alone_for;    ///< microseconds of work that it does alone too, since a region costs two to five

  template <class F>
  void each(F const& f) const
  {
    f("few_bytes", few_bytes), f("alone_items", alone_items), f("alone_for", extent(alone_for));
  }
};
template <class Tuning>
constexpr walk_numbers walk_tuning_for()
{
  return is_tiny<Tuning> ? walk_numbers{1000, 20, 0} : walk_numbers{512 * 1024, 512, 8};
}

/// Calls of a user's function for each item.
struct call_numbers {
  extent few_bytes;   ///< below, the clock tells whether threads share them; from there on, they do
  double alone_for;   ///< microseconds of work that the calling thread does alone, since a region costs two to five
  double dear;        ///< microseconds of a call; of cheaper ones tiles cost too much
  double told_by;     ///< microseconds of calls that tell what others will cost: reading a clock takes up to a tenth
  double slow_for;    ///< microseconds of work that threads share however late they come
  extent bytes_each;  ///< for which a microsecond of work counts where the machine is crowded
  extent tiles_each;  ///< of a thread, at most
  extent whole;       ///< a tile has a multiple of so many items, if a call takes less than a microsecond
  extent longest;     ///< items between two looks at the clock, or an eighth of all
  extent counted;     ///< a call of so many items counts as two

  template <class F>
  void each(F const& f) const
  {
    f("few_bytes", few_bytes), f("alone_for", extent(alone_for)), f("tiles_each", tiles_each);
  }
};
template <class Tuning>
constexpr call_numbers call_tuning_for()
{
  if (is_tiny<Tuning>) return {400, 0, 0, 0, 0, 0, 16, 1, 1, 1};
  return {.few_bytes  = item_tuning_for<Tuning>().alone_from,
          .alone_for  = walk_tuning_for<Tuning>().alone_for,
          .dear       = .001,
          .told_by    = 1,
          .slow_for   = 500,
          .bytes_each = 10'000,
          .tiles_each = 16,
          .whole      = 16,
          .longest    = 64,
          .counted    = 4096};
}

/// The number of strips of a tile that are processed interleaved, since a single chain of combinations leaves a core
/// idle most of the time.
inline constexpr int strips = 4;

/// How many items of a strip are computed into the first-level cache and then written together.
template <class Output>
constexpr extent piece_items = std::max<extent>(1024 / extent(sizeof(Output)), 16);

inline constexpr extent listed_together = 1024;  ///< items whose flags are in the first-level cache
inline constexpr extent room_of_list    = 64;    ///< items after a list, for the last vector written to it

/// The numbers of a thread's table of so many, in whole lines: threads that write to the same ones wait for each other.
constexpr extent in_whole_lines(extent numbers) { return div_up(numbers, 16) * 16; }

/// Bin programs.
struct bin_tuning {
  extent table_items;  ///< items for which one more thread gets tables of its own, if bins are fewer
  extent few_bins;     ///< up to this many, a table has copies, so that equal neighbours do not depend on each other
  extent copied_from;  ///< items for each bin; below, clearing copies and adding them up takes longer

  static constexpr extent copies = 4;

  template <class F>
  void each(F const& f) const
  {
    f("table_items", table_items), f("few_bins", few_bins), f("copies", copies), f("copied_from", copied_from);
  }
};
template <class Tuning>
constexpr bin_tuning bin_tuning_for()
{
  return is_tiny<Tuning> ? bin_tuning{4, 4096, 1} : bin_tuning{32768, 4096, 16};
}

/// Items of one byte from which on their values are counted, and bins found for these alone.
inline constexpr extent values_from = 1024;

/// Sum programs.
struct sum_tuning {
  extent table_items;  ///< items of a thread that gets a table of its own, at least
  extent items_each;   ///< items for each bin, at least, where threads have tables: these are cleared and added up
  extent few_bins;     ///< up to this many, a table has copies if many neighbours are of one bin
  extent copied_from;  ///< items; below, adding copies up takes longer

  static constexpr extent copies = 4;

  template <class F>
  void each(F const& f) const
  {
    f("table_items", table_items), f("items_each", items_each), f("few_bins", few_bins), f("copies", copies);
    f("copied_from", copied_from);
  }
};
template <class Tuning>
constexpr sum_tuning sum_tuning_for()
{
  return is_tiny<Tuning> ? sum_tuning{4, 1, 10, 100} : sum_tuning{32768, 12, 4096, 32768};
}

/// Lane and tile programs: the tiles, of a thousand items and more, from which on other threads help; 0: always.
template <class Tuning>
constexpr extent alone_below_tiles()
{
  return is_tiny<Tuning> ? 0 : 32;
}

/// The widest digit of the host, in bits: the lines of 64 bytes of all its bins fit a second-level cache.
inline constexpr int widest_digit = 11;

/// Order programs.
struct order_tuning {
  int least_bits, most_bits;  ///< the most that a thread sorts in its cache
  extent bucket_bytes;        ///< the same, whatever their size; 0: as many as fit bucket_bytes
  extent bucket_items;        ///< the same, whatever their bytes; 0: as many as bucket_bytes are
  std::size_t lines_from;     ///< bytes from which on a scatter writes whole lines past the caches,
  int lines_above;            ///< if it has more bins; those of fewer are filled in the cache as they are
  extent few;                 ///< more items are never sorted as numbers
  extent inserted;            ///< so few items are inserted, up to most_inserted

  /// The most items that are sorted as numbers rather than by digits, if their codes differ in so many bits: alone, or
  /// with their places. In vectors a number costs less than a digit of it does; by merges doublings count as digits do.
  constexpr extent most_as_codes(int bits) const
  {
    constexpr extent merged[] = {0, 96, 256, 768, 2048, 8192, 16384, 16384, 16384};
    return std::min(few, sorts_in_vectors ? few : merged[(bits + 7) / 8]);
  }
  constexpr extent most_as_places(int bits) const
  {
    return sorts_in_vectors ? bits <= one_digit ? std::min<extent>(few, 128)
                              : bits <= 16      ? std::min<extent>(few, 768)
                                                : few
                            : most_as_codes(bits);
  }

  constexpr extent bucket(std::size_t item_bytes) const
  {
    return bucket_items ? bucket_items : std::max<extent>(bucket_bytes / extent(item_bytes), 1);
  }

  template <class F>
  void each(F const& f) const
  {
    f("least_bits", least_bits), f("most_bits", most_bits), f("bucket_bytes", bucket_bytes);
    f("bucket_items", bucket_items), f("lines_from", extent(lines_from)), f("lines_above", lines_above);
    f("few", few), f("inserted", inserted);
  }
};
template <class Tuning>
constexpr order_tuning order_tuning_for()
{
  if (is_tiny<Tuning>) return {1, 3, 0, 12, 500, 0, 9, 5};
  return {5, widest_digit, 128 * 1024, 0, std::size_t(12) << 20, 32, extent(1) << 16, 7};
}

/// Grid programs.
struct grid_tuning {
  int least_rows;     ///< of a band, where there are few for each thread,
  int rows;           ///< more than these where rows are short,
  extent pixels;      ///< as many as have so many pixels,
  int most_rows;      ///< and at most
  extent columns;     ///< of a block, whose sums stay in the first-level cache
  extent alone_from;  ///< bytes from which on other threads help
  extent narrow;      ///< images of fewer columns have no bands
  extent long_row;    ///< bytes of a row's sums up to which a lone thread has no bands

  template <class F>
  void each(F const& f) const
  {
    f("rows", rows), f("most_rows", most_rows), f("columns", columns), f("alone_from", alone_from);
    f("narrow", narrow), f("long_row", long_row);
  }
};
template <class Tuning>
constexpr grid_tuning grid_tuning_for(std::size_t value_bytes)
{
  if (is_tiny<Tuning>) return {2, 3, 12, 5, 7, 0, 0, 0};
  return {.least_rows = 4,
          .rows       = 16,
          .pixels     = extent(1) << 14,
          .most_rows  = 256,
          .columns    = std::max<extent>(4096 / extent(value_bytes), 16),
          .alone_from = item_tuning_for<Tuning>().alone_from,
          .narrow     = 32,
          .long_row   = 256 * 1024};
}

/// How many positions of a range program a thread takes at a time, where the program asks for `asked`.
template <class Tuning>
constexpr extent range_items_for(extent asked)
{
  return is_tiny<Tuning> ? 16 : asked;
}

/// Round programs: the tiles of a thread, of which each takes a round to merge, and keeps all threads busy; one where
/// there are fewer positions, of which a round takes less time than its beginning.
inline constexpr extent round_tiles_per_thread = 4, few_positions = extent(1) << 16;

/// Items of segments that the calling thread sorts by itself, since waking others takes time.
template <class Tuning>
constexpr extent segments_alone()
{
  return is_tiny<Tuning> ? 7 : 4096;
}

/// Calls f(kind of program, numbers) for all of the above.
template <class F>
void each_tuning(F const& f)
{
  using t = measured_tuning;
  f("items", item_tuning_for<t>());
  f("walks", walk_tuning_for<t>());
  f("calls", call_tuning_for<t>());
  f("bins", bin_tuning_for<t>());
  f("sums", sum_tuning_for<t>());
  f("orders", order_tuning_for<t>());
  f("grids, sums of 4 bytes", grid_tuning_for<t>(4));
}

}  // namespace onepass::ONEPASS_ABI::backends::host
