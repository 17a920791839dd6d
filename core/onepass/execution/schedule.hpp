// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

namespace onepass::ONEPASS_ABI {

/// How a backend goes through the tiles of a call. Every schedule gives the same integers; which one a backend offers,
/// and why its waits end, is in docs/architecture.md.
enum class schedule {
  automatic,   ///< the backend chooses by size and program
  serial,      ///< one tile after another on the calling thread
  chained,     ///< one team per tile, decoupled look-back: each item read once
  look_ahead,  ///< persistent warp-specialised blocks, aggregates only (CUDA, sm_90 and later): each item read once
  two_pass,    ///< reduce, spine, scan: no tile waits for another; each item read twice
  tiled        ///< cache-sized tiles, reduced and then scanned from cache (host): each item read from memory once
};

constexpr char const* name_of(schedule s)
{
  switch (s) {
  case schedule::automatic:
    return "automatic";
  case schedule::serial:
    return "serial";
  case schedule::chained:
    return "chained";
  case schedule::look_ahead:
    return "look-ahead";
  case schedule::two_pass:
    return "two-pass";
  case schedule::tiled:
    return "tiled";
  }
  return "unknown";
}

}  // namespace onepass::ONEPASS_ABI
