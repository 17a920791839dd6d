// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/select.hpp>

#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/execution/cell_tuning.hpp>

#include <string>

namespace onepass::ONEPASS_ABI {

/// Calls f(backend, kind of program, numbers) for all the numbers that this build uses; numbers.each(g) calls g(name,
/// number).
template <class F>
void each_tuning(F const& f)
{
  using host_space   = Kokkos::DefaultHostExecutionSpace;
  using device_space = Kokkos::DefaultExecutionSpace;
  auto const of      = [&](std::string backend) {
    return [&f, backend = std::move(backend)](char const* kind, auto const& numbers) { f(backend, kind, numbers); };
  };
  backends::host::each_tuning(of("host"));
  f("host", "cells", cell_tuning_for<measured_tuning>());
  backends::kokkos::each_tuning<host_space>(of(std::string("kokkos on ") + host_space::name()));
  if constexpr (!on_host<device_space>)
    backends::kokkos::each_tuning<device_space>(of(std::string("kokkos on ") + device_space::name()));
#ifdef ONEPASS_HAS_CUDA
  backends::cuda::each_tuning(of("cuda"));
  f("cuda", "cells, by runs", run_tuning_for<measured_tuning>());
  f("cuda", "rows, by records", record_tuning_for<measured_tuning>());
#endif
}

}  // namespace onepass::ONEPASS_ABI
