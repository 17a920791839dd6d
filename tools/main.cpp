// SPDX-License-Identifier: Apache-2.0
#include "blurring.hpp"
#include "commands.hpp"
#include "diffing.hpp"
#include "packing.hpp"
#include "print.hpp"
#include "session.hpp"
#include "starting.hpp"
#include "strategies.hpp"

#include <onepass/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

int main(int argc, char** argv)
{
  CLI::App app{"Single-pass scan primitives and entropy coding, checked against each other.", "onepass"};
  app.set_version_flag("--version", std::string("onepass ") + onepass::version);
  app.require_subcommand(1);
  app.footer(
      "A FILE or output called - is standard input or output.\n"
      "Exit code: 0 all is well, 1 a result differs, 2 the command is wrong (or a file exists that it would write "
      "over), 3 a file is missing or cannot be read or written, 4 a file is damaged or of another format, 5 memory "
      "or a device is missing. Of several files the highest code counts.");

  tools::request asked;
  bool info_json = false;
  tools::packing packing;
  tools::rle_request runs;
  tools::blurring blurring;
  tools::weights_request weights;
  tools::strategies_request contest;
  tools::diff::trace_request traced;
  tools::diff::diff_request compared;
  auto const* const check  = tools::add_check(app, asked);
  auto const* const info   = tools::add_info(app, info_json);
  auto const* const pack   = tools::add_pack(app, packing);
  auto const* const unpack = tools::add_unpack(app, packing);
  auto const* const verify = tools::add_verify(app, packing);
  tools::add_inspect(app, packing);
  auto const* const codebook     = tools::add_codebook(app, packing);
  auto const* const rle          = tools::add_rle(app, runs);
  auto const* const blur         = tools::add_blur(app, blurring);
  auto const* const make_weights = tools::add_make_weights(app, weights);
  auto const* const strategies   = tools::add_strategies(app, contest);
  auto const* const trace        = tools::diff::add_trace(app, traced);
  auto const* const diff         = tools::diff::add_diff(app, compared);

  // What it says may quote what was given.
  app.failure_message([](CLI::App const* of, CLI::Error const& e) {
    return CLI::FailureMessage::simple(
        of, CLI::Error(e.get_name(), tools::shown(std::string(e.what())), e.get_exit_code()));
  });
  tools::keep_standard_files();
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    if (app.exit(e) != 0) return tools::exit_code::misused;
    return tools::guarded("", [] {
      tools::flush_output();
      return tools::exit_code::fine;
    });
  }
  // What these two run brings a Kokkos of its own.
  if (trace->parsed()) return tools::guarded("", [&]() -> int { tools::diff::trace(traced); });
  if (diff->parsed()) {
    return tools::guarded("", [&] {
      int const code = tools::diff::diff(compared);
      tools::flush_output();
      return code;
    });
  }
  auto const run = [&] {
    if (check->parsed()) return tools::guarded(asked.file, [&] { return tools::check(asked); });
    if (rle->parsed()) return tools::guarded(runs.file, [&] { return tools::rle(runs); });
    if (blur->parsed()) return tools::guarded(blurring.photo, [&] { return tools::blur(blurring); });
    if (make_weights->parsed()) return tools::guarded(weights.out, [&] { return tools::make_weights(weights); });
    if (strategies->parsed()) return tools::strategies(contest);
    if (info->parsed()) return tools::info(info_json);
    if (packing.files.size() > 1 && !packing.out.empty())
      throw tools::usage_error("--output names one file and there are " + std::to_string(packing.files.size()));
    int worst = tools::exit_code::fine;
    for (auto const& file : packing.files) {
      packing.file = file;
      worst        = std::max(worst, tools::guarded(file, [&] {
                         if (pack->parsed()) return tools::pack(packing);
                         if (unpack->parsed()) return tools::unpack(packing);
                         if (verify->parsed()) return tools::verify(packing);
                         return codebook->parsed() ? tools::codebook(packing) : tools::inspect(packing);
                       }));
    }
    return worst;
  };
  return tools::guarded("", [&] {
    tools::kokkos_end const kokkos;
    int const code = run();
    tools::flush_output();
    return code;
  });
}
