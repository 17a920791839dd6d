// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "types.hpp"

#include <filesystem>

namespace tools {

/// What the user asked `onepass strategies` for. Nothing named is everything; sizes are powers of two.
struct strategies_request {
  std::vector<std::string> strategies, networks;
  std::vector<int> sizes;
  std::string type = "u32";
  int lanes = 256, warp = 32, items_per_lane = 0;
  bool json = false;
  std::filesystem::path picture;
};

/// One contender on so many items. Contenders that are no strategy have no network.
struct timed {
  std::string strategy, network;
  std::int64_t items, tile;
  double seconds;
};

/// How far a strategy looked back, on the largest size.
struct looked_back {
  std::string strategy;
  double mean;
  std::uint64_t farthest;
};

/// Everything that was measured.
struct contest {
  std::string space, type;
  std::size_t item_bytes = 0;
  std::vector<timed> races, by_tile, by_network;  ///< the last two on the largest size
  std::vector<looked_back> distances;
  std::string wrong;  ///< contenders that gave a wrong result
};

/// The names that may be asked for.
std::vector<std::string> strategy_names();
std::vector<std::string> network_names();
std::vector<int> known_sizes();
std::vector<std::string> contest_types();

/// Runs the strategies on items of one type; instantiated one type a file.
template <class T>
contest compete(strategies_request const& asked);

/// The contest on items of one type, as --type names it.
struct contest_on {
  char const* type;
  contest (*compete)(strategies_request const&);
};

/// The types of the line onepass_contest_types() in CMakeLists.txt, of which CMake makes this list.
std::vector<contest_on> const& contests();

void print_table(contest const& all);
void print_json(contest const& all);
/// Speed against size, and against the size of tiles, as the text of an SVG file.
std::string drawing_of(contest const& all);

int strategies(strategies_request const& asked);

}  // namespace tools
