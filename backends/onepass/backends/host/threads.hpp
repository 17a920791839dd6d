// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/any_call.hpp>
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/crowd.hpp>
#include <onepass/execution/place.hpp>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace onepass::ONEPASS_ABI::backends::host {

/// How many parallel regions the calling thread is inside of: kernels, or a user's own.
inline int regions_around()
{
#if defined(_OPENMP)
  return omp_get_level();
#else
  return 0;
#endif
}

/// Whether the calling thread runs a kernel already, and can not begin another on this instance: Kokkos would refuse
/// it, or wait for the first. Where nested parallelism is on, a thread inside of a parallel region may begin one on
/// any instance but the default one: the region is a user's own, or another instance's kernel.
template <class Exec>
bool inside_kernel([[maybe_unused]] Exec const& space)
{
#if defined(_OPENMP)
  int const level = regions_around();
  return level > 0 && (level > 1 || omp_get_max_active_levels() <= 1 || space == Exec());
#else
  return false;
#endif
}

/// How many threads of the space a call has.
template <class Exec>
extent threads_of(Exec const& space)
{
  return inside_kernel(space) ? 1 : extent(space.concurrency());
}

/// The same for work of so many bytes: one thread for fewer than `alone_below`, and where the machine is crowded. An
/// `alone_below` of 0 asks for all of them always.
template <class Exec>
extent threads_for(Exec const& space, extent bytes, extent alone_below)
{
  extent const all = threads_of(space);
  if (alone_below == 0 || all == 1) return all;
  return bytes < alone_below || crowd::here().keeps_alone(bytes) ? 1 : all;
}

/// The same for tiles of lane and tile programs, taken as a page of memory each.
template <class Tuning, class Exec>
extent threads_for_tiles(Exec const& space, extent tiles)
{
  constexpr extent page = 4096;
  return threads_for(space, tiles * page, alone_below_tiles<Tuning>() * page);
}

/// Calls worker(0) ... worker(threads - 1), each by a thread; returns when all are done.
template <class Exec>
void call_on_threads(std::string const& label, Exec const& space, extent threads, any_call<int> worker)
{
  crowd::watch watch;
  int const calls = calls_around;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(space, 0, int(threads)),
                       [&](int t) {
                         inside_call const here(calls);
                         auto const began = watch.begins();
                         worker(t);
                         watch.ends(t, began);
                       });
  if constexpr (!runs_at_once<Exec>) space.fence("onepass: threads have what is the call's");
}

/// The same; a single one is the calling thread, without a parallel region.
template <class Exec, class Worker>
void on_threads(std::string const& label, Exec const& space, extent threads, Worker const& worker)
{
  if (threads == 1) return worker(0);
  call_on_threads(label, space, threads, any_call<int>(worker));
}

/// The threads that work on the same items: all of a space, or the calling one alone.
template <class Exec>
struct all_threads {
  Exec const& space;
  std::string const& label;
  int size;
  template <class Work>
  void operator()(char const* what, Work const& work) const
  {
    on_threads(label + what, space, size, work);
  }
};
struct this_thread {
  static constexpr int size = 1;
  template <class Work>
  void operator()(char const*, Work const& work) const
  {
    work(0);
  }
};

/// Where the part of a thread begins, of n.
inline extent part_of(extent n, int thread, int threads)
{
  return n / threads * thread + n % threads * thread / threads;
}

/// A body that does all of [first, last) at once, by one thread: alone(first, last).
template <class Body>
concept does_many = requires(Body const body, extent i)
{
  body.alone(i, i);
};
template <class Body>
void do_all(Body const& body, extent first, extent last)
{
  if constexpr (does_many<Body>) body.alone(first, last);
  else
    for (; first < last; ++first) body(first);
}

/// Calls body(i) for every i below n, by so many threads at most, each for its part.
template <class Exec, class Body>
void each(std::string const& label, Exec const& space, extent threads, extent n, Body const& body)
{
  if (n == 0) return;
  int const parts = int(std::min(threads, n));
  on_threads(label, space, parts, [&](int t) { do_all(body, part_of(n, t, parts), part_of(n, t + 1, parts)); });
}

/// The same, but the threads take turns.
template <class Exec, class Body>
void each_in_turn(std::string const& label, Exec const& space, extent threads, extent n, Body const& body)
{
  if (n == 0) return;
  int const all = int(std::min(threads, n));
  on_threads(label, space, all, [&](int t) {
    for (extent i = t; i < n; i += all) body(i);
  });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
