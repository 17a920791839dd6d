// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/huffman.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// \defgroup huffman_tile Decoding inside a kernel
/// Weights go from their coded form straight into the arithmetic that wants them, inside a kernel of your own
/// (examples/decode_tile.cpp):
///
///     auto const weights = onepass::huffman::make_tile_decoder<split::bf16>(book, coded);   // capture it
///     ...
///     auto const table = weights.load_table(team, memory);   // once a team, into weights.table_bytes() of its memory
///     weights.decode_tile(tile, lane, table, [&](extent i, std::uint16_t bits) { ... });
///
/// A tile has 32 lanes, of which none depends on another: the threads of a warp, ThreadVectorRange(team, 32), or one
/// thread in a loop. Decoding needs no barrier and no memory; any CUDA kernel and any kernel of Kokkos may do it.
/// \{

/// A coded block as a kernel sees it. Trivially copyable; the Views of the block must outlive the kernel.
template <class Split>
class tile_decoder {
public:
  using item = typename Split::item;  ///< what is decoded

  // Functions, since Kokkos takes such numbers by reference, and a device has no constant to refer to.
  /// Lanes of a tile.
  ONEPASS_FUNCTION static constexpr int lanes() { return tile_lanes; }
  /// Bytes of the table that decoding looks up.
  ONEPASS_FUNCTION static constexpr std::size_t table_bytes() { return windows * sizeof(std::uint32_t); }

  /// For make_tile_decoder().
  explicit tile_decoder(decode_program<Split> const& program)
      : program_(program)
  {}

  /// Items of the block.
  ONEPASS_FUNCTION extent items() const { return program_.layout.items; }
  /// Tiles of the block.
  ONEPASS_FUNCTION extent tiles() const { return program_.tiles(); }
  /// Items of each tile but the last, which has what is left: tile t has those from t tile_items() on.
  ONEPASS_FUNCTION extent tile_items() const { return program_.layout.tile_items(); }

  /// What decoding looks up; a copy in a team's memory is faster.
  ONEPASS_FUNCTION std::uint32_t const* table() const { return program_.pairs; }

  /// Copies the table to `memory` (table_bytes(), aligned to 16 bytes) by all threads of a Kokkos team, then a barrier.
  template <class Team>
  ONEPASS_FUNCTION std::uint32_t const* load_table(Team const& team, void* memory) const
  {
    auto* const to = static_cast<pack*>(memory);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, windows / 4),
                         [&](int p) { to[p] = reinterpret_cast<pack const*>(table())[p]; });
    team.team_barrier();
    return static_cast<std::uint32_t const*>(memory);
  }

  /// use(i, bits of item i) for the items of one lane of a tile, in ascending order. `table` is table() or a copy of
  /// it. Reads the tile's words and the rest of these items once.
  template <class Use>
  ONEPASS_FUNCTION void decode_tile(extent tile, int lane, std::uint32_t const* table, Use const& use) const
  {
    constexpr int per_word = 4 / int(sizeof(item)), bits = 8 * int(sizeof(item));
    auto held = program_.fetch(tile, lane);
    program_.each_unit(tile, lane, held, table, program_.words(tile),
                       [&](int row, int present, std::uint32_t const* words) {
                         extent const first = program_.layout.at(tile, row, lane);
                         ONEPASS_UNROLL for (int k = 0; k < Split::unit; ++k) if (k < present)
                             use(first + k, item(words[k / per_word] >> k % per_word * bits));
                       });
  }

private:
  decode_program<Split> program_;
};

/// The decoder of a coded block, with its codebook; both must outlive the kernels that use it. Neither allocates nor
/// waits. Throws precondition_error if the block's parts do not fit each other.
template <class Split, class Exec>
tile_decoder<Split> make_tile_decoder(tables<Exec> const& book, coded<Exec> const& in)
{
  return tile_decoder<Split>(detail::decoder<Split>("huffman::make_tile_decoder", book, in));
}

/// \}

}  // namespace onepass::ONEPASS_ABI::huffman
