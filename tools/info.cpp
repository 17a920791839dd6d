// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "commit.hpp"
#include "machines.hpp"
#include "print.hpp"
#include "ranks/over_ranks.hpp"

#include <onepass/tunings.hpp>
#include <onepass/version.hpp>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <sstream>

namespace tools {

namespace {

void print(nlohmann::json const& all)
{
  std::cout << "onepass " << all["version"].get<std::string>() << ", commit " << all["commit"].get<std::string>()
            << "\n\nmachines (space: schedule)\n";
  for (auto const& m : all["machines"]) std::cout << "  " << m.get<std::string>() << '\n';
  std::cout << "\nranks\n  " << all["ranks"].get<std::string>() << "\n\ntunings in force\n";
  for (auto const& [backend, kinds] : all["tunings"].items()) {
    std::cout << "  " << backend << '\n';
    for (auto const& [kind, numbers] : kinds.items()) {
      std::cout << "    " << kind << ':';
      for (auto const& [name, value] : numbers.items()) std::cout << ' ' << name << '=' << value;
      std::cout << '\n';
    }
  }
  std::cout << '\n' << all["kokkos_configuration"].get<std::string>();
}

}  // namespace

int info(bool json)
{
  start_kokkos();
  auto machines = nlohmann::json::array();
  each_machine([&](machine const& m, auto const&) { machines.push_back(m.space + ": " + m.schedule); });
  nlohmann::json tunings;
  onepass::each_tuning([&](std::string const& backend, char const* kind, auto const& numbers) {
    numbers.each([&](char const* name, auto value) { tunings[backend][kind][name] = value; });
  });
  std::ostringstream configuration;
  Kokkos::print_configuration(configuration);

  Kokkos::DefaultExecutionSpace const space;
  nlohmann::json const all{
      {"version", onepass::version}, {"commit", build::commit()},
      {"kokkos", KOKKOS_VERSION},    {"default_space", {{"name", space.name()}, {"concurrency", space.concurrency()}}},
      {"machines", machines},        {"ranks", over_ranks()},
      {"tunings", tunings},          {"kokkos_configuration", configuration.str()}};
  if (json) print(std::cout, all, 2);
  else print(all);
  return 0;
}

CLI::App const* add_info(CLI::App& app, bool& json)
{
  auto& command = *app.add_subcommand("info", "Print version, Kokkos configuration, devices, backends and tunings");
  command.add_flag("--json", json, "Print JSON");
  return &command;
}

}  // namespace tools
