// SPDX-License-Identifier: Apache-2.0
// Tiles of scans by a user's operator, whose strips are streamed in pieces that end with lines, against a plain loop:
// wherever the output begins in a line, and whether lines are whole numbers of items or not.
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/programs/scan.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace {

using namespace onepass;

/// The composition of x -> a x + b of small integers, which does not commute.
template <class Word, std::size_t Words>
struct maps {
  std::array<Word, Words> of;
  bool operator==(maps const&) const = default;
};
struct composed {
  template <class Word, std::size_t Words>
  maps<Word, Words> operator()(maps<Word, Words> const& older, maps<Word, Words> const& newer) const
  {
    maps<Word, Words> made{};
    made.of[0] = Word(newer.of[0] * older.of[0]);
    for (std::size_t k = 1; k < Words; ++k) made.of[k] = Word(newer.of[0] * older.of[k] + newer.of[k]);
    return made;
  }
};

/// Two tiles, of which the second is reduced as the first is written; what is around the output stays.
template <scan_kind Kind, class T>
void expect_plain(extent n, extent skew, bool stream)
{
  using program = scan_program<Kind, contiguous<T const>, contiguous<T>, T, composed, unchanged>;
  using tile    = backends::host::cached_tile<program>;
  std::vector<T> items(std::size_t(2 * n));
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t k = 0; k < items[i].of.size(); ++k)
      items[i].of[k] = static_cast<typename decltype(items[i].of)::value_type>(3 * i + 7 * k + 1);

  T running = items[0], next = items[std::size_t(n)];
  std::vector<T> wanted{};
  for (extent i = 0; i < n; ++i) {
    T const before = running;
    running        = composed{}(running, items[std::size_t(i)]);
    wanted.push_back(Kind == scan_kind::inclusive ? running : before);
  }
  for (extent i = n + 1; i < 2 * n; ++i) next = composed{}(next, items[std::size_t(i)]);

  struct alignas(64) line {
    std::byte bytes[64];
  };
  std::vector<line> memory(std::size_t((n + skew + 2) * extent(sizeof(T)) / 64 + 2));
  std::memset(memory.data(), 77, memory.size() * sizeof(line));
  auto* const out = reinterpret_cast<T*>(memory.data()) + skew;
  T around[2];
  for (auto& x : around) std::memset(&x, 77, sizeof x);

  program const p{{items.data(), 2 * n}, {out, n}, {}, {}, {}, false, nullptr};
  tile first(p, 0, n), second(p, n, 2 * n);
  auto const own = first.upsweep();
  EXPECT_EQ(program::held(program(p).combine(program::holding(items[0]), own)), running);
  EXPECT_EQ(program::held(first.downsweep(program::holding(items[0]), second, stream)), next);
  release_streams();
  for (extent i = 0; i < n; ++i) ASSERT_EQ(out[i], wanted[std::size_t(i)]) << "item " << i;
  EXPECT_EQ(out[n], around[0]);
  if (skew > 0) { EXPECT_EQ(out[-1], around[1]); }
}

template <class T>
void expect_plain()
{
  for (extent const n : {1, 3, 4, 63, 64, 255, 256, 257, 1000, 5003, 20000})
    for (extent skew = 0; skew < (n < 2000 ? 65 : 3); ++skew)
      for (bool const stream : {false, true}) {
        SCOPED_TRACE(testing::Message() << sizeof(T) << " bytes, " << n << " items, skew " << skew << ", " << stream);
        expect_plain<scan_kind::inclusive, T>(n, skew, stream);
        expect_plain<scan_kind::exclusive, T>(n, skew, stream);
      }
}

TEST(host_strips, of_3_bytes) { expect_plain<maps<std::uint8_t, 3>>(); }
TEST(host_strips, of_8_bytes) { expect_plain<maps<std::uint32_t, 2>>(); }
TEST(host_strips, of_12_bytes) { expect_plain<maps<std::uint32_t, 3>>(); }
TEST(host_strips, of_24_bytes) { expect_plain<maps<std::uint64_t, 3>>(); }
TEST(host_strips, of_32_bytes) { expect_plain<maps<std::uint64_t, 4>>(); }

}  // namespace
