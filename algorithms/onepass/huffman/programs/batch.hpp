// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/programs/decode.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// Many streams as one lane program. Tiles come in groups that share a table, so a stream has whole groups, and some
/// tiles at its end are none.
template <class Split>
struct decode_batch_program {
  using stream = decode_program<Split>;
  using item   = typename stream::item;
  using held   = typename stream::held;

  /// Whose tiles a group has, and the first of them.
  struct group {
    std::uint32_t stream, first;
  };

  static constexpr int table_words = stream::table_words;
  static constexpr bool stages     = stream::stages;

  stream const* streams;
  group const* groups;
  extent count;                       ///< groups
  std::uint32_t longest_tile, slack;  ///< words

  ONEPASS_FUNCTION extent tiles() const { return count * table_group; }
  ONEPASS_FUNCTION std::uint32_t const* table(extent tile) const { return of(tile).pairs; }
  ONEPASS_FUNCTION std::uint32_t staged_words() const { return longest_tile; }
  ONEPASS_FUNCTION std::uint32_t slack_words() const { return slack; }
  ONEPASS_FUNCTION bounded_words words(extent tile) const
  {
    return is_there(tile) ? of(tile).words(own(tile)) : bounded_words{nullptr, 0};
  }

  ONEPASS_FUNCTION held fetch(extent tile, int lane) const
  {
    return of(tile).fetch(own(tile), lane);
  }  // of no tile nothing
  template <class Words>
  ONEPASS_FUNCTION void run(extent tile, int lane, held& h, std::uint32_t const* table, Words const& words) const
  {
    if (is_there(tile)) of(tile).run(own(tile), lane, h, table, words);
  }
  void run_tiles(extent first, extent last) const
  {
    for (extent end; first < last; first = end) {
      end = std::min(last, (first / table_group + 1) * table_group);
      if (is_there(first)) of(first).run_tiles(own(first), std::min(own(first) + (end - first), of(first).tiles()));
    }
  }

private:
  ONEPASS_FUNCTION stream const& of(extent tile) const { return streams[groups[tile / table_group].stream]; }
  /// The tile's number in its stream.
  ONEPASS_FUNCTION extent own(extent tile) const { return groups[tile / table_group].first + tile % table_group; }
  ONEPASS_FUNCTION bool is_there(extent tile) const { return own(tile) < of(tile).tiles(); }
};

}  // namespace onepass::ONEPASS_ABI::huffman
