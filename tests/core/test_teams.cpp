// SPDX-License-Identifier: Apache-2.0
// The engine's tiles on teams of several threads, as a device runs them, with host threads for a team: block scan,
// window-wide look-back, staging and barriers need no device to be tested.
#include "host_teams.hpp"

#include <onepass/engine/items/chained.hpp>
#include <onepass/engine/items/two_pass.hpp>
#include <onepass/programs/scan.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

using namespace onepass;
using test::on_teams;

namespace {

/// [first, last), broken when default-made.
struct link {
  std::int32_t first = 0, last = -1;
  friend bool operator==(link const&, link const&) = default;
};

std::atomic<int> misjoined{0};  // also where the result is thrown away
std::atomic<int> evaluated{0};

struct join_links {
  link operator()(link const& older, link const& newer) const
  {
    bool const neighbours = older.first <= older.last && newer.first <= newer.last && older.last == newer.first;
    if (!neighbours) ++misjoined;
    return neighbours ? link{older.first, newer.last} : link{};
  }
};

struct counted {
  link operator()(link const& x) const
  {
    ++evaluated;
    return x;
  }
};

/// The shape of a team, and what is common to all runs.
template <class Shape>
class teams_of : public testing::Test {
protected:
  static constexpr int threads = Shape::threads, per_thread = Shape::items, tile = threads * per_thread;
  using program =
      scan_program<scan_kind::inclusive, contiguous<link const>, contiguous<link>, link, join_links, counted>;

  /// Links 0 to n, and results that nobody has written.
  void prepare(extent n)
  {
    misjoined = evaluated = 0;
    items_.resize(std::size_t(n));
    for (int i = 0; i < int(n); ++i) items_[std::size_t(i)] = {i, i + 1};
    results_.assign(std::size_t(n), {});
    total_ = {};
    words_.assign(std::size_t(tiles_of(n, tile) * descriptor<program::aggregate_type>::words), 0);
    control_ = std::uint64_t(1) << 32;
  }
  program make(extent n)
  {
    return {{items_.data(), n}, {results_.data(), n}, {}, {}, {link{-1, 0}, nullptr}, true, &total_};
  }
  void expect_everything(extent n)
  {
    EXPECT_EQ(misjoined, 0) << "n = " << n;
    for (int i = 0; i < int(n); ++i)
      ASSERT_EQ(results_[std::size_t(i)], (link{-1, i + 1})) << "at " << i << " of " << n;
    EXPECT_EQ(total_, (link{-1, int(n)}));
    EXPECT_EQ(control_, std::uint64_t(2) << 32) << "the next launch is open";
  }

  std::vector<link> items_, results_;
  link total_;
  std::vector<std::uint64_t> words_;
  std::uint64_t control_;
};

template <int Threads, int Items>
struct shape {
  static constexpr int threads = Threads, items = Items;
};
using shapes = testing::Types<shape<1, 5>, shape<4, 3>, shape<7, 2>>;
TYPED_TEST_SUITE(teams_of, shapes);

TYPED_TEST(teams_of, chain_every_item_once_and_in_order)
{
  using self = TestFixture;
  for (extent const n : {0, 1, self::tile - 1, self::tile, self::tile + 1, 5 * self::tile + 2, 40 * self::tile})
    for (int const anchor : {1, 8}) {
      this->prepare(n);
      auto const made = this->make(n);
      backends::kokkos::shared_board board{&this->control_, this->words_.data(), extent(this->words_.size()), anchor};
      constexpr int teams = 3;
      extent const tiles  = tiles_of(n, self::tile);
      on_teams<typename self::program, self::per_thread, self::threads>(teams, [&](auto const& team, int) {
        for (;;) {
          auto const mine = team.draw(board, tiles + teams, board.capacity);
          if (mine.index >= tiles) return;
          chained_tile<self::per_thread>(made, n, team, board, mine);
          team.barrier();
        }
      });
      this->expect_everything(n);
      EXPECT_EQ(evaluated, n);
    }
}

TYPED_TEST(teams_of, take_every_item_in_two_passes)
{
  using self = TestFixture;
  for (extent const n : {0, 1, self::tile - 1, self::tile, self::tile + 1, 5 * self::tile + 2, 40 * self::tile}) {
    this->prepare(n);
    auto const made = this->make(n);
    backends::kokkos::shared_board board{&this->control_, this->words_.data(), extent(this->words_.size())};
    auto const pass = [&](int teams, auto const& work) {
      on_teams<typename self::program, self::per_thread, self::threads>(teams, work);
    };
    constexpr int N = self::per_thread;
    int const tiles = int(tiles_of(n, self::tile));
    pass(tiles, [&](auto const& team, int t) { reduce_tile<N>(made, n, team, board, t); });
    pass(1, [&](auto const& team, int) { scan_spine<N>(made, n, team, board); });
    pass(tiles, [&](auto const& team, int t) { scan_tile<N>(made, n, team, board, t); });
    this->expect_everything(n);
  }
}

}  // namespace
