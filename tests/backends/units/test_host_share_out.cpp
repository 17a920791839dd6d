// SPDX-License-Identifier: Apache-2.0
// Partitions of wide items by one thread, against std::partition_copy.
#include "seed.hpp"

#include <onepass/backends/host/items.hpp>
#include <onepass/programs/partition.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace test;
using onepass::extent;

namespace {

struct item {
  std::uint64_t key, more[2];
  bool operator==(item const&) const = default;
};
struct is_below {
  unsigned limit;
  bool operator()(item const& x) const { return x.key % 256 < limit; }
};
using input   = onepass::contiguous<item const>;
using output  = onepass::contiguous<item>;
using program = onepass::partition_program<input, onepass::keep_if<is_below>, extent, output, output>;
static_assert(onepass::backends::host::shares_out<program>);

/// Of n items; of each part so many have room.
void partitions(extent n, unsigned limit, extent room)
{
  SCOPED_TRACE("n = " + std::to_string(n) + ", limit " + std::to_string(limit) + ", room " + std::to_string(room));
  random_words engine(seed() + std::uint64_t(n));
  std::vector<item> all;
  for (extent i = 0; i < n; ++i) all.push_back({engine(), {engine(), std::uint64_t(i)}});
  std::vector<item> kept(std::size_t(n), item{}), others = kept, expected = kept, expected_others = kept;
  auto const ends =
      std::partition_copy(all.begin(), all.end(), expected.begin(), expected_others.begin(), is_below{limit});
  extent const wanted = ends.first - expected.begin();
  std::fill(expected.begin() + room, expected.end(), item{});
  std::fill(expected_others.begin() + room, expected_others.end(), item{});
  extent count = -1;
  input const in{all.data(), n};
  program const p{{in, {is_below{limit}}, &count, {}}, {kept.data(), room}, {others.data(), room}, nullptr};
  onepass::backends::host::run_by_one<1024>(p, n);
  EXPECT_EQ(count, wanted);
  EXPECT_TRUE(kept == expected);
  EXPECT_TRUE(others == expected_others);
}

TEST(host_share_out, sends_every_item_to_one_of_two_arrays_in_order)
{
  for (extent const n : {32768, 40001})
    for (unsigned const limit : {0u, 5u, 128u, 250u, 256u}) partitions(n, limit, n);
}
TEST(host_share_out, writes_nothing_where_there_is_no_room)
{
  for (extent const room : {0, 7, 10000}) partitions(40001, 128, room);
}

}  // namespace
