// SPDX-License-Identifier: Apache-2.0
#include "blurring.hpp"
#include "commands.hpp"
#include "diffing.hpp"
#include "families.hpp"
#include "machines.hpp"
#include "options.hpp"
#include "packing.hpp"
#include "print.hpp"
#include "starting.hpp"
#include "strategies.hpp"

#include <onepass/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

int main(int argc, char** argv)
{
  tools::request asked;
  asked.operators = tools::operator_names();
  CLI::App app{"Single-pass scan primitives and entropy coding, checked against each other.", "onepass"};
  app.set_version_flag("--version", std::string("onepass ") + onepass::version);
  app.require_subcommand(1);
  app.footer(
      "A FILE or output called - is standard input or output.\n"
      "Exit code: 0 all is well, 1 a result differs, 2 the command is wrong (or a file exists that it would write "
      "over), 3 a file is missing or cannot be read or written, 4 a file is damaged or of another format, 5 memory "
      "or a device is missing. Of several files the highest code counts.");

  auto& check = *app.add_subcommand(
      "check", "Run every primitive on every space and schedule, on items made of a file, and compare");
  check.add_option("FILE", asked.file, "Any file: its bytes are the items")->required();
  tools::add_list(check, "--type", asked.types, "Item types; the default leaves out a remainder that fills no item")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::names_of(tools::item_types{})))
      ->capture_default_str();
  tools::add_list(check, "--op", asked.operators,
                  "Operators; affine composes pairs of u32 and does not commute; none: what takes no operator")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::operator_names()))
      ->capture_default_str();
  tools::add_list(check, "--space", asked.spaces,
                  "Execution spaces; default: all of this build. The serial reference runs always")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::space_names()));
  check.add_option("--items", asked.items, "Items that a row takes at most, from the file's beginning; 0: all")
      ->transform(CLI::Validator(tools::whole_number, "", "whole number"))
      ->capture_default_str();
  check
      .add_flag("--ranks", asked.ranks,
                "Started by mpirun: every call over these ranks against one rank, on u32; each rank reads the file")
      ->excludes("--type")
      ->excludes("--op")
      ->excludes("--space");
  check.add_flag("--json", asked.json, "Print JSON");

  bool info_json = false;
  auto& info     = *app.add_subcommand("info", "Print version, Kokkos configuration, devices, backends and tunings");
  info.add_flag("--json", info_json, "Print JSON");

  tools::packing packing;
  std::vector<std::filesystem::path> files;
  auto const packs = [&](char const* name, char const* what, char const* file) {
    auto& command = *app.add_subcommand(name, what);
    command.add_option("FILE", files, file)->required();
    command.add_flag("--json", packing.json, "Print JSON, an object for each file");
    return &command;
  };
  auto const runs = [&](CLI::App* command, std::string& space) {
    command->add_option("--space", space, "Where the work is done; default: the fastest of this build")
        ->check(CLI::IsMember(tools::space_names()));
    return command;
  };
  auto const* const pack =
      runs(packs("pack", "Compress model weights (.safetensors, tensor by tensor) or any file, without loss",
                 "The file to pack"),
           packing.space);
  auto const* const unpack =
      runs(packs("unpack", "Restore what was packed, bit for bit", "The packed file"), packing.space);
  auto const* const verify =
      runs(packs("verify", "Decode a packed file, write nothing, and say whether every checksum is right",
                 "The packed file"),
           packing.space);
  packs("inspect", "List what a packed file holds", "The packed file");
  auto& codebook = *packs("codebook", "Print the code of a file's symbols, what it costs, and the entropy", "Any file");
  auto const forces = [](CLI::App* command, bool& force) {
    command->add_flag("-f,--force", force, "Write over files that exist, and to terminals");
  };
  bool keep = true;
  for (auto const& [name, what] : {std::pair("pack", "The packed file; default: FILE.1p"),
                                   std::pair("unpack", "The restored file; default: FILE without .1p")}) {
    auto* const command = app.get_subcommand(name);
    command->add_option("-o,--output", packing.out, what)->check(tools::name_of_file);
    auto* const removes = command->add_flag("--rm", packing.remove, "Remove FILE when the result is on the disk");
    command->add_flag("-k,--keep", keep, "Keep FILE, as is the default")->excludes(removes);
    forces(command, packing.force);
  }
  for (auto const* name : {"pack", "unpack", "verify"})
    app.get_subcommand(name)->add_flag("-q,--quiet", packing.quiet, "Print errors only");
  app.get_subcommand("pack")
      ->add_option("--as", packing.as, "auto: by the file's name; bytes: whatever it is")
      ->check(CLI::IsMember({"auto", "bytes"}));
  codebook.add_option("--as", packing.as, "What the items are: bytes, bf16, f16, f32 or e4m3; auto is bytes")
      ->check(CLI::IsMember({"auto", "bytes", "bf16", "f16", "f32", "e4m3"}));

  tools::rle_request runs_of;
  auto& rle =
      *app.add_subcommand("rle", "Encode any file as runs of equal items, decode them, compare, and print the ratio");
  rle.add_option("FILE", runs_of.file, "Any file, or with --decode one that rle wrote")->required();
  rle.add_option("-o,--output", runs_of.out,
                 "Write the runs there, or with --decode what they stand for; default: nothing is written")
      ->check(tools::name_of_file);
  rle.add_option("--type", runs_of.type, "What the items are")
      ->check(CLI::IsMember({"u8", "u16", "u32", "u64"}))
      ->capture_default_str();
  rle.add_flag("--decode", runs_of.decode, "Restore the file whose runs FILE holds, which says what they are of")
      ->excludes("--type");
  rle.add_flag("--json", runs_of.json, "Print JSON");
  rle.add_flag("-q,--quiet", runs_of.quiet, "Print errors only");
  forces(&rle, runs_of.force);
  runs(&rle, runs_of.space);

  tools::blurring blurring;
  auto& blur =
      *app.add_subcommand("blur", "Give a photo depth of field: sharp at one depth, blurred before and behind it");
  blur.add_option("PHOTO", blurring.photo, "A PNG or JPEG")->required();
  blur.add_option("-o,--output", blurring.out, "The picture to write: .png, .jpg or .jpeg")
      ->required()
      ->check(tools::name_of_file);
  blur.add_option("--depth", blurring.depth,
                  "A PNG or JPEG as large as the photo, black 0 to white 1; default: 0 at the top to 1 at the bottom")
      ->check(tools::name_of_file);
  blur.add_option("--focus", blurring.focus, "The depth that stays sharp, 0 to 1")->capture_default_str();
  blur.add_option("--aperture", blurring.aperture,
                  "Radius in pixels where the depth is farthest from the focus, 0 to 1024")
      ->capture_default_str();
  blur.add_flag("--compare", blurring.compare, "Write beside it how far off a table of float32 would be, 16 times");
  blur.add_flag("--json", blurring.json, "Print JSON");
  blur.add_flag("-q,--quiet", blurring.quiet, "Print errors only");
  forces(&blur, blurring.force);
  runs(&blur, blurring.space);

  tools::weights_request weights;
  auto& make = *app.add_subcommand("make-weights", "Write a checkpoint with random weights spread as real ones are");
  make.add_option("FILE", weights.out, "The .safetensors file to write")->required();
  make.add_option("--type", weights.type, "Type of the weights")
      ->check(CLI::IsMember({"bf16", "f16", "f32", "e4m3", "e5m2"}))
      ->capture_default_str();
  make.add_option("--recipe", weights.recipe,
                  "gaussian; mixture: eight layers of different width; student: heavy tails")
      ->check(CLI::IsMember({"gaussian", "mixture", "student"}))
      ->capture_default_str();
  make.add_option("--bytes", weights.bytes, "Bytes of weights, about; k, M and G count")
      ->transform(CLI::Validator(tools::whole_number, "", "whole number"))
      ->capture_default_str();
  make.add_option("--seed", weights.seed, "The same seed gives the same file")
      ->transform(CLI::Validator(tools::whole_number, "", "whole number"))
      ->capture_default_str();
  forces(&make, weights.force);

  tools::strategies_request contest;
  auto& classics =
      *app.add_subcommand("strategies", "Race the classic scans of the literature, beside onepass, a loop and a copy");
  tools::add_list(classics, "--strategy", contest.strategies,
                  "Strategies and rungs of the textbook's ladder; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::strategy_names()));
  tools::add_list(classics, "--network", contest.networks,
                  "Networks inside a block, crossed with each strategy; default: warp-brent-kung")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::network_names()));
  tools::add_list(classics, "--size", contest.sizes, "Sizes, as powers of two; default: 10, 12, ... 24 (28 on a GPU)")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::known_sizes()));
  classics.add_option("--type", contest.type, "Item type; affine composes pairs of u32 and does not commute")
      ->check(CLI::IsMember(tools::contest_types()))
      ->capture_default_str();
  classics.add_option("--lanes", contest.lanes, "Lanes of a block; on a GPU 256")->capture_default_str();
  classics.add_option("--warp", contest.warp, "Lanes of a warp; on a GPU 32")->capture_default_str();
  classics.add_option("--items", contest.items_per_lane, "Items a lane; default: what suits the machine");
  classics.add_option("--picture", contest.picture, "Also draw an SVG file")->check(tools::name_of_file);
  forces(&classics, contest.force);
  classics.add_flag("--json", contest.json, "Print JSON, which perf/plot draws as well");

  tools::keep_standard_files();
  tools::diff::trace_request traced;
  auto& trace =
      *app.add_subcommand("trace", "Run a Kokkos program and keep a fingerprint of every View after every kernel");
  tools::diff::add_trace(trace, traced);
  tools::diff::diff_request compared;
  auto& diff =
      *app.add_subcommand("diff", "Find the first kernel, View and index in which two runs of a Kokkos program part");
  tools::diff::add_diff(diff, compared);

  // What it says may quote what was given.
  app.failure_message([](CLI::App const* of, CLI::Error const& e) {
    return CLI::FailureMessage::simple(
        of, CLI::Error(e.get_name(), tools::shown(std::string(e.what())), e.get_exit_code()));
  });
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
  if (trace.parsed()) return tools::guarded("", [&]() -> int { tools::diff::trace(traced); });
  if (diff.parsed()) {
    return tools::guarded("", [&] {
      int const code = tools::diff::diff(compared);
      tools::flush_output();
      return code;
    });
  }
  auto const run = [&] {
    if (check.parsed()) return tools::guarded(asked.file, [&] { return tools::check(asked); });
    if (rle.parsed()) return tools::guarded(runs_of.file, [&] { return tools::rle(runs_of); });
    if (blur.parsed()) return tools::guarded(blurring.photo, [&] { return tools::blur(blurring); });
    if (make.parsed()) return tools::guarded(weights.out, [&] { return tools::make_weights(weights); });
    if (classics.parsed()) return tools::strategies(contest);
    if (info.parsed()) return tools::info(info_json);
    if (files.size() > 1 && !packing.out.empty())
      throw tools::usage_error("--output names one file and there are " + std::to_string(files.size()));
    int worst = tools::exit_code::fine;
    for (auto const& file : files) {
      packing.file = file;
      worst        = std::max(worst, tools::guarded(file, [&] {
                         if (pack->parsed()) return tools::pack(packing);
                         if (unpack->parsed()) return tools::unpack(packing);
                         if (verify->parsed()) return tools::verify(packing);
                         return codebook.parsed() ? tools::codebook(packing) : tools::inspect(packing);
                       }));
    }
    return worst;
  };
  return tools::guarded("", [&] {
    tools::kokkos_end const kokkos;
    asked.types_given = check.count("--type") > 0;
    int const code    = run();
    tools::flush_output();
    return code;
  });
}
