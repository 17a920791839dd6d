// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/key_codec.hpp>

namespace onepass::ONEPASS_ABI {

// Segments are sorted by merging (programs/merge_segments.hpp), or, where a backend does that faster for long ones, by
// one order program for all of them: the number of a segment is then part of the code.

/// The number of a segment that is sorted by digits with its keys. Beside small keys a short one halves an item.
template <class Key>
using segment_number = std::conditional_t<sizeof(Key) <= 2, std::uint16_t, std::uint32_t>;

/// A key and the number of its segment.
template <class Key>
struct segment_key {
  Key key;
  segment_number<Key> segment;
};

/// Where segments begin, found for one position of many, so that the search for that of a position is short: counts[b]
/// of the offsets are at most b * stretch.
struct segment_index {
  static constexpr extent stretch = extent(1) << 12;

  std::uint32_t* counts;  ///< none where items are so few that a kernel for it takes longer

  static constexpr extent size(extent items) { return items > 4 * stretch ? items / stretch + 2 : 0; }
};

/// How many of the offsets are at most i, which is one of first to first + count.
template <class Offsets>
ONEPASS_FUNCTION extent offsets_to(Offsets const& offsets, extent i, extent first, extent count)
{
  return first + partition_point(count, [&](extent k) { return extent(offsets(first + k)) <= i; });
}

/// An each program that makes such an index.
template <class Offsets>
struct index_segments {
  segment_index to;
  Offsets offsets;

  ONEPASS_FUNCTION void operator()(extent b) const
  {
    to.counts[b] = std::uint32_t(offsets_to(offsets, b * segment_index::stretch, 0, offsets.size));
  }
};

/// The input of the first pass: keys with their segments. Segment s + 1 is [offsets(s), offsets(s + 1)); keys before
/// the first offset are in segment 0, keys after the last in one additional segment.
template <class Keys, class Offsets>
struct keys_in_segments {
  using value_type = segment_key<typename Keys::value_type>;
  Keys keys;
  Offsets offsets;
  segment_index index;
  extent size;

  ONEPASS_FUNCTION value_type operator()(extent i) const
  {
    extent first = 0, last = offsets.size;
    if (index.counts) {
      extent const b = i / segment_index::stretch;
      first = index.counts[b], last = index.counts[b + 1];
    }
    return {keys(i),
            static_cast<segment_number<typename Keys::value_type>>(offsets_to(offsets, i, first, last - first))};
  }
};

/// The output of the last pass: keys without their segments.
template <class Out>
struct keys_of_segments {
  using value_type = typename Out::value_type;
  Out out;
  extent size;

  struct reference {
    value_type& to;
    ONEPASS_FUNCTION void operator=(segment_key<value_type> const& x) const { to = x.key; }
  };
  ONEPASS_FUNCTION reference operator()(extent i) const { return {out(i)}; }
};

/// Sorts by segment, then by key: an order program whose codes have the segment's bits above those of the key. Keys
/// outside all segments are not moved.
template <class In, class Out, class Offsets>
struct segmented_sort_program {
  using key       = typename In::value_type;
  using item_type = segment_key<key>;

  In in;
  Out out;
  Offsets offsets;
  segment_index index;
  int segment_bits;
  bool descending;
  int begin_bit, end_bit;

  ONEPASS_FUNCTION auto input() const { return keys_in_segments<In, Offsets>{in, offsets, index, in.size}; }
  ONEPASS_FUNCTION auto output() const { return keys_of_segments<Out>{out, out.size}; }
  ONEPASS_FUNCTION nothing values() const { return {}; }
  ONEPASS_FUNCTION nothing values_output() const { return {}; }
  ONEPASS_FUNCTION bool in_place() const
  {
    return static_cast<void const*>(in.data) == static_cast<void const*>(out.data);
  }
  ONEPASS_FUNCTION int bits() const { return end_bit - begin_bit + segment_bits; }

  ONEPASS_FUNCTION std::uint32_t digit(item_type const& item, int at, int width) const
  {
    int const key_width = end_bit - begin_bit,
              low       = at < key_width ? (at + width < key_width ? width : key_width - at) : 0;
    std::uint32_t d     = 0;
    if (low > 0 && item.segment > 0 && extent(item.segment) < offsets.size) {
      d = key_digit(item.key, begin_bit + at, low);
      if (descending) d ^= (1u << low) - 1u;
    }
    if (low < width) d |= key_digit(item.segment, at + low - key_width, width - low) << low;
    return d;
  }
  ONEPASS_FUNCTION void counted(int, extent) const {}
};

}  // namespace onepass::ONEPASS_ABI
