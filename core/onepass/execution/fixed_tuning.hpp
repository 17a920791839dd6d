// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

namespace onepass::ONEPASS_ABI {

/// Sums of floats by bins: as fixed-point numbers, or by one thread of a host (programs/scatter_add.hpp).
struct fixed_tuning {
  extent from;         ///< values; fewer are sorted
  extent items_each;   ///< values for each bin, at least: a bin's digits are cleared for every call
  int sample;          ///< values that place the window
  int part_bits;       ///< of a bin: so many at most that one pass of a sort brings values to the order of parts
  extent few;          ///< so few are added by one team of a device,
  extent in_memory;    ///< so many by additions to memory,
  extent in_cache;     ///< or so many,
  extent cached;       ///< if there are no more rows than these, whose words stay in a device's cache;
  extent local;        ///< from so many on it is looked first whether they are near each other, by parts of
  int local_bits;      ///< 2^local_bits rows,
  extent local_parts;  ///< if these are as many,
  extent alone;        ///< or so few by one thread of a host,
  extent helpers;      ///< and where it has no more threads than these also rows, as many for each bin as above,
  extent held;         ///< or values of no more bins;
  extent met;          ///< of more rows than these and than a few a value those alone that are met have a sum
};
template <class Tuning>
constexpr fixed_tuning fixed_tuning_for()
{
  if (is_tiny<Tuning>)
    return {.from        = 20,
            .items_each  = 1,
            .sample      = 40,
            .part_bits   = 5,
            .few         = 10,
            .in_memory   = 1500,
            .in_cache    = 2000,
            .cached      = 50,
            .local       = 300,
            .local_bits  = 4,
            .local_parts = 4,
            .alone       = 12,
            .helpers     = 0,
            .held        = 0,
            .met         = 0};
  return {.from        = extent(1) << 16,
          .items_each  = 16,
          .sample      = 512,
          .part_bits   = 8,
          .few         = 1536,
          .in_memory   = extent(1) << 23,
          .in_cache    = extent(1) << 25,
          .cached      = extent(3) << 20,
          .local       = extent(1) << 20,
          .local_bits  = 10,
          .local_parts = 256,
          .alone       = extent(1) << 16,
          .helpers     = 4,
          .held        = extent(1) << 26,
          .met         = extent(1) << 22};
}

}  // namespace onepass::ONEPASS_ABI
