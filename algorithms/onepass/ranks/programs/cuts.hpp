// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/key_codec.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/ranks/programs/payloads.hpp>

#include <array>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// The order of a sort.
template <simple_key Key>
by_some_bits<Key> order_of(sort_order const& order)
{
  return {order.begin_bit, order.end_of(key_bits<Key>), order.descending};
}

/// counts(q) = how many of the sorted keys have a code below bounds(q).
template <class Key>
struct count_below {
  contiguous<Key const> sorted;
  by_some_bits<Key> code;
  std::uint64_t const* bounds;
  extent* counts;

  ONEPASS_FUNCTION void operator()(extent q) const
  {
    extent low = 0, high = sorted.size;
    while (low < high) {
      extent const middle = low + (high - low) / 2;
      if (code(sorted(middle)) < bounds[q]) low = middle + 1;
      else high = middle;
    }
    counts[q] = low;
  }
};
/// How many codes a rank asks all others for in a round.
inline constexpr std::size_t codes_of_a_round = 256;

template <class Key, place_like Where>
std::vector<extent> counts_below(transport& all, Where const& where, contiguous<Key const> const& sorted,
                                 by_some_bits<Key> const& code, std::vector<std::uint64_t> const& bounds)
{
  // A kernel reads and writes these few words where the host does, which copies would take longer for.
  auto const n     = extent(bounds.size());
  auto const given = pinned_buffers::of(all).items<std::uint64_t>(0, n);
  std::copy(bounds.begin(), bounds.end(), given.data());
  return written<extent>(all, where, n, [&](extent* found) {
    onepass::run_each(where, count_below<Key>{sorted, code, given.data(), found}, n, "ranks::cuts");
  });
}

/// Finds memory for what find_cuts() asks kernels for.
inline void reserve_for_cuts(transport& all)
{
  pinned_buffers::of(all).reserve(codes_of_a_round * std::size_t(all.size()) * sizeof(std::uint64_t));
}

/// Where the keys that go to each rank begin among this rank's sorted ones, if rank r is to have the keys of ranks
/// wanted[r] up to wanted[r + 1] in the order of all: by code, and equal ones by rank and place. Exact, whatever the
/// keys are.
///
/// Each rank looks for the key at its own first place, eight bits a round from the highest on: all tell it how many
/// of their keys lie below each of the 256 codes that are still possible. How many of the keys that equal it come
/// before that place is shared out in the order of ranks.
template <class Key, place_like Where>
std::vector<extent> find_cuts(transport& all, Where const& where, contiguous<Key const> const& sorted,
                              by_some_bits<Key> const& code, std::vector<extent> const& wanted)
{
  constexpr std::size_t digits = codes_of_a_round;
  auto const ranks             = std::size_t(all.size());
  extent const place           = wanted[std::size_t(all.rank())];
  std::vector<std::uint64_t> keys(ranks);  // of each rank's first place, as far as they are known
  if (ranks == 1) return {0, sorted.size};
  for (int shift = (int(std::bit_width(std::uint64_t(code.bits))) + 7) / 8 * 8 - 8; shift >= 0; shift -= 8) {
    std::vector<std::uint64_t> bounds;
    for (auto const key : keys)
      for (std::uint64_t d = 0; d < digits; ++d) bounds.push_back(key + (d << shift));
    auto const counts = counts_below(all, where, sorted, code, bounds);
    std::vector<std::array<extent, digits>> each(ranks);
    for (std::size_t r = 0; r < ranks; ++r) std::copy_n(&counts[r * digits], digits, each[r].begin());
    std::array<extent, digits> below{};
    for (auto const& of_rank : swapped(all, each))
      for (std::size_t d = 0; d < digits; ++d) below[d] += of_rank[d];
    auto const digit          = std::upper_bound(below.begin(), below.end(), place) - below.begin() - 1;
    std::uint64_t const found = keys[std::size_t(all.rank())] + (std::uint64_t(digit) << shift);
    all.exchange_words({&found, 1}, keys);
  }
  auto bounds = keys;
  for (auto const key : keys) bounds.push_back(key + 1);
  auto counts = counts_below(all, where, sorted, code, bounds);
  for (std::size_t r = 0; r < ranks; ++r)
    if (keys[r] == ~std::uint64_t(0)) counts[ranks + r] = sorted.size;
  struct around {
    extent below, up_to;
  };
  std::vector<around> each;
  for (std::size_t r = 0; r < ranks; ++r) each.push_back({counts[r], counts[ranks + r]});
  auto const heard = swapped(all, each);
  extent left      = place;  // keys before the place that are not yet said to be one rank's
  for (auto const& [below, up_to] : heard) left -= below;
  std::vector<extent> cuts;
  for (auto const& [below, up_to] : heard) {
    extent const equal = std::min(left, up_to - below);
    cuts.push_back(below + equal);
    left -= equal;
  }
  auto begins = swapped(all, cuts);
  begins.push_back(sorted.size);
  return begins;
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
