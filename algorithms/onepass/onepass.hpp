// SPDX-License-Identifier: Apache-2.0
#pragma once

// Includes every algorithm, and lists all public functions, one per line. docs/api.md has their formulas, the bytes
// that each moves, and sources. Not included: the packed format (onepass/packed/*.hpp), which needs xxHash, the calls
// over ranks (onepass/ranks/*.hpp), the baselines (onepass/classic/*.hpp), and these calls under Kokkos' names
// (onepass/kokkos.hpp), which brings all of its algorithms. tests/house/api.py checks this list against the headers.

/// \defgroup calls Arguments and guarantees of every call
///
/// - `where` comes first: an execution space instance, or a place (core/onepass/execution/place.hpp): `on(exec)`,
///   followed by any of `.with(workspace)`, `.named("label")`, `.by(schedule)`, `.checked()`. `portably(exec)` uses the
///   portable Kokkos backend, `canonically(exec)` gives floats the same bits on every space,
///   `exactly(exec)` adds them without rounding, `serially()` is the
///   reference
/// - inputs are Views of any strides, const or not, or sequences (core/onepass/sequences.hpp), which need no memory:
///   `counting`, `constant`, `multiples`; where a call says so, `first(items, count)` takes a size known only on the
///   device
/// - outputs are Views; counts, totals and positions go to Views of rank 0, so that nothing is copied to the host, or
///   to variables of the host, for which the call waits. Counts, lengths and indices wrap in too narrow types
///
/// A call is queued on the instance, in its order, touches no other stream and fences nothing, unless its documentation
/// says that it waits. Host backends have finished when it returns. It allocates nothing if the place has a large
/// enough workspace, and only then can it be captured in a CUDA graph. Without one it uses a workspace that an earlier
/// call on the default instance has left; if there is none, or a too small one, or on another instance, it allocates
/// and may wait for the device. release_workspaces() frees what is kept.
///
/// Errors that can be found at compile time are compile errors whose message begins with `onepass:`. Errors at run time
/// throw precondition_error before anything is queued; the message has the sizes and the fix.

/// Single-pass scan primitives.
namespace onepass::ONEPASS_ABI {

/// Huffman coding of bytes and of weights.
namespace huffman {}

/// How items are split into a symbol, which is coded, and a rest, which is stored as it is.
namespace split {}

/// Older methods of compacting, sorting, scanning and coding, as baselines.
namespace classic {}

}  // namespace onepass::ONEPASS_ABI

// ---- memory of calls that hold no workspace

#include <onepass/execution/workspace_pool.hpp>
//   release_workspaces                frees what is kept from one call to the next
//   keep_workspaces                   how large a workspace may be that is kept

// ---- scans and reductions

#include <onepass/scan.hpp>
//   exclusive_scan                    each item becomes the combination of all items before it
//   inclusive_scan                    each item becomes the combination of all items up to it
//   transform_exclusive_scan          the same of f(item)
//   transform_inclusive_scan          the same of f(item)

#include <onepass/parallel_scan.hpp>
//   parallel_scan                     Kokkos::parallel_scan with its own functors, in one pass
//   range_policy                      the indices of such a scan, at a place
//   reading                           a functor of which is known how many bytes it reads for an index

#include <onepass/each.hpp>
//   scan_each                         a function makes items, another uses what is before each
//   inclusive_scan_each               the same with what is up to each
//   select_each                       a function uses what a predicate keeps, and its place

#include <onepass/reduce.hpp>
//   reduce                            all items combined
//   transform_reduce                  f(item) of all items combined
//   dot                               the products of two inputs added up

#include <onepass/count.hpp>
//   count_if                          how many items a predicate wants

#include <onepass/minmax.hpp>
//   min_element                       where the first smallest item is
//   max_element                       where the first largest item is
//   minmax_element                    where the first smallest and the last largest are

#include <onepass/adjacent_difference.hpp>
//   adjacent_difference               each item less the one before it, or another operator of both

#include <onepass/scan_by_key.hpp>
//   exclusive_scan_by_key             scans that restart wherever the key changes
//   inclusive_scan_by_key             scans that restart wherever the key changes

#include <onepass/reduce_by_key.hpp>
//   reduce_by_key                     the values of every run of equal keys combined

#include <onepass/segmented.hpp>
//   exclusive_segmented_scan          scans of the segments that offsets describe
//   inclusive_segmented_scan          scans of the segments that offsets describe
//   segmented_reduce                  the items of each segment combined
//   reduce_rows                       the items of each row of a matrix combined

// ---- searches

#include <onepass/find.hpp>
//   find_if                           where the first item is that a predicate wants
//   find_if_not                       where the first is that it does not want
//   all_of                            whether a predicate wants all items
//   any_of                            whether it wants one at least
//   none_of                           whether it wants none

#include <onepass/search.hpp>
//   lower_bound                       where many needles belong among sorted items, before equal ones
//   upper_bound                       the same behind equal ones

// ---- compaction and runs

#include <onepass/select.hpp>
//   select_if                         the items that satisfy a predicate
//   select_flagged                    the items whose flags are set
//   select_indices                    the positions of the items that satisfy a predicate

#include <onepass/partition.hpp>
//   partition_if                      items that satisfy a predicate to one output, the rest to another
//   partition_if_into_one             items that satisfy a predicate first, then the rest
//   partition_three_way               items to three outputs

#include <onepass/partition_by_key.hpp>
//   partition_by_key                  items by an integer key of at most 256 values, and the count of each

#include <onepass/unique.hpp>
//   unique                            the first item, or row, of every run of equal ones
//   unique_by_key                     the first key of every run and its value

#include <onepass/run_length.hpp>
//   run_length_encode                 the item, or row, and the length of every run
//   run_length_decode                 every symbol as often as its length says
//   non_trivial_runs                  where the runs of more than one item are

#include <onepass/zip.hpp>
//   zip                               several Views as one input or output of rows

// ---- order and counts

#include <onepass/radix_sort.hpp>
//   radix_sort                        keys sorted, stable
//   radix_sort_by_key                 keys sorted, and the values moved with them

#include <onepass/argsort.hpp>
//   argsort                           the positions of the sorted keys

#include <onepass/bin_sort.hpp>
//   kokkos::BinSort                   Kokkos' class of this name: keys by bins, and any arrays in their order
#include <onepass/sort_by_cell.hpp>
//   sort_by_cell                      the positions of items in the order of their cells, and where each cell begins

#include <onepass/apply_permutation.hpp>
//   apply_permutation                 Views of ranks 1 to 3 permuted by such positions, all at once

#include <onepass/scatter.hpp>
//   gather                            items, or rows, from where indices say
//   scatter                           items, or rows, to where indices say
//   scatter_add                       added to what is there; floats have the same bits in every order

#include <onepass/csr.hpp>
//   counts_to_offsets                 where each row begins, from how many entries the rows have
//   offsets_from_sorted               where each row begins, from the sorted row of each entry
//   transpose_graph                   a graph in CSR form with rows and columns exchanged, stable

#include <onepass/merge_sort.hpp>
//   merge_sort                        items of any type in the order of a comparator, stable
//   merge_sort_by_key                 the same for keys, and the values moved with them

#include <onepass/merge.hpp>
//   merge                             two sorted inputs as one, stable
//   merge_by_key                      the same with values beside the keys

#include <onepass/segmented_sort.hpp>
//   segmented_sort                    the keys of each segment sorted

#include <onepass/top_k.hpp>
//   top_k                             the k first keys in sorted order, and where they were
//   select_kth                        the key of one rank, and where it was

#include <onepass/histogram.hpp>
//   histogram                         how many items are in each bin; a function gives an item's bin
//   histogram_even                    how many items fall into bins of equal width
//   histogram_range                   how many items fall between levels

// ---- images

#include <onepass/summed_area_table.hpp>
//   summed_area_table                 at each pixel the sum of all pixels above it and to its left
//   summed_area_table_of_squares      the same of the squares

#include <onepass/box_filter.hpp>
//   box_filter                        means over boxes of one radius
//   variable_box_filter               means over boxes with a radius per pixel
//   near_gaussian                     three box filters, nearly a Gaussian

// ---- inside your own kernels

#include <onepass/in_situ.hpp>
//   make_tile_allocator               ordered ranges of an output for the teams of a kernel
//   make_tile_chain                   the combination of the values of all earlier teams

#include <onepass/team.hpp>
//   in_team                           the team of a kernel as a place, for the calls below
//   team_scratch_bytes                memory that these take
//   team_sort_scratch_bytes           memory that their sorts take
//   exclusive_scan                    each item becomes the combination of all items before it
//   inclusive_scan                    each item becomes the combination of all items up to it
//   transform_exclusive_scan          the same of f(item)
//   transform_inclusive_scan          the same of f(item)
//   scan_each                         a function makes items, another uses what is before each
//   inclusive_scan_each               the same with what is up to each
//   reduce                            all items combined
//   transform_reduce                  f(item) of all items combined
//   select_if                         the items that a predicate wants
//   select_flagged                    the items whose flags are set
//   select_indices                    the positions of the items that a predicate wants
//   select_each                       a function uses what a predicate keeps, and its place
//   merge_sort                        items in the order of a comparator
//   merge_sort_by_key                 keys in the order of a comparator, with their values
//   radix_sort                        keys in the order of their bits
//   radix_sort_by_key                 keys in the order of their bits, with their values

// ---- the numbers of this build

#include <onepass/tunings.hpp>  // each_tuning: the tunings of this build

// ---- Huffman coding

#include <onepass/huffman/huffman.hpp>
//   huffman::count                    how often each symbol occurs
//   huffman::find_lengths             code lengths from counts, on the device
//   huffman::build                    a codebook from counts, on the device
//   huffman::encode                   items to coded tiles
//   huffman::decode                   coded tiles to items
//   huffman::make_coded               memory for coded items
//   huffman::layout_of                how a block is split into tiles
//   huffman::default_per_lane         a good number of symbols per lane for n items

#include <onepass/huffman/layout.hpp>
//   huffman::is_per_lane              whether a lane may have this many symbols

#include <onepass/huffman/batch.hpp>
//   huffman::decode                   many coded streams in one kernel

#include <onepass/huffman/tile.hpp>
//   huffman::make_tile_decoder        decodes tiles inside your own kernel

#include <onepass/huffman/split.hpp>  // the part of an item that is coded: split::bf16, f16, f32, e4m3, bytes

#include <onepass/huffman/codebook/counts.hpp>
//   huffman::count_symbols            counts on the calling thread
//   huffman::total_of                 how many symbols were counted
//   huffman::entropy                  the least bits per symbol
//   huffman::coded_bits               bits of all symbols by a code
//   huffman::average_length           bits per symbol by a code

#include <onepass/huffman/codebook/lengths.hpp>
//   huffman::limited_lengths          optimal code lengths with a limit
//   huffman::tree_lengths             optimal code lengths without one

#include <onepass/huffman/codebook/canonical.hpp>
//   huffman::canonical                codes from lengths
//   huffman::require_complete         throws for lengths that are not those of a complete code
//   huffman::packed                   lengths as they are stored
//   huffman::unpacked                 lengths from their stored form

#include <onepass/huffman/codebook/lookup.hpp>
//   huffman::make_pair_table          the table by which devices decode
//   huffman::make_many_table          the table by which hosts decode
//   huffman::make_encode_table        the table that encoders use

#include <onepass/huffman/codebook/print.hpp>
//   huffman::print_codebook           a code as text

#include <onepass/huffman/codebook/walk.hpp>
//   huffman::walk                     one symbol, bit by bit
