// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/tuning.hpp>

#include <type_traits>

namespace onepass::host {

/// Bytes a tile reads and writes: a quarter of a second-level cache, which also holds the next tile.
inline constexpr extent tile_bytes = 256 * 1024;

/// Inputs of fewer bytes stay on the calling thread: waking the others costs more than they save.
inline constexpr extent alone_bytes = 256 * 1024;

template <class Item, class Tuning>
constexpr extent tile_items = std::is_same_v<Tuning, tiny_tuning> ? 7 : tile_bytes / extent(sizeof(Item));

}  // namespace onepass::host
