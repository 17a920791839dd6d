// SPDX-License-Identifier: Apache-2.0
// Segments that come in pieces, sorted by the backend that does this (backends/run_orders.hpp).
#include "inputs.hpp"
#include "row.hpp"

#include <onepass/radix_sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace test;
using onepass::order_piece;

namespace {

template <class T>
using on_device = Kokkos::View<T*, exec_space::memory_space>;

template <class T>
on_device<T> brought(std::vector<T> const& items)
{
  using on_host = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  on_device<T> const made("brought", items.size());
  Kokkos::deep_copy(made, on_host(items.data(), items.size()));
  return made;
}
template <class T>
std::vector<T> taken_back(on_device<T> const& items)
{
  auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, items);
  return {here.data(), here.data() + here.size()};
}

/// Random pieces of an input, some empty, some of one item, some of many tiles; segments of one to four of them.
std::vector<order_piece> random_pieces(random_words& words, extent n)
{
  std::vector<order_piece> made;
  int segment = 0;
  for (extent at = 0; at < n;) {
    extent const kind = extent(words() % 8), skipped = extent(words() % 3);
    extent const size = kind == 0 ? 0 : kind == 1 ? 1 : extent(words() % (kind < 6 ? 300 : std::uint64_t(n) / 3 + 1));
    at += skipped;
    made.push_back({std::min(at, n), std::min(size, std::max<extent>(n - at, 0)), segment});
    at += size;
    if (words() % 4 != 0) segment += 1 + int(words() % 3 == 0);
  }
  std::reverse(made.begin(), made.end());  // pieces lie anywhere in the input
  for (auto& each : made) each.segment = segment - each.segment;
  return made;
}

/// With values, which are where items were, or without.
template <class Key>
void sorts(extent n, int begin_bit, int end_bit, bool descending, bool with_values)
{
  random_words words(seed() + std::uint64_t(n + begin_bit + 100 * end_bit));
  std::vector<Key> keys;
  for (extent i = 0; i < n; ++i) keys.push_back(Key(words() % 5 == 0 ? words() % 7 : words()));
  auto const pieces = random_pieces(words, n);
  std::vector<std::uint32_t> wanted;
  int const bits  = end_bit - begin_bit;
  auto const code = [&](std::uint32_t i) {
    std::uint64_t const c = std::uint64_t(keys[i]) >> begin_bit & (~std::uint64_t(0) >> (64 - bits));
    return descending ? ~c : c;
  };
  for (std::size_t p = 0; p < pieces.size();) {
    auto const first = wanted.size();
    auto const here  = pieces[p].segment;
    for (; p < pieces.size() && pieces[p].segment == here; ++p)
      for (extent i = 0; i < pieces[p].size; ++i) wanted.push_back(std::uint32_t(pieces[p].first + i));
    std::stable_sort(wanted.begin() + std::ptrdiff_t(first), wanted.end(),
                     [&](auto a, auto b) { return code(a) < code(b); });
  }
  std::vector<std::uint32_t> places(keys.size());
  std::iota(places.begin(), places.end(), 0u);

  auto const in     = brought(keys);
  auto const values = brought(places);
  on_device<Key> const out("out", wanted.size());
  on_device<std::uint32_t> const moved("moved", wanted.size());
  auto const run = [&](auto const& from, auto const& to) {
    onepass::detail::sort_pieces("pieces", row(), onepass::contiguous<Key const>{in.data(), n},
                                 onepass::contiguous<Key>{out.data(), extent(out.size())}, from, to, pieces,
                                 {descending, begin_bit, end_bit});
  };
  if (with_values)
    run(onepass::contiguous<std::uint32_t const>{values.data(), n},
        onepass::contiguous<std::uint32_t>{moved.data(), extent(moved.size())});
  else run(onepass::nothing{}, onepass::nothing{});
  Kokkos::fence();
  std::vector<Key> sorted;
  for (auto const i : wanted) sorted.push_back(keys[i]);
  EXPECT_EQ(taken_back(out), sorted) << n << " keys in " << pieces.size() << " pieces";
  if (with_values) EXPECT_EQ(taken_back(moved), wanted) << n << " values in " << pieces.size() << " pieces";
}

TEST(order_in_pieces, sorts_every_segment_by_itself)
{
  for (extent const n : {1, 5, 700, 5000, 40000, 300000})
    for (bool const values : {false, true}) {
      sorts<std::uint32_t>(n, 0, 24, false, values);
      sorts<std::uint32_t>(n, 3, 20, true, values);
      sorts<std::uint64_t>(n, 0, 64, false, values);
      sorts<std::uint16_t>(n, 0, 1, true, values);
    }
}

}  // namespace
