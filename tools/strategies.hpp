// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "types.hpp"

#include <cstdio>
#include <filesystem>
#include <iosfwd>

namespace CLI {
class App;
}

namespace tools {

/// The options of `onepass strategies`. An empty list means everything; sizes are powers of two.
struct strategies_request {
  std::vector<std::string> strategies, networks;
  std::vector<int> sizes;
  std::string type = "u32";
  int lanes = 256, warp = 32, items_per_lane = 0;
  bool json = false, force = false;
  std::filesystem::path picture;
};

/// The time of one contender on `items` items. Contenders that are no strategy have no network.
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

/// The results of a race of the classic scans.
struct contest {
  std::string space, type;
  std::size_t item_bytes = 0;
  std::vector<timed> races, by_tile, by_network;  ///< the last two: on the largest size
  std::vector<looked_back> distances;
  std::string wrong;  ///< contenders that gave a wrong result
};

/// The names that can be given as options.
std::vector<std::string> strategy_names();
std::vector<std::string> network_names();
std::vector<int> known_sizes();
std::vector<std::string> contest_types();

/// Races the strategies on items of one type; instantiated in one file for each type.
template <class T>
contest compete(strategies_request const& asked);

/// The race on items of one type, as --type names it.
struct contest_on {
  char const* type;
  contest (*compete)(strategies_request const&);
};

/// The types of the line onepass_contest_types() in CMakeLists.txt, from which CMake makes this list.
std::vector<contest_on> const& contests();

void print_table(std::FILE* to, contest const& all);
void print_json(std::ostream& to, contest const& all);
/// The text of an SVG file: speed against size, and against the size of tiles.
std::string drawing_of(contest const& all);

CLI::App const* add_strategies(CLI::App& app, strategies_request& asked);
int strategies(strategies_request const& asked);

}  // namespace tools
