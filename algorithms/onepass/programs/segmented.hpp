// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/heads.hpp>
#include <onepass/programs/restart.hpp>
#include <onepass/programs/runs.hpp>
#include <onepass/programs/scan.hpp>
#include <onepass/sequences.hpp>

namespace onepass {

// Segments: items offsets(s) to offsets(s + 1) - 1 are segment s. A bit an item says where segments begin, so that the
// items go by in one flat pass, whatever the segments' lengths.

/// Segments as their offsets say. Nothing is assumed of the offsets but that memory behind the items is not theirs.
template <class Offsets>
struct segments {
  Offsets    offsets;
  item_count count;  ///< of the offsets: one more than there are segments

  ONEPASS_FUNCTION extent number() const { return count() > 0 ? count() - 1 : 0; }
  ONEPASS_FUNCTION bool   has_items(extent s) const { return offsets(s) < offsets(s + 1); }
  ONEPASS_FUNCTION extent items(extent limit) const
  {
    const extent end = number() > 0 ? extent(offsets(number())) : 0;
    return end < 0 ? 0 : end < limit ? end : limit;
  }
};

/// Before everything: no item is a head; how many there are.
template <class Offsets>
struct clear_heads {
  segments<Offsets> all;
  extent            limit;
  extent*           items;
  std::uint32_t*    heads;

  ONEPASS_FUNCTION void operator()(extent w) const
  {
    heads[w] = 0;
    if (w == 0) *items = all.items(limit);
  }
};

/// Marks the first item of every segment that has any. Call i takes `at_a_time` segments, which often share a word.
/// `Empty` is told of the others.
template <class Offsets, class Empty>
struct mark_heads {
  static constexpr int at_a_time = 8;

  segments<Offsets> all;
  extent            limit;
  std::uint32_t*    heads;
  Empty             empty;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    const extent  first = i * at_a_time, number = all.number();
    if (first >= number) return;
    extent        word = 0;
    std::uint32_t bits = 0;
    typename Offsets::value_type begins[at_a_time]{};
    take_neighbours(all.offsets, first, number - first, begins);
    auto end = all.offsets(first + at_a_time < number ? first + at_a_time : number);
    ONEPASS_UNROLL for (int k = at_a_time - 1; k >= 0; --k)  // backwards: an end is the begin of the next
    {
      if (first + k >= number) continue;
      const auto at = extent(begins[k]);
      if (!(begins[k] < end)) empty(first + k);
      else if (at >= 0 && at < limit) {
        if (at / 32 != word && bits) Kokkos::atomic_or(heads + word, bits), bits = 0;
        word = at / 32;
        bits |= std::uint32_t(1) << at % 32;
      }
      end = begins[k];
    }
    if (bits) Kokkos::atomic_or(heads + word, bits);
  }
};

/// Empty segments are nothing to a scan; in a reduction they give what precedes all items.
struct pass_over {
  ONEPASS_FUNCTION void operator()(extent) const {}
};
template <class Out, class Program>
struct write_initial {
  Out     out;
  Program program;
  ONEPASS_FUNCTION void operator()(extent s) const
  {
    if (s < out.size) out(s) = program.empty_sum();
  }
};

/// A bit an item; behind the last word is one more.
struct is_head {
  std::uint32_t const* words;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const&) const { return words[std::uint64_t(i) >> 5] >> (std::uint32_t(i) & 31) & 1; }
};

/// The segments that have items.
template <class Offsets>
struct keep_with_items {
  segments<Offsets> all;
  ONEPASS_FUNCTION bool operator()(extent s) const { return s < all.number() && all.has_items(s); }
};

/// Sums of the segments that have items go to where these are.
template <class Sums, class Out>
struct spread_sums {
  Sums          sums;
  extent const* places;
  extent const* number;
  Out           out;
  ONEPASS_FUNCTION void operator()(extent k) const
  {
    if (k < *number) out(places[k]) = sums(k);
  }
};

/// segmented_reduce: the combination of each segment that has items, written when the next one begins.
template <class In, class Out, class Op, class T>
struct segment_sums_program : sums_of_runs<Op, T, unchanged> {
  using item_type = typename In::value_type;
  using sums      = sums_of_runs<Op, T, unchanged>;
  using typename sums::aggregate_type;
  using typename sums::algebra;
  using output = typename Out::value_type;

  static constexpr int columns = 1;

  In       in;
  is_head  heads;
  Out      out;     ///< side by side; places beyond it are not written
  extent*  number;  ///< of the sums: in the end no more than there were heads, whatever the offsets said
  given<T> init;
  bool     has_init;

  ONEPASS_FUNCTION In                   input() const { return in; }
  ONEPASS_FUNCTION bool                 evaluate(extent i, item_type const& x) const { return heads(i, x); }
  ONEPASS_FUNCTION std::uint32_t const* flag_words() const { return heads.words; }

  ONEPASS_FUNCTION typename algebra::type before_all() const { return has_init ? algebra::lift(init()) : algebra::identity(); }
  ONEPASS_FUNCTION output empty_sum() const { return static_cast<output>(algebra::value(before_all())); }
  ONEPASS_FUNCTION output full_sum(aggregate_type const& all) const
  {
    return static_cast<output>(algebra::value(this->sum.combine(before_all(), all.sum)));
  }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    if (all.heads > 0 && all.heads <= out.size) out(all.heads - 1) = full_sum(all);
    if (all.heads < *number) *number = all.heads;
  }

  template <int>
  ONEPASS_FUNCTION auto column() const { return out; }
  template <int>
  ONEPASS_FUNCTION static constexpr bool keeps(bool head) { return head; }
  /// A sum is known at the next head: one place earlier.
  template <int>
  ONEPASS_FUNCTION extent place(extent, aggregate_type const& before) const { return before.heads - 1; }
  template <int>
  ONEPASS_FUNCTION output value(extent, item_type const&, bool, aggregate_type const& before) const { return full_sum(before); }
};

}  // namespace onepass
