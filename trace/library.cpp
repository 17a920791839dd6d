// SPDX-License-Identifier: Apache-2.0
//
// What Kokkos calls (KOKKOS_TOOLS_LIBS=libonepass_trace.so). The names and types are those of Kokkos' tools interface,
// which programs built with any Kokkos from 4.7 on look up when they start.
#include <onepass/trace/tracer.hpp>

#include <atomic>
#include <cstdio>
#include <memory>
#include <pthread.h>

using onepass::trace::happened;
using onepass::trace::tracer;

namespace {

std::unique_ptr<tracer> current;
std::atomic<bool> ended = false;  ///< by an error; other threads may still be inside of the tracer

struct space_handle {
  char name[64];
};
struct tool_settings {
  bool requires_global_fencing;
  bool padding[255];
};

/// Calls f with the tracer. What goes wrong ends the trace with one sentence; the program goes on.
template <class F>
void with_tracer(F const& f)
{
  if (!current || ended) return;
  try {
    f(*current);
  } catch (std::exception const& e) {
    if (!ended.exchange(true)) std::fprintf(stderr, "onepass trace: the trace ends here: %s\n", e.what());
  }
}

/// A child that the program forks is not traced. Its tracer is not destroyed either, which would wait for threads that
/// only the parent has.
void leave_to_parent()
{
  static tracer* parents = nullptr;
  if (!current) return;
  parents = current.release();
  parents->leave();
}

void begin(happened kind, char const* name, std::uint32_t device, std::uint64_t* id)
{
  *id = 0;
  with_tracer([&](tracer& t) { *id = t.begin(kind, name, device); });
}
void end(std::uint64_t id)
{
  with_tracer([&](tracer& t) { t.end(id); });
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*)
{
  try {
    current                                   = std::make_unique<tracer>(onepass::trace::asked_for());
    [[maybe_unused]] static int const watched = pthread_atfork(nullptr, nullptr, leave_to_parent);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "onepass trace: %s; the program runs without being traced\n", e.what());
  }
}
void kokkosp_finalize_library()
{
  with_tracer([](tracer& t) { t.finish(); });
  current.reset();
}
/// Kokkos fences all devices before each call, so that a View holds what the kernel has left.
void kokkosp_request_tool_settings(std::uint32_t, tool_settings* settings) { settings->requires_global_fencing = true; }

void kokkosp_begin_parallel_for(char const* name, std::uint32_t device, std::uint64_t* id)
{
  begin(happened::for_each, name, device, id);
}
void kokkosp_begin_parallel_reduce(char const* name, std::uint32_t device, std::uint64_t* id)
{
  begin(happened::reduce, name, device, id);
}
void kokkosp_begin_parallel_scan(char const* name, std::uint32_t device, std::uint64_t* id)
{
  begin(happened::scan, name, device, id);
}
void kokkosp_end_parallel_for(std::uint64_t id) { end(id); }
void kokkosp_end_parallel_reduce(std::uint64_t id) { end(id); }
void kokkosp_end_parallel_scan(std::uint64_t id) { end(id); }

void kokkosp_allocate_data(space_handle space, char const* label, void* at, std::uint64_t bytes)
{
  with_tracer([&](tracer& t) { t.allocated(space.name, label, at, bytes); });
}
void kokkosp_deallocate_data(space_handle, char const*, void* at, std::uint64_t)
{
  with_tracer([&](tracer& t) { t.freed(at); });
}
void kokkosp_begin_deep_copy(space_handle, char const* to, void const*, space_handle, char const* from, void const*,
                             std::uint64_t)
{
  with_tracer([&](tracer& t) { t.begin_copy(to, from); });
}
void kokkosp_end_deep_copy()
{
  with_tracer([](tracer& t) { t.end_copy(); });
}
#pragma GCC visibility pop
}
