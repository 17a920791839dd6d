// SPDX-License-Identifier: Apache-2.0
// Teams of the user's own kernels that allocate and look back.
#include "compaction.hpp"
#include "witness.hpp"

#include <onepass/in_situ.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace test;

namespace {

using policy             = Kokkos::TeamPolicy<exec_space>;
using member             = policy::member_type;
constexpr bool on_device = !onepass::on_host<exec_space>;

/// Shapes of teams: threads and vector lanes that the space can run.
struct team_shape {
  int threads, lanes;
};
std::vector<team_shape> shapes()
{
  if (on_device) return {{128, 1}, {32, 4}, {1, 1}, {7, 1}};
  std::vector<team_shape> fit{{1, 1}};
  if (exec_space{}.concurrency() > 1) fit.push_back({2, 1});
  return fit;
}

/// Ten times what can run at once, and a little: a multiprocessor of 2048 threads takes 32 teams.
extent many_tiles_for(team_shape shape)
{
  extent const threads = std::max(shape.threads * shape.lanes, on_device ? 64 : 1);
  return 10 * extent(exec_space{}.concurrency()) / threads + 300;
}

/// Asks for 0 to 2 max - 1 places as its tile says, notes which it got, and writes its tile's number there.
struct claim_and_write {
  onepass::tile_allocator<extent> ranges;
  extent const* asked;
  extent *begins, *out;
  unsigned char* fits;

  ONEPASS_FUNCTION void operator()(member const& team) const
  {
    auto const tile = ranges.enter(team);
    auto const mine = tile.claim(asked[tile.index()]);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      begins[tile.index()] = mine.begin;
      fits[tile.index()]   = mine.fits;
    });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, mine.size),
                         [&](extent i) { out[mine.begin + i] = tile.index(); });
  }
};

template <class Kernel>
void launch(exec_space const& exec, extent tiles, team_shape shape, std::size_t scratch, Kernel const& kernel)
{
  policy p(exec, int(tiles), shape.threads, shape.lanes);
  Kokkos::parallel_for("test::in_situ", p.set_scratch_size(0, Kokkos::PerTeam(scratch)), kernel);
}

void expect_serial_scan(extent tiles, team_shape shape, extent most, double share,
                        onepass::workspace<exec_space>& scratch)
{
  SCOPED_TRACE(std::to_string(tiles) + " tiles of " + std::to_string(shape.threads) + " x "
               + std::to_string(shape.lanes));
  exec_space const exec;
  random_words engine(seed());
  std::vector<extent> asked, expected_begins, items;
  std::vector<unsigned char> expected_fits;
  for (extent t = 0; t < tiles; ++t) asked.push_back(engine() % 3 == 0 ? 0 : extent(engine() % std::uint64_t(most)));
  extent const sum = std::accumulate(asked.begin(), asked.end(), extent(0)), capacity = extent(double(sum) * share);
  for (extent t = 0, begin = 0; t < tiles; begin += asked[std::size_t(t++)]) {
    expected_begins.push_back(begin);
    expected_fits.push_back(begin + asked[std::size_t(t)] <= capacity || asked[std::size_t(t)] == 0);
    items.insert(items.end(), std::size_t(asked[std::size_t(t)]), t);
  }
  guarded<extent> const asks(asked), begins(tiles), out(capacity, 1);
  guarded<unsigned char> const fits(tiles);
  single<extent> const total(-1);
  auto const ranges = onepass::make_tile_allocator(row(exec).with(scratch), tiles, capacity, total.view());
  launch(exec, tiles, shape, ranges.scratch_bytes(),
         claim_and_write{ranges, asks.view().data(), begins.view().data(), out.view().data(), fits.view().data()});
  ASSERT_EQ(total.value(), sum);
  ASSERT_EQ(begins.items(), expected_begins);
  ASSERT_EQ(fits.items(), expected_fits);
  expect_compacted(out, items);
}

TEST(tile_allocator, gives_the_offsets_of_the_serial_scan_and_an_exact_total)
{
  onepass::workspace<exec_space> scratch(exec_space{});
  for (auto const shape : shapes())
    for (double const share : {1.0, 1.5, 0.6, 0.0})
      for (extent const tiles : {extent(1), extent(2), extent(33), many_tiles_for(shape)})
        ASSERT_NO_FATAL_FAILURE(expect_serial_scan(tiles, shape, tiles < 1000 ? 200 : 20, share, scratch));
}

/// Joins its interval behind those of all tiles before. Some tiles dawdle between knowing and telling.
struct join_in_order {
  onepass::tile_chain<small_interval> chain;
  fault_sink faults;
  small_interval* before;

  ONEPASS_FUNCTION void operator()(member const& team) const
  {
    auto const tile = chain.enter(team);
    auto const i    = std::int32_t(tile.index());
    if (i % 61 == 0)
      for (int spin = 0; spin < 2000; ++spin) (void)*static_cast<unsigned const volatile*>(faults.counts);
    auto const all = tile.look_back(small_interval::of(i, i + 1), join{faults}, small_interval::of(-1, 0));
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 1), [&](int) { before[i] = all; });
    if (all.last != i) faults.report(fault::gap);  // every thread has it
  }
};

TEST(tile_chain, joins_all_tiles_before_in_order_without_an_identity)
{
  exec_space const exec;
  onepass::workspace<exec_space> scratch(exec);
  for (auto const shape : shapes())
    for (extent const tiles :
         {extent(1), extent(2), extent(31), extent(32), extent(34), extent(65), many_tiles_for(shape)}) {
      faults const seen;
      guarded<small_interval> const before(tiles);
      auto const chain = onepass::make_tile_chain<small_interval>(row(exec).with(scratch), tiles);
      launch(exec, tiles, shape, chain.scratch_bytes(), join_in_order{chain, seen.sink(), before.view().data()});
      std::vector<small_interval> expected;
      for (int t = 0; t < int(tiles); ++t) expected.push_back(small_interval::of(-1, t));
      ASSERT_EQ(seen.text(), "") << tiles << " tiles of " << shape.threads << " x " << shape.lanes;
      ASSERT_NO_FATAL_FAILURE(expect_compacted(before, expected));
    }
}

TEST(tile_chain, refuses_to_be_made_without_a_workspace_or_tiles)
{
  onepass::workspace<exec_space> scratch(exec_space{});
  single<int> const total(77);
  auto const here = row().with(scratch);
  expect_says(refusal([&] { (void)onepass::make_tile_chain<int>(row(), 10); }), {"make_tile_chain", "workspace"});
  expect_says(refusal([&] { (void)onepass::make_tile_chain<int>(here, 0); }), {"make_tile_chain", "0 teams"});
  expect_says(refusal([&] { (void)onepass::make_tile_allocator(here, 3, -1, total.view()); }),
              {"make_tile_allocator", "-1"});
  EXPECT_EQ(total.value(), 77);
}

}  // namespace
