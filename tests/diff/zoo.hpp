// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <unistd.h>
#include <vector>

namespace zoo {

/// What a small program runs on, and whether it has its defect. A run on one thread or in Kokkos::Serial is the one
/// that is right; on any other, a planted defect shows.
template <class Exec>
struct world {
  using exec   = Exec;
  using memory = typename Exec::memory_space;
  bool planted;
  bool alone = Exec().concurrency() == 1;

  /// Code that is wrong on one backend alone, as what a compiler or a library makes of it is.
  bool wrong_here() const { return planted && !alone; }
  int threads() const { return Exec().concurrency(); }
};

template <class T, class W>
using items = Kokkos::View<T*, typename W::memory>;

/// Calls f for every item. On host threads each has one share of neighbours: by itself Kokkos gives them turns of few
/// items with some compilers, and what the animals wait for would be behind them on the same thread.
template <class W, class F>
void each(W const& w, char const* name, int n, F const& f)
{
  using exec = typename W::exec;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename W::memory>::accessible)
    Kokkos::parallel_for(name, Kokkos::RangePolicy<exec>(0, n, Kokkos::ChunkSize((n + w.threads() - 1) / w.threads())),
                         f);
  else Kokkos::parallel_for(name, Kokkos::RangePolicy<exec>(0, n), f);
}

/// A number that looks random and depends on i alone.
KOKKOS_INLINE_FUNCTION std::uint32_t dice(std::uint32_t i)
{
  i = (i ^ 61) ^ (i >> 16);
  i *= 9;
  i ^= i >> 4;
  i *= 0x27d4eb2d;
  return i ^ (i >> 15);
}
template <class T>
KOKKOS_INLINE_FUNCTION T noise(int i)
{
  return T(dice(std::uint32_t(i)) % 100003) / T(997) - T(40);
}

/// Waits until another thread has made the flag at least `least`, so that a race shows on a crowded machine as well;
/// gives up after some seconds. One thread alone does not wait.
template <class T>
KOKKOS_INLINE_FUNCTION void wait_for(T const& flag, T least, bool alone)
{
  for (long i = 0; !alone && i < 1000000 && Kokkos::atomic_load(&flag) < least; ++i) {
    KOKKOS_IF_ON_HOST((usleep(100); i += 9;))  // a core is given up for a while, not offered
  }
}

template <class T, class W>
items<T, W> noises(W const& w, char const* label, int n)
{
  items<T, W> const x(std::string(label), n);
  each(
      w, "make noise", n, KOKKOS_LAMBDA(int i) { x(i) = noise<T>(i); });
  return x;
}

/// A program of the zoo. `kernel` and `view` are where the defect shows first.
template <class Exec>
struct animal {
  char const *name, *kernel, *view;
  void (*run)(world<Exec> const&);
};

template <class Exec>
std::vector<animal<Exec>> races();
template <class Exec>
std::vector<animal<Exec>> reductions();
template <class Exec>
std::vector<animal<Exec>> memories();
template <class Exec>
std::vector<animal<Exec>> arithmetic();

}  // namespace zoo
