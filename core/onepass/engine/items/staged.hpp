// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>

namespace onepass::ONEPASS_ABI {

/// Bytes that the items of a tile take in memory, where each array has `behind` bytes before it.
template <class Sequence>
struct array_bytes {
  ONEPASS_FUNCTION static constexpr std::size_t of(int items, int behind)
  {
    return (std::size_t(behind) + std::size_t(items) * sizeof(typename Sequence::value_type) + 127) / 128 * 128;
  }
};

/// The items of a tile in `memory`, which is aligned to at least 16 bytes. The `Behind` bytes before the items are for
/// items that precede the tile.
template <class Sequence, int Items, int Behind = 0>
struct staged {
  using item = typename Sequence::value_type;

  /// N of the items in registers, and how they are loaded.
  template <int N>
  struct registers : register_items<item, N> {
    ONEPASS_FUNCTION void load(staged const& from, int i) { register_items<item, N>::load(from.data() + i); }
  };

  char* memory;

  ONEPASS_FUNCTION item* data() const { return reinterpret_cast<item*>(memory + Behind); }
  ONEPASS_FUNCTION item operator()(int i) const { return data()[i]; }

  /// Copies `valid` items of the sequence, from item `first` on, to the stage, by the whole team; coalesced, or
  /// as the sequence itself does it.
  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, Sequence const& from, extent first, int valid) const
  {
    if constexpr (is_contiguous<Sequence>::value) {
      auto* const source = reinterpret_cast<char const*>(from.data + first);
      auto* const to     = reinterpret_cast<char*>(data());
      int const bytes    = valid * int(sizeof(item));
      if (in_packs(from, first)) {
        copy_packs<div_up(Items * int(sizeof(item)), 16)>(team, reinterpret_cast<pack const*>(source),
                                                          reinterpret_cast<pack*>(to), bytes / 16);
        copy_ends(team, source, to, 0, bytes / 16 * 16, bytes);
        return;
      }
      if constexpr (copied_as_bytes<item>) return copy_bytes(team, source, to, bytes);
    }
    if constexpr (requires { from.template stage_in<Items>(team, data(), first, valid); })
      from.template stage_in<Items>(team, data(), first, valid);
    else
      for (int i = team.rank(); i < valid; i += Team::threads) data()[i] = from(first + i);
  }

  /// Calls f(sequence, its array) for each array.
  template <class F>
  ONEPASS_FUNCTION void each_array(Sequence const& from, F const& f) const
  {
    f(from, *this);
  }
};

}  // namespace onepass::ONEPASS_ABI
