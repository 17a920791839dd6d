// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tools {

/// The options of pack, unpack, verify, inspect and codebook, which take one file after the other.
struct packing {
  std::vector<std::filesystem::path> files;
  std::filesystem::path file, out;  ///< file: the one whose turn it is
  std::string space, as = "auto";
  bool json = false, quiet = false, force = false, remove = false;
};

/// The options that all of them have.
void add_files(CLI::App& command, packing& asked, char const* what);

CLI::App const* add_pack(CLI::App& app, packing& asked);
int pack(packing const& asked);
CLI::App const* add_unpack(CLI::App& app, packing& asked);
int unpack(packing const& asked);
CLI::App const* add_verify(CLI::App& app, packing& asked);
int verify(packing const& asked);
CLI::App const* add_inspect(CLI::App& app, packing& asked);
int inspect(packing const& asked);
CLI::App const* add_codebook(CLI::App& app, packing& asked);
int codebook(packing const& asked);

/// The options of rle.
struct rle_request {
  std::filesystem::path file, out;
  std::string type = "u8", space;
  bool decode = false, json = false, quiet = false, force = false;
};
CLI::App const* add_rle(CLI::App& app, rle_request& asked);
int rle(rle_request const& asked);

/// The options of make-weights.
struct weights_request {
  std::filesystem::path out;
  std::string type = "bf16", recipe = "mixture";
  std::uint64_t bytes = 64 << 20, seed = 1;
  bool force = false;
};
CLI::App const* add_make_weights(CLI::App& app, weights_request& asked);
int make_weights(weights_request const& asked);

}  // namespace tools
