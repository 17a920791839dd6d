// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// to[first, first + count) = list[at, at + count), where the list may begin anywhere in a word.
template <int Squad, class Item, class Sequence>
__device__ void copy_shifted(Item const* list, int at, Sequence const& to, extent first, int count, int rank)
{
  if (count <= 0) return;
  constexpr int per_pack = 16 / int(sizeof(Item));
  packed_stretch<Item> const cut(int(reinterpret_cast<std::uintptr_t>(to.data + first) % 16 / sizeof(Item)), count);
  if (lies_across<pack>(to.data + first + cut.head)) {
    for (int k = rank; k < count; k += Squad) to(first + k) = list[at + k];
    return;
  }
  int const bytes   = (at + cut.head) * int(sizeof(Item));
  auto const words  = reinterpret_cast<std::uint32_t const*>(list) + bytes / 4;
  auto* const packs = reinterpret_cast<pack*>(to.data + first + cut.head);
#pragma unroll 1
  for (int p = rank; p < cut.body / per_pack; p += Squad) {  // not unrolled: registers are scarce here
    std::uint32_t w[5];
#pragma unroll
    for (int j = 0; j < 5; ++j) w[j] = words[4 * p + j];
    pack made;
#pragma unroll
    for (int j = 0; j < 4; ++j) made.word[j] = __funnelshift_r(w[j], w[j + 1], bytes % 4 * 8);
    packs[p] = made;
  }
  if (rank < cut.head) to(first + rank) = list[at + rank];
  if (int const tail = cut.head + cut.body + rank; tail < count) to(first + tail) = list[at + tail];
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
