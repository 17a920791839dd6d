// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/threads.hpp>

#include <algorithm>
#include <atomic>

namespace onepass::ONEPASS_ABI::backends::host {

/// Whether n items are all in order, or all the other way round without equal ones; then they are moved, and there is
/// nothing to sort. runs_on(first, last, down): whether each of the items (first, last] belongs before the one before
/// it, or none does. copy(first, last) moves items to their positions, mirror(first, last) pairs of an item and the one
/// as far from the end. Items that are in neither order mostly show it among the first, at no cost; others by then have
/// been read in vain.
template <class Crew, class RunsOn, class Copy, class Mirror>
bool moved_presorted(Crew const& crew, extent n, RunsOn const& runs_on, Copy const& copy, Mirror const& mirror)
{
  constexpr extent first_ones = 64, piece = 4096;
  if (n < 2) return false;
  bool const down = runs_on(0, 1, true);
  if (!runs_on(1, std::min(n - 1, first_ones), down)) return false;
  std::atomic<bool> mixed{false};
  crew(" (look)", [&](int t) {
    extent const last = part_of(n - 1, t + 1, crew.size);
    for (extent a = part_of(n - 1, t, crew.size); a < last && !mixed.load(std::memory_order_relaxed); a += piece)
      if (!runs_on(a, std::min(a + piece, last), down)) mixed.store(true, std::memory_order_relaxed);
  });
  if (mixed.load(std::memory_order_relaxed)) return false;
  crew(" (move)", [&](int t) {
    if (down) mirror(part_of((n + 1) / 2, t, crew.size), part_of((n + 1) / 2, t + 1, crew.size));
    else copy(part_of(n, t, crew.size), part_of(n, t + 1, crew.size));
  });
  return true;
}

}  // namespace onepass::ONEPASS_ABI::backends::host
