// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "machines.hpp"

#include <onepass/version.hpp>

#include <nlohmann/json.hpp>

#include <iostream>
#include <sstream>

namespace tools {

namespace {

/// Numbers of the portable backend's teams on a space.
template <class Exec>
nlohmann::json team_tuning()
{
  constexpr auto t = onepass::backends::kokkos::tuning_for<Exec, onepass::measured_tuning>();
  return {{"threads", t.threads},     {"items_per_thread_u32", t.items_per_thread(4)}, {"items_per_thread_u8", t.items_per_thread(1)},
          {"min_teams", t.min_teams}, {"window", t.window},                            {"persistent", t.persistent}};
}

}  // namespace

int info(bool json)
{
  nlohmann::json machines = nlohmann::json::array(), tunings;
  each_machine([&](machine const& m, auto const& place) {
    machines.push_back(m.space + " " + m.schedule);
    using exec = typename std::decay_t<decltype(place)>::execution_space;
    tunings[std::string("kokkos on ") + exec::name()] = team_tuning<exec>();
  });
  tunings["host"] = {{"tile_bytes", onepass::backends::host::tile_bytes}, {"alone_bytes", onepass::backends::host::alone_bytes}};

  std::ostringstream configuration;
  Kokkos::print_configuration(configuration);
  const Kokkos::DefaultExecutionSpace     device;
  const Kokkos::DefaultHostExecutionSpace host;
  const nlohmann::json all{{"version", onepass::version},
                           {"commit", ONEPASS_COMMIT},
                           {"kokkos", KOKKOS_VERSION},
                           {"default_space", {{"name", device.name()}, {"concurrency", device.concurrency()}}},
                           {"host_space", {{"name", host.name()}, {"concurrency", host.concurrency()}}},
                           {"machines", machines},
                           {"tunings", tunings},
                           {"kokkos_configuration", configuration.str()}};
  if (json) {
    std::cout << all.dump(2) << '\n';
    return 0;
  }
  std::cout << "onepass " << onepass::version << ", commit " << ONEPASS_COMMIT << "\n\nmachines (space, schedule)\n";
  for (auto const& m : machines) std::cout << "  " << m.get<std::string>() << '\n';
  std::cout << "\ntunings in force\n";
  for (auto const& [name, numbers] : tunings.items()) {
    std::cout << "  " << name << ':';
    for (auto const& [key, value] : numbers.items()) std::cout << ' ' << key << '=' << value;
    std::cout << '\n';
  }
  std::cout << "\nKokkos " << KOKKOS_VERSION / 10000 << '.' << KOKKOS_VERSION / 100 % 100 << '.' << KOKKOS_VERSION % 100 << '\n'
            << configuration.str();
  return 0;
}

}  // namespace tools
