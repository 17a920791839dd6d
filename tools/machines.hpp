// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/scan.hpp>

#include <algorithm>
#include <string>
#include <vector>

// Every space and schedule of this build. The only file of the tools that names KOKKOS_ENABLE_CUDA.
namespace tools {

/// A row's space and schedule. A choosy machine may refuse a program: then there is no row.
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

inline std::vector<std::string> space_names()
{
  std::vector<std::string> names{"serial"};
  if (host_name() != "serial") names.push_back(host_name());
#ifdef KOKKOS_ENABLE_CUDA
  names.push_back("cuda");
#endif
  return names;
}

/// Calls visit(machine, place) for each of them, the serial reference first.
template <class Visit>
void each_machine(Visit const& visit)
{
  using onepass::schedule;
  visit(machine{"serial", "serial"}, onepass::serially());

  Kokkos::DefaultHostExecutionSpace const host;
  if (host_name() != "serial") visit(machine{host_name(), "tiled"}, onepass::on(host).through<onepass::host_backend>());
  visit(machine{host_name(), "chained, portable"}, onepass::portably(host).by(schedule::chained));
  visit(machine{host_name(), "two-pass, portable"}, onepass::portably(host).by(schedule::two_pass));

#ifdef KOKKOS_ENABLE_CUDA
  Kokkos::Cuda const cuda;
  visit(machine{"cuda", "automatic"}, onepass::on(cuda));
  visit(machine{"cuda", "chained"}, onepass::on(cuda).by(schedule::chained));
  visit(machine{"cuda", "look-ahead", true}, onepass::on(cuda).by(schedule::look_ahead));
  visit(machine{"cuda", "chained, portable"}, onepass::portably(cuda).by(schedule::chained));
  visit(machine{"cuda", "two-pass, portable"}, onepass::portably(cuda).by(schedule::two_pass));
#endif
}

/// The same for programs that each backend runs in one way: sorts, histograms.
template <class Visit>
void each_backend(Visit const& visit)
{
  visit(machine{"serial", "serial"}, onepass::serially());

  Kokkos::DefaultHostExecutionSpace const host;
  if (host_name() != "serial")
    visit(machine{host_name(), "threads"}, onepass::on(host).through<onepass::host_backend>());
  visit(machine{host_name(), "portable"}, onepass::portably(host));

#ifdef KOKKOS_ENABLE_CUDA
  Kokkos::Cuda const cuda;
  visit(machine{"cuda", "automatic"}, onepass::on(cuda));
  visit(machine{"cuda", "portable"}, onepass::portably(cuda));
#endif
}

/// The same for floats that are to have the same bits on every space.
template <class Visit>
void each_canonical(Visit const& visit)
{
  visit(machine{host_name(), "canonical"}, onepass::canonically(Kokkos::DefaultHostExecutionSpace{}));
#ifdef KOKKOS_ENABLE_CUDA
  visit(machine{"cuda", "canonical"}, onepass::canonically(Kokkos::Cuda{}));
#endif
}

/// The same for kernels of one's own, which every execution space runs in one way.
template <class Visit>
void each_space(Visit const& visit)
{
  visit(machine{host_name(), "teams"}, onepass::on(Kokkos::DefaultHostExecutionSpace{}));
#ifdef KOKKOS_ENABLE_CUDA
  visit(machine{"cuda", "teams"}, onepass::on(Kokkos::Cuda{}));
#endif
}

/// Calls visit(place) for the space of this name, for the fastest of this build if it is empty.
template <class Visit>
void with_place(std::string const& space, Visit const& visit)
{
#ifdef KOKKOS_ENABLE_CUDA
  if (space.empty() || space == "cuda") return visit(onepass::on(Kokkos::Cuda{}));
#endif
  if (space == "serial") return visit(onepass::serially());
  visit(onepass::on(Kokkos::DefaultHostExecutionSpace{}));
}

/// Why Kokkos cannot start here; empty if it can.
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

}  // namespace tools
