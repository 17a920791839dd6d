// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/schedule.hpp>
#include <onepass/execution/tuning.hpp>
#include <onepass/execution/workspace.hpp>

#include <string>
#include <string_view>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

// The tag of a backend is in the backend's namespace, so that argument-dependent lookup with a place of that backend
// finds the functions there.
namespace backends::serial {
struct backend {};
}  // namespace backends::serial
namespace backends::host {
struct backend {};
}  // namespace backends::host
namespace backends::kokkos {
struct backend {};
}  // namespace backends::kokkos
namespace backends::cuda {
struct backend {};
}  // namespace backends::cuda

/// The backends. `automatic_backend` is the fastest that serves the execution space.
struct automatic_backend {};
using serial_backend = backends::serial::backend;  ///< the calling thread
using host_backend   = backends::host::backend;    ///< cache-sized tiles on host threads
using kokkos_backend = backends::kokkos::backend;  ///< team policies: any Kokkos execution space
using cuda_backend   = backends::cuda::backend;    ///< CUDA's own instructions

/// Where and how a call runs; other libraries call this an execution policy. Every algorithm takes an execution space
/// instance or a place:
///
///   auto scratch = onepass::workspace(exec);
///   onepass::exclusive_scan(onepass::on(exec).with(scratch).named("offsets"), in, out);
template <class Exec, class Backend = automatic_backend, class Tuning = measured_tuning>
struct place {
  using execution_space = Exec;
  using backend         = Backend;
  using tuning          = Tuning;

  Exec space{};
  std::string label{};
  workspace<Exec>* scratch = nullptr;
  schedule chosen          = schedule::automatic;
  int anchor               = 1;
  bool looks               = false;

  place with(workspace<Exec>& w) const
  {
    auto p    = *this;
    p.scratch = &w;
    return p;
  }
  place named(std::string name) const
  {
    auto p  = *this;
    p.label = std::move(name);
    return p;
  }
  /// For a part of a call: its label is followed by `what`.
  place step(char const* what) const { return named(label + what); }
  /// Keeps an existing label; one of the library's own begins with its name.
  place or_named(char const* name) const
  {
    auto p = *this;
    p.name_if_nameless(name);
    return p;
  }
  void name_if_nameless(char const* name)
  {
    if (label.empty()) label = std::string("onepass::") + name;
  }
  place by(schedule s) const
  {
    auto p   = *this;
    p.chosen = s;
    return p;
  }

  /// Checks argument values on the device, for example offsets, before anything is queued, and throws if they are
  /// wrong. The call then waits for the device.
  place checked() const
  {
    auto p  = *this;
    p.looks = true;
    return p;
  }

  /// For tests: only every `every`-th tile publishes an inclusive prefix, so that tiles look far back.
  place reluctantly(int every = 8) const
  {
    auto p   = *this;
    p.anchor = every;
    return p;
  }

  template <class Other>
  place<Exec, Other, Tuning> through() const
  {
    return {space, label, scratch, chosen, anchor, looks};
  }
  template <class Other>
  place<Exec, Backend, Other> tuned() const
  {
    return {space, label, scratch, chosen, anchor, looks};
  }
};

template <class T>
struct is_place : std::false_type {};
template <class E, class B, class T>
struct is_place<place<E, B, T>> : std::true_type {};

/// An execution space instance, or a place made by on().
template <class W>
concept place_like = Kokkos::is_execution_space_v<W> || is_place<W>::value;

template <class Exec>
  requires(Kokkos::is_execution_space_v<Exec>)
place<Exec> on(Exec const& exec) { return {exec}; }

template <class E, class B, class T>
place<E, B, T> const& on(place<E, B, T> const& p)
{
  return p;
}

/// On the calling thread, in order: the reference that every other backend and schedule is tested against.
inline auto serially() { return on(Kokkos::DefaultHostExecutionSpace{}).through<serial_backend>(); }

/// By Kokkos' teams and atomics only, even if a faster backend exists.
template <class Exec>
auto portably(Exec const& exec)
{
  return on(exec).template through<kokkos_backend>();
}

/// By one expression tree that depends only on the number and types of the items (docs/canonical.md): floats too get
/// the same bits on every space, with any number of threads, by whatever schedule. Compilers whose results are to agree
/// must not contract the operator, or a transform, differently (a * b + c into one fused operation).
template <class Exec>
auto canonically(Exec const& exec)
{
  return on(exec).template tuned<canonical_tuning>();
}

/// Whether a team of this space that has begun keeps making progress while others wait for it. Host threads do; the
/// devices that promise it are named in backends/select.hpp. Without it the kokkos backend takes two passes.
template <class Exec>
inline constexpr bool teams_progress = on_host<Exec>;

template <place_like Where>
using place_of = std::remove_cvref_t<decltype(on(std::declval<Where const&>()))>;

template <place_like Where>
using space_of = typename place_of<Where>::execution_space;

template <place_like Where>
using tuning_of = typename place_of<Where>::tuning;

/// What a call at a place holds of an object of its caller. A copy of one that holds Views counts their owners, so it
/// is a reference where the call ends before it returns.
template <place_like Where, class T>
using held_at = std::conditional_t<runs_at_once<space_of<Where>>, T const&, T>;

// What a place says, or a space stands for, without a copy of the instance: one takes as long as a hundred items.

template <place_like Where>
space_of<Where> const& instance_of(Where const& where)
{
  if constexpr (is_place<Where>::value) return where.space;
  else return where;
}

template <place_like Where>
schedule schedule_of([[maybe_unused]] Where const& where)
{
  if constexpr (is_place<Where>::value) return where.chosen;
  else return schedule::automatic;
}

template <place_like Where>
std::string_view label_of([[maybe_unused]] Where const& where)
{
  if constexpr (is_place<Where>::value) return where.label;
  else return {};
}

/// Whether calls here look at argument values on the device before they queue anything.
template <place_like Where>
bool is_checked([[maybe_unused]] Where const& where)
{
  if constexpr (is_place<Where>::value) return where.looks;
  else return false;
}

/// Whether a call here reads its items twice.
template <place_like Where>
bool takes_two_passes(Where const& where)
{
  auto const chosen = schedule_of(where);
  return chosen == schedule::two_pass
         || (chosen == schedule::automatic && !teams_progress<space_of<Where>>);  // served by the kokkos backend
}

}  // namespace onepass::ONEPASS_ABI
