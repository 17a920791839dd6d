// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything at once, and the index of what there is: a line a function. docs/api.md has the formulas, the bytes that
// each one moves and where it comes from. Beside this stand two wings: the packed format (onepass/packed/*.hpp), which
// needs xxHash, and the baselines (onepass/classic/*.hpp). tests/house/api.py holds this list to what the headers
// declare.

/// \defgroup calls What every call takes and promises
///
/// - `where` comes first: an execution space instance, or a place (core/onepass/execution/place.hpp): `on(exec)`, and
///   behind it `.with(workspace)`, `.named("label")`, `.by(schedule)`, `.checked()`. `portably(exec)` takes Kokkos'
///   teams alone, `canonically(exec)` gives floats the same bits everywhere, `serially()` is the reference
/// - inputs are Views of any strides, const or not, or sequences (core/onepass/sequences.hpp), which need no memory:
///   `counting`, `constant`, `multiples`; `first(items, count)` takes a size that is known on the device
/// - outputs are Views; counts and totals are Views of rank 0, so that nothing goes to the host
///
/// A call is queued on the instance, in its order, touches no other stream and fences nothing, unless its docstring
/// says that it waits. Host backends have finished when it returns. It allocates nothing where the place has a
/// workspace that is large enough; without one it makes one and drops it, which allocates and may wait for the device.
///
/// What cannot be right is refused by the compiler, with a sentence that begins with `onepass:`. What shows at run time
/// only throws precondition_error before anything is queued, with the sizes and the fix.

/// Single-pass scan primitives: the face of the library.
namespace onepass {

/// Huffman coding of bytes and of weights.
namespace huffman {}

/// How items part into a symbol that is coded and a rest that is stored.
namespace split {}

/// Older ways of compacting, sorting, scanning and coding, as baselines.
namespace classic {}

}  // namespace onepass

// ---- scans and reductions

#include <onepass/scan.hpp>
//   exclusive_scan                    each item becomes the combination of everything before it
//   inclusive_scan                    each item becomes the combination of everything up to it
//   transform_exclusive_scan          the same of f(item)
//   transform_inclusive_scan          the same of f(item)

#include <onepass/reduce.hpp>
//   reduce                            all items combined
//   transform_reduce                  f(item) of all items combined

#include <onepass/count.hpp>
//   count_if                          how many items a predicate wants

#include <onepass/minmax.hpp>
//   min_element                       where the first smallest item is
//   max_element                       where the first largest item is
//   minmax_element                    where the first smallest and the last largest are

#include <onepass/adjacent_difference.hpp>
//   adjacent_difference               each item less the one before it, or another operator of both

#include <onepass/scan_by_key.hpp>
//   exclusive_scan_by_key             scans that begin anew wherever the key changes
//   inclusive_scan_by_key             scans that begin anew wherever the key changes

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
//   select_if                         the items that a predicate wants
//   select_flagged                    the items whose flags are set
//   select_indices                    the positions of the items that a predicate wants

#include <onepass/partition.hpp>
//   partition_if                      wanted items to one output, the rest to another
//   partition_if_into_one             wanted items first, then the rest
//   partition_three_way               items to three outputs

#include <onepass/partition_by_key.hpp>
//   partition_by_key                  items by an integer key of at most 256 values, and how many have each

#include <onepass/unique.hpp>
//   unique                            the first item, or row, of every run of equal ones
//   unique_by_key                     the first key of every run and the value beside it

#include <onepass/run_length.hpp>
//   run_length_encode                 the item, or row, and the length of every run
//   run_length_decode                 every symbol as often as its length says
//   non_trivial_runs                  where the runs of more than one item are

#include <onepass/zip.hpp>
//   zip                               Views side by side, as one input or output of rows

// ---- order and counts

#include <onepass/radix_sort.hpp>
//   radix_sort                        keys in order, stable
//   radix_sort_by_key                 keys in order, and the values beside them

#include <onepass/argsort.hpp>
//   argsort                           the positions of the keys in order
//   apply_permutation                 Views put into such an order

#include <onepass/merge.hpp>
//   merge                             two sorted inputs as one, stable
//   merge_by_key                      the same with values beside the keys

#include <onepass/segmented_sort.hpp>
//   segmented_sort                    the keys of each segment in order

#include <onepass/histogram.hpp>
//   histogram                         how many items have each bin that a function gives
//   histogram_even                    how many items fall into bins of equal width
//   histogram_range                   how many items fall between levels

// ---- images

#include <onepass/summed_area_table.hpp>
//   summed_area_table                 at each pixel the sum of all pixels above it and to its left
//   summed_area_table_of_squares      the same of the squares

#include <onepass/box_filter.hpp>
//   box_filter                        means over boxes of one radius
//   variable_box_filter               means over boxes of a radius a pixel
//   near_gaussian                     three box filters, nearly a Gaussian

// ---- inside your own kernel

#include <onepass/in_situ.hpp>
//   make_tile_allocator               ordered ranges of an output for the teams of a kernel
//   make_tile_chain                   what all teams before made, combined

// ---- Huffman coding

#include <onepass/tunings.hpp>  // each_tuning: the numbers that this build runs with

#include <onepass/huffman/huffman.hpp>
//   huffman::count                    how often each symbol occurs
//   huffman::find_lengths             code lengths from counts, on the device
//   huffman::build                    a codebook from counts, on the device
//   huffman::encode                   items to coded tiles
//   huffman::decode                   coded tiles to items
//   huffman::make_coded               memory for coded items
//   huffman::layout_of                how a block parts into tiles
//   huffman::default_per_lane         how many symbols a lane serve n items well

#include <onepass/huffman/layout.hpp>
//   huffman::is_per_lane              whether a lane may have this many symbols

#include <onepass/huffman/batch.hpp>
//   huffman::decode                   many coded streams in one kernel

#include <onepass/huffman/tile.hpp>
//   huffman::make_tile_decoder        coded tiles inside a kernel of your own

#include <onepass/huffman/split.hpp>  // what of an item is coded: split::bf16, f16, f32, e4m3, bytes

#include <onepass/huffman/codebook/counts.hpp>
//   huffman::count_symbols            counts on the calling thread
//   huffman::total_of                 how many symbols were counted
//   huffman::entropy                  bits a symbol, at best
//   huffman::coded_bits               bits of all symbols by a code
//   huffman::average_length           bits a symbol by a code

#include <onepass/huffman/codebook/lengths.hpp>
//   huffman::limited_lengths          optimal code lengths with a limit
//   huffman::tree_lengths             optimal code lengths without one

#include <onepass/huffman/codebook/canonical.hpp>
//   huffman::canonical                codes from lengths
//   huffman::require_complete         refuses lengths that are not those of a complete code
//   huffman::packed                   lengths as they are stored
//   huffman::unpacked                 lengths as they were

#include <onepass/huffman/codebook/lookup.hpp>
//   huffman::make_pair_table          what devices decode by
//   huffman::make_many_table          what hosts decode by
//   huffman::make_encode_table        what encoders look up

#include <onepass/huffman/codebook/print.hpp>
//   huffman::print_codebook           a code as text

#include <onepass/huffman/codebook/walk.hpp>
//   huffman::walk                     one symbol, bit by bit
