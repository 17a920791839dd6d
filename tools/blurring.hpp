// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace tools {

/// The options of `onepass blur`.
struct blurring {
  std::filesystem::path photo, depth, out;
  double focus = 0.5;  ///< the depth that stays sharp: 0 black, 1 white
  int aperture = 32;   ///< radius in pixels of the box at the depth that is farthest from the focus
  bool compare = false, json = false, quiet = false, force = false;
  std::string space;
};

CLI::App const* add_blur(CLI::App& app, blurring& asked);
int blur(blurring const& asked);

}  // namespace tools
