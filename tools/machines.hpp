// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "starting.hpp"

#include <onepass/scan.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Every combination of space, backend and schedule of this build that a user can choose; here it is called a machine.
// No other file of tools names KOKKOS_ENABLE_CUDA.
namespace tools {

/// The names by which a row shows its space and schedule. A choosy machine may refuse a program, which then has no row.
struct machine {
  std::string space, schedule;
  bool choosy = false;
};

inline std::string host_name()
{
  std::string name = Kokkos::DefaultHostExecutionSpace::name();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return name;
}

/// Calls visit(name, type_identity<Exec>) for each execution space of this build. All lists below are made from this
/// one, some before Kokkos is initialised, when there are no instances yet.
template <class Visit>
void each_space(Visit const& visit)
{
  visit(host_name(), std::type_identity<Kokkos::DefaultHostExecutionSpace>{});
#ifdef KOKKOS_ENABLE_CUDA
  visit(std::string("cuda"), std::type_identity<Kokkos::Cuda>{});
#endif
}

inline std::vector<std::string> space_names()
{
  std::vector<std::string> names{"serial"};
  each_space([&](std::string const& name, auto) {
    if (name != "serial") names.push_back(name);
  });
  return names;
}

/// A place with the backend made for the space; for the host's threads that is the host backend, whichever space runs
/// them.
template <class Exec>
auto at_own_backend(Exec const& exec)
{
  if constexpr (onepass::on_host<Exec>) return onepass::on(exec).template through<onepass::host_backend>();
  else return onepass::on(exec);
}

/// Calls visit(machine, place) for every backend and schedule, the serial reference first.
template <class Visit>
void each_machine(Visit const& visit)
{
  using onepass::schedule;
  visit(machine{"serial", "serial"}, onepass::serially());
  each_space([&]<class Exec>(std::string const& name, std::type_identity<Exec>) {
    Exec const exec;
    auto const own      = at_own_backend(exec);
    auto const portable = onepass::portably(exec);
    if constexpr (!onepass::on_host<Exec>) {
      visit(machine{name, "automatic"}, own);
      visit(machine{name, "chained"}, own.by(schedule::chained));
      visit(machine{name, "look-ahead", true}, own.by(schedule::look_ahead));
    } else if (name != "serial") visit(machine{name, "tiled"}, own);
    visit(machine{name, "chained, portable"}, portable.by(schedule::chained));
    visit(machine{name, "two-pass, portable"}, portable.by(schedule::two_pass));
  });
}

/// The same for programs that a backend has one way to run: sorts, histograms.
template <class Visit>
void each_backend(Visit const& visit)
{
  visit(machine{"serial", "serial"}, onepass::serially());
  each_space([&]<class Exec>(std::string const& name, std::type_identity<Exec>) {
    Exec const exec;
    if (name != "serial") visit(machine{name, onepass::on_host<Exec> ? "threads" : "automatic"}, at_own_backend(exec));
    visit(machine{name, "portable"}, onepass::portably(exec));
  });
}

/// The same for floats whose bits must agree on every space.
template <class Visit>
void each_canonical(Visit const& visit)
{
  each_space([&]<class Exec>(std::string const& name, std::type_identity<Exec>) {
    visit(machine{name, "canonical"}, onepass::canonically(Exec{}));
  });
}

/// The same for kernels of the user's own, which every execution space runs in one way.
template <class Visit>
void each_user(Visit const& visit)
{
  each_space([&]<class Exec>(std::string const& name, std::type_identity<Exec>) {
    visit(machine{name, "teams"}, onepass::on(Exec{}));
  });
}

/// Calls visit(place) for the space of this name, or for the fastest of this build if it is empty. Starts Kokkos.
template <class Visit>
void with_place(std::string const& space, Visit const& visit)
{
  start_kokkos();
#ifdef KOKKOS_ENABLE_CUDA
  if (space.empty() || space == "cuda") return visit(onepass::on(Kokkos::Cuda{}));
#endif
  if (space == "serial") return visit(onepass::serially());
  visit(onepass::on(Kokkos::DefaultHostExecutionSpace{}));
}

/// Why Kokkos cannot be initialised here; empty if it can.
inline std::string missing_device()
{
#ifdef KOKKOS_ENABLE_CUDA
  int count         = 0;
  auto const status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0)
    return std::string("this onepass was built for CUDA and finds no GPU (") + cudaGetErrorString(status)
           + "); run it where a driver and a GPU are, or build the openmp preset";
#endif
  return {};
}

/// Keeps memory of the host where a GPU copies from and to it at full speed, as long as this lives. Where there is
/// none, or it refuses, nothing happens. Kokkos has been started.
class pinned_memory {
public:
  pinned_memory() = default;
  pinned_memory([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes)
  {
#ifdef KOKKOS_ENABLE_CUDA
    if (cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess) pinned_ = memory;
    else cudaGetLastError();  // or the next call that looks would find it
#endif
  }
  pinned_memory(pinned_memory&& other) noexcept
      : pinned_(std::exchange(other.pinned_, nullptr))
  {}
  pinned_memory& operator=(pinned_memory&& other) noexcept
  {
    std::swap(pinned_, other.pinned_);
    return *this;
  }
  ~pinned_memory()
  {
#ifdef KOKKOS_ENABLE_CUDA
    if (pinned_) cudaHostUnregister(pinned_);
#endif
  }

private:
  void* pinned_ = nullptr;
};

}  // namespace tools
