// SPDX-License-Identifier: Apache-2.0
// Huffman encoding by teams of several threads, as a device runs it, against one thread.
#include "coded_items.hpp"
#include "host_teams.hpp"

#include <onepass/huffman/huffman.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

using items = std::vector<std::uint16_t>;
using coder = huffman::encode_program<split::bf16>;

/// A block that nobody has written yet.
struct block {
  explicit block(huffman::block_layout const& layout)
      : index(std::size_t(layout.tiles() + 1), 77)
      , words(std::size_t(layout.tiles() * layout.most_tile_words()) / 4, pack{})
      , rest(std::size_t(split::rest_layout<split::bf16>{layout.items}.bytes()) / 16 + 1, pack{})
  {}
  coder program(huffman::block_layout const& layout, items& from, std::uint32_t const* codes)
  {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(rest.data());
    huffman::unit_memory<split::bf16> const memory{from.data(), bytes, layout.items, false};
    return {{{layout, memory, codes},
             {index.data(), reinterpret_cast<std::uint32_t*>(words.data()), std::uint32_t(words.size())}},
            nullptr};
  }
  static std::vector<std::uint32_t> words_of(std::vector<pack> const& packs)
  {
    std::vector<std::uint32_t> words;
    for (auto const& p : packs) words.insert(words.end(), p.word, p.word + 4);
    return words;
  }
  void expect_equals(block const& other) const
  {
    EXPECT_EQ(index, other.index);
    EXPECT_EQ(words_of(words), words_of(other.words));
    EXPECT_EQ(words_of(rest), words_of(other.rest));
  }

  std::vector<std::uint32_t> index;
  std::vector<pack> words, rest;
};

/// A team of 64 threads makes two tiles.
TEST(huffman_teams, write_the_bytes_that_one_thread_writes)
{
  constexpr int threads = 64, per_lane = 32;
  for (auto const how : {value_mix::normal, value_mix::uniform, value_mix::one_value})
    for (extent const n : {0, 1, 1000, 1024, 1025, 5 * 1024 + 77}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", " + name_of(how));
      auto from         = spread_items<split::bf16>(n, how);
      auto const layout = huffman::layout_of<split::bf16>(n, per_lane);
      huffman::counts often{};
      for (auto const x : from) ++often[std::size_t(split::bf16::symbol(x))];
      auto const codes = huffman::make_encode_table(huffman::limited_lengths(often));

      block expected(layout), made(layout);
      auto const one_thread = expected.program(layout, from, codes.data()).alone();
      std::vector<pack> stage(one_thread.stage_bytes(1) / sizeof(pack) + 1);
      onepass::run_serially(one_thread, onepass::lone_team{reinterpret_cast<char*>(stage.data())});

      auto const program  = made.program(layout, from, codes.data());
      extent const tiles  = program.tiles(threads);
      std::uint64_t state = std::uint64_t(1) << 32;
      std::vector<std::uint64_t> words(std::size_t(tiles), 0);
      onepass::backends::kokkos::shared_board const board{&state, words.data(), tiles};
      on_teams_with<coder, threads>(program.stage_bytes(threads), int(tiles), [&](auto const& team, int) {
        auto const mine = team.draw(board, tiles, tiles);
        onepass::program_tile const t(program, team, mine.index);
        onepass::take_turn(program, t, team, board, mine, tiles, [&](auto const& all) { program.finish(all); });
      });
      made.expect_equals(expected);
    }
}

}  // namespace
