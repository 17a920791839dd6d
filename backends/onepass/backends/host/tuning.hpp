// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>
#include <onepass/engine/tuning.hpp>

#include <algorithm>
#include <type_traits>

namespace onepass::backends::host {

/// Bytes of a tile: a quarter of a second-level cache, which also holds the next tile.
inline constexpr extent tile_bytes = 256 * 1024;

/// Inputs of fewer bytes stay on the calling thread: waking the others costs more than they save.
inline constexpr extent alone_bytes = 512 * 1024;

/// Strips of a tile that go side by side, since a chain of combinations leaves a core idle most of the time.
inline constexpr int strips = 4;

/// Items of a strip that are computed into the first-level cache and then written together.
template <class Output>
constexpr extent piece_items = std::max<extent>(1024 / extent(sizeof(Output)), 16);

template <class Program, class Tuning>
constexpr extent tile_items()
{
  if constexpr (std::is_same_v<Tuning, tiny_tuning>) return 7;
  else return tile_bytes / extent(bytes_per_item<Program>);
}

}  // namespace onepass::backends::host
