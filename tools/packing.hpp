// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace tools {

/// The options of pack, unpack, verify, inspect and codebook, which take one file after the other.
struct packing {
  std::filesystem::path file, out;
  std::string space, as = "auto";
  bool json = false, quiet = false, force = false, remove = false;
};

int pack(packing const& asked);
int unpack(packing const& asked);
int verify(packing const& asked);
int inspect(packing const& asked);
int codebook(packing const& asked);

/// The options of rle.
struct rle_request {
  std::filesystem::path file, out;
  std::string type = "u8", space;
  bool decode = false, json = false, quiet = false, force = false;
};
int rle(rle_request const& asked);

/// The options of make-weights.
struct weights_request {
  std::filesystem::path out;
  std::string type = "bf16", recipe = "mixture";
  std::uint64_t bytes = 64 << 20, seed = 1;
  bool force = false;
};
int make_weights(weights_request const& asked);

}  // namespace tools
