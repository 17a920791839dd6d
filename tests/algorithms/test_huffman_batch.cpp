// SPDX-License-Identifier: Apache-2.0
// Many streams in one call, and tiles decoded in kernels of the user's.
#include "coded_items.hpp"
#include "guarded.hpp"

#include <onepass/huffman/batch.hpp>
#include <onepass/huffman/tile.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

/// Items, coded by this row with a codebook of their own.
template <class Split>
struct coded_stream {
  coded_stream(extent n, value_mix how, int per_lane)
      : items(spread_items<Split>(n, how))
      , book(exec_space{})
      , coded(huffman::make_coded<Split>(exec_space{}, n, per_lane))
      , out(n)
  {
    guarded<typename Split::item> const in(items);
    guarded<std::uint64_t> const counts(256);
    huffman::count<Split>(row(), in.view(), counts.view());
    huffman::build(row(), counts.view(), book);
    huffman::encode<Split>(row(), book, in.view(), coded);
    Kokkos::fence("test");
  }
  typename huffman::batch<Split, exec_space>::stream stream() const { return {book, coded, out.view()}; }

  std::vector<typename Split::item> items;
  huffman::tables<exec_space> book;
  huffman::coded<exec_space> coded;
  guarded<typename Split::item> out;
};

/// Sizes around a tile's and a group of tiles'.
template <class Split>
std::vector<coded_stream<Split>> some_streams()
{
  std::vector<coded_stream<Split>> all;
  int k = 0;
  for (extent const n : {0, 1, 1023, 1024, 8 * 1024, 8 * 1024 + 1, 17 * 1024 + 5, 0, 3000, 40000})
    all.emplace_back(n, value_mix(k % 5), 32 << k % 4), ++k;
  return all;
}

template <class Split>
class huffman_batch : public testing::Test {};
using splits = testing::Types<split::bytes, split::bf16, split::f32, split::e4m3>;
TYPED_TEST_SUITE(huffman_batch, splits);

TYPED_TEST(huffman_batch, every_stream_arrives)
{
  exec_space const exec;
  for (std::size_t const number : {0, 1, 10}) {
    auto all = some_streams<TypeParam>();
    all.resize(number, all[0]);
    std::vector<typename huffman::batch<TypeParam, exec_space>::stream> streams;
    for (auto const& s : all) streams.push_back(s.stream());
    huffman::batch<TypeParam, exec_space> const batch(exec, streams);
    for (int round = 0; round < 2; ++round) {
      huffman::decode(row(), batch);
      for (std::size_t k = 0; k < all.size(); ++k) {
        ASSERT_TRUE(all[k].out.items() == all[k].items) << "stream " << k;
        ASSERT_TRUE(all[k].out.canaries_alive()) << "stream " << k;
        Kokkos::deep_copy(all[k].out.view(), typename TypeParam::item(0x5a));
      }
    }
  }
}

/// One item for each that a tile's lanes are handed; `order` counts those that came out of order.
template <class Split>
struct decode_by_team {
  huffman::tile_decoder<Split> coded;
  typename Split::item* out;
  int* order;

  ONEPASS_FUNCTION void operator()(Kokkos::TeamPolicy<exec_space>::member_type const& team) const
  {
    auto const* const table = coded.load_table(team, team.team_scratch(0).get_shmem_aligned(coded.table_bytes(), 16));
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, coded.lanes()), [&](int lane) {
      extent last = -1;
      coded.decode_tile(team.league_rank(), lane, table, [&](extent i, typename Split::item bits) {
        out[i] = bits;
        if (i <= last) Kokkos::atomic_inc(order);
        last = i;
      });
    });
  }
};

TYPED_TEST(huffman_batch, tiles_arrive_in_kernels_of_the_user)
{
  for (auto const& s : some_streams<TypeParam>()) {
    auto const coded = huffman::make_tile_decoder<TypeParam>(s.book, s.coded);
    ASSERT_EQ(coded.items(), extent(s.items.size()));
    ASSERT_EQ(coded.tiles(), onepass::div_up(coded.items(), coded.tile_items()));
    if (coded.tiles() == 0) continue;
    single<int> const out_of_order;
    Kokkos::TeamPolicy<exec_space> policy(exec_space{}, int(coded.tiles()), Kokkos::AUTO);
    policy.set_scratch_size(0, Kokkos::PerTeam(int(coded.table_bytes() + 32)));
    Kokkos::parallel_for("test::decode_tile", policy,
                         decode_by_team<TypeParam>{coded, s.out.view().data(), out_of_order.view().data()});
    ASSERT_TRUE(s.out.items() == s.items);
    ASSERT_EQ(out_of_order.value(), 0);
    ASSERT_TRUE(s.out.canaries_alive());
  }
}

TEST(huffman_batches, refuse_outputs_of_another_size)
{
  exec_space const exec;
  coded_stream<split::bf16> const s(1000, value_mix::normal, 32);
  auto stream = s.stream();
  guarded<std::uint16_t> const out(999);
  stream.out = out.view();
  EXPECT_THROW((huffman::batch<split::bf16, exec_space>(exec, {stream})), onepass::precondition_error);
}

}  // namespace
