// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fingerprint.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onepass::trace {

/// The second word of a record's head: its kind, and 24 bits that check it and the length, so that a wrong length is
/// not taken for the end of a file that was cut off.
inline u32 checked_kind(u32 bytes, u32 kind)
{
  return kind | u32(XXH3_64bits_withSeed(&bytes, sizeof bytes, kind)) << 8;
}

/// Of a record of a run file.
inline u64 checksum(void const* payload, std::size_t bytes, u32 kind)
{
  return XXH3_64bits_withSeed(payload, bytes, kind);
}

}  // namespace onepass::trace
