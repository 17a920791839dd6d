// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/scan.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tools {

/// The numbers that a backend runs with.
struct tuned {
  std::string backend;
  std::vector<std::pair<std::string, onepass::extent>> numbers;
};

inline tuned teams(std::string backend, onepass::tuning const& t)
{
  return {std::move(backend),
          {{"threads", t.threads},
           {"packs", t.packs},
           {"min_teams", t.min_teams},
           {"window", t.window},
           {"persistent", t.persistent}}};
}

inline std::vector<tuned> tunings_in_force()
{
  using namespace onepass::backends;
  using host_space = Kokkos::DefaultHostExecutionSpace;
  std::vector<tuned> all{
      {"host", {{"tile_bytes", host::tile_bytes}, {"alone_bytes", host::alone_bytes}}},
      teams(std::string("kokkos on ") + host_space::name(), kokkos::tuning_for<host_space, onepass::measured_tuning>()),
  };
#ifdef ONEPASS_HAS_CUDA
  all.push_back(teams("kokkos on Cuda", kokkos::tuning_for<Kokkos::Cuda, onepass::measured_tuning>()));
  all.push_back(teams("cuda chained, small", cuda::small_tiles::numbers));
  all.push_back(teams("cuda chained, large", cuda::large_tiles::numbers));
  all.push_back(
      {"cuda look-ahead",
       {{"warps", cuda::pipeline::warps}, {"packs", cuda::pipeline::packs}, {"stages", cuda::pipeline::stages}}});
  all.push_back({"cuda from bytes", {{"large", cuda::large_from}, {"look_ahead", cuda::look_ahead_from}}});
#endif
  return all;
}

}  // namespace tools
