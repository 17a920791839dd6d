// SPDX-License-Identifier: Apache-2.0
// The board in the memory of a row's backend, with all of the row's threads at it.
#include "row.hpp"

#include <onepass/backends/run_items.hpp>

#include <gtest/gtest.h>

using namespace test;
using onepass::extent;

namespace {

/// The words through which the tiles of the row's backend talk. The serial schedule has none and borrows Kokkos'.
template <class Backend>
struct words_of {
  using type = onepass::backends::kokkos::shared_words;
};
template <>
struct words_of<onepass::host_backend> {
  using type = onepass::backends::host::shared_words;
};
#ifdef ONEPASS_HAS_CUDA
template <>
struct words_of<onepass::cuda_backend> {
  using type = onepass::backends::cuda::shared_words;
};
#endif

/// The largest value of a tile: words that are all the same, so that a torn one shows.
struct message {
  std::uint32_t word[16];
  ONEPASS_FUNCTION static message of(extent tile)
  {
    message made;
    for (auto& w : made.word) w = std::uint32_t(tile) * 2654435761u;
    return made;
  }
  ONEPASS_FUNCTION bool is_of(extent tile) const
  {
    for (auto const w : word)
      if (w != std::uint32_t(tile) * 2654435761u) return false;
    return true;
  }
};

/// Draws a ticket, tells the next tile, and listens to the one before.
template <class Board>
struct tell_and_listen {
  Board board;
  extent tiles;
  unsigned* drawn;
  unsigned* wrong;

  ONEPASS_FUNCTION void operator()(int) const
  {
    using words     = onepass::descriptor<message>;
    auto const mine = typename Board::ticket(board.draw(tiles, tiles * words::words));
    Kokkos::atomic_inc(drawn + mine.index);
    board.publish(mine, onepass::tile_status::aggregate, message::of(mine.index));
    board.publish(mine, onepass::tile_status::inclusive_prefix, message::of(mine.index + 1));
    if (mine.index == 0) return;
    auto const seen  = board.template wait<message>(mine.index - 1, mine.epoch);
    bool const final = seen.status(mine.epoch) == onepass::tile_status::inclusive_prefix;
    if (!seen.value().is_of(final ? mine.index : mine.index - 1)) Kokkos::atomic_inc(wrong);
  }
};

TEST(board, tells_every_tile_what_the_one_before_said_launch_after_launch)
{
  constexpr extent tiles = 1000;
  exec_space const exec;
  Kokkos::View<std::uint64_t*, exec_space::memory_space> words("words",
                                                               1 + tiles * onepass::descriptor<message>::words);
  Kokkos::deep_copy(Kokkos::subview(words, std::pair(0, 1)), std::uint64_t(onepass::epoch::last - 1) << 32);
  using board = onepass::board<words_of<ONEPASS_ROW_BACKEND>::type>;
  board const shared{words.data(), words.data() + 1, extent(words.size()) - 1};

  std::uint32_t epoch = onepass::epoch::last - 1;
  for (int launch = 0; launch < 5; ++launch) {
    Kokkos::View<unsigned*, exec_space::memory_space> drawn("drawn", tiles), wrong("wrong", 1);
    Kokkos::parallel_for("test::tell_and_listen", Kokkos::RangePolicy<exec_space>(exec, 0, int(tiles)),
                         tell_and_listen<board>{shared, tiles, drawn.data(), wrong.data()});
    auto const times = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, drawn);
    for (extent t = 0; t < tiles; ++t) ASSERT_EQ(times(t), 1u) << "ticket " << t << ", launch " << launch;
    EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, wrong)(0), 0u) << "launch " << launch;

    epoch          = onepass::epoch::next(epoch);
    auto const now = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, words);
    EXPECT_EQ(now(0), std::uint64_t(epoch) << 32) << "launch " << launch << " opens the next";
  }
}

#if !defined(KOKKOS_ENABLE_CUDA)
/// Hands one place in plain memory from tile to tile, as compaction in place does with positions. On x86 only the
/// thread sanitizer sees whether words order it.
TEST(board, on_hosts_orders_what_tiles_do_before_and_after_they_tell)
{
  constexpr extent tiles = 1000;
  Kokkos::View<std::uint64_t*, exec_space::memory_space> words("words", 1 + tiles);
  Kokkos::deep_copy(Kokkos::subview(words, std::pair(0, 1)), std::uint64_t(1) << 32);
  onepass::board<words_of<ONEPASS_ROW_BACKEND>::type> const shared{words.data(), words.data() + 1, tiles};
  extent handed = 0;
  Kokkos::parallel_for("test::hand_on", Kokkos::RangePolicy<exec_space>(exec_space{}, 0, int(tiles)), [&](int) {
    auto const mine = shared.draw(tiles, tiles);
    if (mine.index > 0) (void)shared.wait<std::uint32_t>(mine.index - 1, mine.epoch);
    ++handed;
    shared.publish(mine, onepass::tile_status::aggregate, std::uint32_t(1));
  });
  EXPECT_EQ(handed, tiles);
}
#endif

}  // namespace
