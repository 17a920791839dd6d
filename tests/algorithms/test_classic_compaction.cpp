// SPDX-License-Identifier: Apache-2.0
// The literature's compactions and encoders, which baselines must be right to be worth racing.
#include "compaction.hpp"

#include <onepass/classic/compaction.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace test;
namespace classic = onepass::classic;

namespace {

using item = std::uint32_t;

/// Around a warp, a block and many blocks of 256 items; ragged tails.
constexpr extent sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 512, 1009, 70001};

template <class Call>
void expect_compaction(Call const& call)
{
  for (extent const n : sizes)
    for (unsigned const limit : limits) {  // of 256 all: every warp is full
      SCOPED_TRACE("n = " + std::to_string(n) + ", limit " + std::to_string(limit));
      auto const items = keyed_items<item>(n);
      guarded<item> const in(items), out(n, 1);
      single<extent> const count(77);
      call(in.view(), out.view(), count.view(), below{limit});
      auto const expected = kept(items, below{limit});
      ASSERT_EQ(count.value(), extent(expected.size()));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, expected));
    }
  guarded<item> const data(keyed_items<item>(1000)), few(10);
  single<extent> const count(77);
  expect_says(refusal([&] { call(data.view(), data.view(), count.view(), below{3}); }), {"shares"});
  call(data.view(), few.view(), count.view(), below{128});
  auto const expected = kept(data.items(), below{128});
  EXPECT_EQ(count.value(), extent(expected.size()));
  expect_compacted(few, expected);
}

TEST(compact_by_blocks, keeps_what_the_predicate_says)
{
  expect_compaction([](auto const&... a) { classic::compact_by_blocks(row(), a...); });
}
TEST(compact_by_scatter, keeps_what_the_predicate_says)
{
  expect_compaction([](auto const&... a) { classic::compact_by_scatter(row(), a...); });
}
TEST(compact_by_gather, keeps_what_the_predicate_says)
{
  expect_compaction([](auto const&... a) { classic::compact_by_gather(row(), a...); });
}

template <class Call>
void expect_encoder(Call const& call)
{
  for (extent const n : sizes)
    for (extent const mean : {extent(1), extent(3), extent(300), one_run}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", mean length " + std::to_string(mean));
      auto const lengths = run_lengths(n, mean);
      auto const items   = items_of_runs<item>(lengths, [](extent, extent r) { return item(r % 3); });
      std::vector<item> symbols;
      for (std::size_t r = 0; r < lengths.size(); ++r) symbols.push_back(item(r % 3));
      guarded<item> const in(items), symbols_out(n, 1);
      guarded<int> const lengths_out(n);
      single<extent> const count(77);
      call(in.view(), symbols_out.view(), lengths_out.view(), count.view());
      ASSERT_EQ(count.value(), extent(lengths.size()));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(symbols_out, symbols));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(lengths_out, std::vector<int>(lengths.begin(), lengths.end())));
    }
  // The article's own examples.
  for (auto const& [items, symbols, lengths] :
       {std::tuple(std::vector<item>{1, 2, 3, 6, 6, 6, 5, 5}, std::vector<item>{1, 2, 3, 6, 5},
                   std::vector<int>{1, 1, 1, 3, 2}),
        std::tuple(std::vector<item>{4, 4, 4, 4}, std::vector<item>{4}, std::vector<int>{4}),
        std::tuple(std::vector<item>{7}, std::vector<item>{7}, std::vector<int>{1})}) {
    guarded<item> const in(items), symbols_out(extent(items.size()));
    guarded<int> const lengths_out(2);  // and too little room
    single<extent> const count(77);
    call(in.view(), symbols_out.view(), lengths_out.view(), count.view());
    EXPECT_EQ(count.value(), extent(symbols.size()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(symbols_out, symbols));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(lengths_out, lengths));
  }
}

TEST(encode_by_four_kernels, gives_every_run_and_its_length)
{
  expect_encoder([](auto const&... a) { classic::encode_by_four_kernels(row(), a...); });
}
TEST(encode_by_blocks, gives_every_run_and_its_length)
{
  expect_encoder([](auto const&... a) { classic::encode_by_blocks(row(), a...); });
}
TEST(encode_in_sequence, gives_every_run_and_its_length)
{
  if constexpr (onepass::reachable<Kokkos::DefaultHostExecutionSpace, unmanaged<item>>)
    expect_encoder([](auto const& in, auto const& symbols, auto const& lengths, auto const& count) {
      count() = classic::encode_in_sequence(in, symbols, lengths);
    });
}

/// Each warp of one block asks what the warps before it have.
struct ask_planes {
  int const* totals;
  int warps;
  int* before;
  template <class Team>
  ONEPASS_FUNCTION void operator()(Team const& team) const
  {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, warps), [&](int u) {
      int const sum = classic::bit_planes::before(team, totals, warps, u);
      Kokkos::single(Kokkos::PerThread(team), [&] { before[u] = sum; });
    });
  }
};

TEST(bit_planes, add_totals_up_to_a_full_warp)
{
  constexpr bool host = onepass::on_host<exec_space>;
  std::vector<std::vector<int>> cases{
      {16, 18, 17, 13}, {32, 32, 32, 32}, {32, 5, 32, 7}, std::vector<int>(32, 32), {0}, {31, 32, 0, 1, 32}};
  for (auto const& totals : cases) {
    std::vector<int> expected(totals.size());
    std::exclusive_scan(totals.begin(), totals.end(), expected.begin(), 0);
    guarded<int> const in(totals), out(extent(totals.size()));
    Kokkos::parallel_for(Kokkos::TeamPolicy<exec_space>(exec_space{}, 1, host ? 1 : 4, host ? 1 : 32),
                         ask_planes{in.view().data(), int(totals.size()), out.view().data()});
    EXPECT_EQ(out.items(), expected);
  }
}

}  // namespace
