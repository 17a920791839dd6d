// SPDX-License-Identifier: Apache-2.0
#include "blurring.hpp"
#include "commands.hpp"
#include "families.hpp"
#include "machines.hpp"
#include "packing.hpp"
#include "strategies.hpp"

#include <onepass/version.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
  tools::request asked;
  asked.operators = tools::operator_names();
  CLI::App app{"Single-pass scan primitives and entropy coding, checked against each other.", "onepass"};
  app.set_version_flag("--version", onepass::version);
  app.require_subcommand(1);
  app.footer("Exit code: 0 if all is well, 1 if a result differs, 2 if the command cannot be carried out.");

  auto& check = *app.add_subcommand(
      "check", "Run every primitive on every space and schedule, on items made of a file, and compare");
  check.add_option("FILE", asked.file, "Any file: its bytes are the items")->required();
  check.add_option("--type", asked.types, "Item types; the default leaves out a remainder that fills no item")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::names_of(tools::item_types{})))
      ->capture_default_str();
  check
      .add_option("--op", asked.operators,
                  "Operators; affine composes pairs of u32 and does not commute; none: what takes no operator")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::operator_names()))
      ->capture_default_str();
  check
      .add_option("--space", asked.spaces,
                  "Execution spaces; default: all of this build. The serial reference runs always")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::space_names()));
  check.add_option("--items", asked.items, "Items that a row takes at most, from the file's beginning; 0: all")
      ->capture_default_str();
  check.add_flag("--json", asked.json, "Print JSON");

  bool info_json = false;
  auto& info     = *app.add_subcommand("info", "Print version, Kokkos configuration, devices, backends and tunings");
  info.add_flag("--json", info_json, "Print JSON");

  tools::packing packing;
  auto const packs = [&](char const* name, char const* what, char const* file) {
    auto& command = *app.add_subcommand(name, what);
    command.add_option("FILE", packing.file, file)->required();
    command.add_flag("--json", packing.json, "Print JSON");
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
  for (auto const& [command, what] : {std::pair("pack", "The packed file; default: FILE.1p"),
                                      std::pair("unpack", "The restored file; default: FILE without .1p")})
    app.get_subcommand(command)->add_option("-o,--output", packing.out, what);
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
                 "Write the runs there, or with --decode what they stand for; default: nothing is written");
  rle.add_option("--type", runs_of.type, "What the items are")
      ->check(CLI::IsMember({"u8", "u16", "u32", "u64"}))
      ->capture_default_str();
  rle.add_flag("--decode", runs_of.decode, "Restore the file whose runs FILE holds");
  rle.add_flag("--json", runs_of.json, "Print JSON");
  runs(&rle, runs_of.space);

  tools::blurring blurring;
  auto& blur =
      *app.add_subcommand("blur", "Give a photo depth of field: sharp at one depth, blurred before and behind it");
  blur.add_option("PHOTO", blurring.photo, "A PNG or JPEG")->required();
  blur.add_option("-o,--output", blurring.out, "The picture to write: .png, .jpg or .jpeg")->required();
  blur.add_option("--depth", blurring.depth,
                  "A PNG or JPEG as large as the photo, black 0 to white 1; default: 0 at the top to 1 at the bottom");
  blur.add_option("--focus", blurring.focus, "The depth that stays sharp, 0 to 1")->capture_default_str();
  blur.add_option("--aperture", blurring.aperture,
                  "Radius in pixels where the depth is farthest from the focus, 0 to 1024")
      ->capture_default_str();
  blur.add_flag("--compare", blurring.compare, "Write beside it how far off a table of float32 would be, 16 times");
  blur.add_flag("--json", blurring.json, "Print JSON");
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
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  make.add_option("--seed", weights.seed, "The same seed gives the same file")->capture_default_str();

  tools::strategies_request contest;
  auto& classics =
      *app.add_subcommand("strategies", "Race the classic scans of the literature, beside onepass, a loop and a copy");
  classics.add_option("--strategy", contest.strategies, "Strategies and rungs of the textbook's ladder; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::strategy_names()));
  classics
      .add_option("--network", contest.networks,
                  "Networks inside a block, crossed with each strategy; default: warp-brent-kung")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::network_names()));
  classics.add_option("--size", contest.sizes, "Sizes, as powers of two; default: 10, 12, ... 24 (28 on a GPU)")
      ->delimiter(',')
      ->check(CLI::IsMember(tools::known_sizes()));
  classics.add_option("--type", contest.type, "Item type; affine composes pairs of u32 and does not commute")
      ->check(CLI::IsMember(tools::contest_types()))
      ->capture_default_str();
  classics.add_option("--lanes", contest.lanes, "Lanes of a block; on a GPU 256")->capture_default_str();
  classics.add_option("--warp", contest.warp, "Lanes of a warp; on a GPU 32")->capture_default_str();
  classics.add_option("--items", contest.items_per_lane, "Items a lane; default: what suits the machine");
  classics.add_option("--picture", contest.picture, "Also draw an SVG file");
  classics.add_flag("--json", contest.json, "Print JSON, which perf/plot draws as well");

  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    if (auto const missing = tools::missing_device(); !missing.empty()) throw tools::usage_error(missing);
    Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
    asked.types_given = check.count("--type") > 0;
    if (pack->parsed()) return tools::pack(packing);
    if (unpack->parsed()) return tools::unpack(packing);
    if (verify->parsed()) return tools::verify(packing);
    if (app.got_subcommand("inspect")) return tools::inspect(packing);
    if (codebook.parsed()) return tools::codebook(packing);
    if (rle.parsed()) return tools::rle(runs_of);
    if (blur.parsed()) return tools::blur(blurring);
    if (make.parsed()) return tools::make_weights(weights);
    if (classics.parsed()) return tools::strategies(contest);
    return info.parsed() ? tools::info(info_json) : tools::check(asked);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "onepass: %s\n", e.what());
    return 2;
  }
}
