// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "machines.hpp"
#include "session.hpp"

#include <onepass/version.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
  tools::request asked;
  CLI::App       app{"Single-pass scan primitives and entropy coding, checked against each other.", "onepass"};
  app.set_version_flag("--version", onepass::version);
  app.require_subcommand(1);
  app.footer("Exit code: 0 if all is well, 1 if a result differs, 2 if the command cannot be carried out.");

  auto& check = *app.add_subcommand("check", "Run every primitive on every space and schedule, on items made of a file, and compare");
  check.add_option("FILE", asked.file, "Any file: its bytes are the items")->required();
  check.add_option("--type", asked.types, "Item types; the default leaves out a remainder that fills no item")
      ->delimiter(',')->check(CLI::IsMember(tools::names_of(tools::item_types{})))->capture_default_str();
  check.add_option("--op", asked.operators, "Operators; affine composes pairs of u32 and does not commute; none: what takes no operator")
      ->delimiter(',')->check(CLI::IsMember({"plus", "max", "affine", "none"}))->capture_default_str();
  check.add_option("--space", asked.spaces, "Execution spaces; default: all of this build. The serial reference runs always")
      ->delimiter(',')->check(CLI::IsMember(tools::space_names()));
  check.add_flag("--json", asked.json, "Print JSON");

  bool  info_json = false;
  auto& info      = *app.add_subcommand("info", "Print version, Kokkos configuration, devices, backends and tunings");
  info.add_flag("--json", info_json, "Print JSON");

  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    if (const auto missing = tools::missing_device(); !missing.empty()) throw tools::usage_error(missing);
    const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
    asked.types_given = check.count("--type") > 0;
    return info.parsed() ? tools::info(info_json) : tools::check(asked);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "onepass: %s\n", e.what());
    return 2;
  }
}
