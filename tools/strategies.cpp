// SPDX-License-Identifier: Apache-2.0
#include "strategies.hpp"
#include "commands.hpp"
#include "commit.hpp"
#include "files.hpp"
#include "options.hpp"
#include "print.hpp"

#include <onepass/classic/strategies.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <optional>

namespace tools {

namespace {

using onepass::classic::cost_of;

/// How much faster look-back was than the three older strategies, according to the literature: at the largest sizes,
/// and by the harmonic mean over all sizes (docs/strategies.md).
struct literature {
  double saturated, mean;
};
std::map<std::string, literature> const in_the_literature{
    {"chained", {1.11, 1.60}}, {"reduce-then-scan", {1.43, 1.19}}, {"scan-then-propagate", {2.27, 2.80}}};

/// The results of one contender over all sizes.
struct summary {
  std::string strategy, network;
  double saturated = 0, inverses = 0;  ///< items a second at the largest size; sum of seconds per item
  int sizes = 0;
  double mean() const { return sizes / inverses; }  ///< harmonic, of items a second
  std::string name() const { return network.empty() ? strategy : strategy + " / " + network; }
};

std::vector<summary> summaries(contest const& all)
{
  std::vector<summary> found;
  for (auto const& t : all.races) {
    auto at = std::find_if(found.begin(), found.end(),
                           [&](summary const& s) { return s.strategy == t.strategy && s.network == t.network; });
    if (at == found.end()) at = found.insert(found.end(), {t.strategy, t.network});
    at->saturated = double(t.items) / t.seconds;  // sizes ascend
    at->inverses += t.seconds / double(t.items);
    ++at->sizes;
  }
  return found;
}

summary const* find(std::vector<summary> const& all, std::string const& strategy)
{
  auto const at = std::find_if(all.begin(), all.end(), [&](summary const& s) { return s.strategy == strategy; });
  return at == all.end() ? nullptr : &*at;
}

/// How often a contender reads or writes an item, for each item of the input.
int moves_of(std::string const& strategy)
{
  if (strategy == "copy" || strategy == "loop" || strategy == "onepass") return 2;
  return entry_of(onepass::classic::choice_named(strategy).how).moves;
}

void print_standings(std::FILE* to, contest const& all)
{
  auto const sums = summaries(all);
  auto const copy = find(sums, "copy"), best = find(sums, "look-back");
  std::fprintf(to, "%-42s %5s %9s %7s %7s %9s   %s\n", "contender", "moves", "Gitems/s", "copy", "own", "mean",
               "look-back is faster by (literature)");
  for (auto const& s : sums) {
    std::fprintf(to, "%-42s %4dn %9.3f %7.2f %7.2f %9.3f", s.name().c_str(), moves_of(s.strategy), s.saturated * 1e-9,
                 s.saturated / copy->saturated, s.saturated / copy->saturated * moves_of(s.strategy) / 2,
                 s.mean() * 1e-9);
    if (best && !s.network.empty())
      std::fprintf(to, "   %5.2f, mean %5.2f", best->saturated / s.saturated, best->mean() / s.mean());
    if (auto const known = in_the_literature.find(s.strategy); best && known != in_the_literature.end())
      std::fprintf(to, "   (%.2f, mean %.2f)", known->second.saturated, known->second.mean);
    std::fprintf(to, "\n");
  }
  std::fprintf(to, "Gitems/s: at the largest size; mean: harmonic, over all sizes; copy: share of a copy's speed; own: "
                   "share of the speed at which a copy would move as many items\n");
}

void print_sizes(std::FILE* to, contest const& all)
{
  std::vector<std::int64_t> sizes;
  for (auto const& t : all.races)
    if (sizes.empty() || t.items > sizes.back()) sizes.push_back(t.items);
  std::fprintf(to, "\n%-42s", "microseconds, items:");
  for (auto const n : sizes) std::fprintf(to, " %10lld", static_cast<long long>(n));
  for (auto const& s : summaries(all)) {
    std::fprintf(to, "\n%-42s", s.name().c_str());
    for (auto const n : sizes) {
      auto const t = std::find_if(all.races.begin(), all.races.end(), [&](timed const& x) {
        return x.items == n && x.strategy == s.strategy && x.network == s.network;
      });
      if (t == all.races.end()) std::fprintf(to, " %10s", "wrong");
      else std::fprintf(to, " %10.1f", t->seconds * 1e6);
    }
  }
  std::fprintf(to, "\n");
}

void print_details(std::FILE* to, contest const& all)
{
  if (!all.by_tile.empty()) std::fprintf(to, "\n%-42s %10s %9s\n", "against the size of tiles", "items", "Gitems/s");
  for (auto const& t : all.by_tile)
    std::fprintf(to, "%-42s %10lld %9.3f\n", t.strategy.c_str(), static_cast<long long>(t.tile),
                 double(t.items) / t.seconds * 1e-9);

  std::fprintf(to, "\n%-42s %9s %9s %6s %8s %9s\n", "networks (256 lanes, in look-back)", "Gitems/s", "operators",
               "depth", "barriers", "n = 16");
  for (auto const& t : all.by_network) {
    auto const by = onepass::classic::network_named(t.network);
    auto const c = cost_of(by, {}), small = cost_of(by, {16, 4});
    std::fprintf(to, "%-42s %9.3f %9d %6d %8d %4d, %2d\n", t.network.c_str(), double(t.items) / t.seconds * 1e-9,
                 c.operators, c.depth, c.barriers, small.operators, small.depth);
  }
  if (!all.distances.empty()) std::fprintf(to, "\n%-42s %9s %9s\n", "tiles looked back over", "mean", "most");
  for (auto const& d : all.distances)
    std::fprintf(to, "%-42s %9.2f %9llu\n", d.strategy.c_str(), d.mean, static_cast<unsigned long long>(d.farthest));
}

std::string now()
{
  char text[32];
  std::time_t const t = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%MZ", std::gmtime(&t));
  return text;
}

}  // namespace

std::vector<std::string> strategy_names()
{
  std::vector<std::string> all;
  for (auto const& s : onepass::classic::all_strategies) all.emplace_back(s.name);
  for (auto const& r : onepass::classic::ladder) all.emplace_back(r.name);
  return all;
}

std::vector<std::string> network_names()
{
  std::vector<std::string> all;
  for (auto const& n : onepass::classic::networks) all.emplace_back(n.name);
  return all;
}

std::vector<int> known_sizes()
{
  std::vector<int> all;
  for (int size = 10; size <= 28; ++size) all.push_back(size);
  return all;
}

std::vector<std::string> contest_types()
{
  std::vector<std::string> types;
  for (auto const& c : contests()) types.push_back(c.type);
  return types;
}

void print_table(std::FILE* to, contest const& all)
{
  std::fprintf(to, "classic scans of %s on %s, beside onepass, a loop of one thread and a copy\n\n", all.type.c_str(),
               all.space.c_str());
  print_standings(to, all);
  print_sizes(to, all);
  print_details(to, all);
}

/// A name is <what>/<type>/<items, or items of a tile>/<contender>.
void print_json(std::ostream& to, contest const& all)
{
  auto rows      = nlohmann::json::array();
  auto const add = [&](std::string const& what, timed const& t, std::int64_t x, std::string const& contender) {
    rows.push_back({{"name", what + "/" + all.type + "/" + std::to_string(x) + "/" + contender},
                    {"items", t.items},
                    {"tile", t.tile},
                    {"real_time", t.seconds * 1e9},
                    {"time_unit", "ns"},
                    {"bytes_per_second", 2.0 * double(t.items) * double(all.item_bytes) / t.seconds}});
  };
  for (auto const& t : all.races)
    add("strategies", t, t.items, t.strategy + (t.network.empty() ? "" : " with " + t.network));
  for (auto const& t : all.by_tile) add("tiles", t, t.tile, t.strategy);
  for (auto const& t : all.by_network) add("networks", t, t.items, t.network);
  auto distances = nlohmann::json::array();
  for (auto const& d : all.distances)
    distances.push_back({{"strategy", d.strategy}, {"mean", d.mean}, {"most", d.farthest}});
  nlohmann::json const file{
      {"context", {{"date", now()}, {"commit", build::commit()}, {"device", all.space}, {"type", all.type}}},
      {"benchmarks", rows},
      {"look_back_distances", distances},
      {"wrong", all.wrong}};
  print(to, file, 2);
}

int strategies(strategies_request const& given)
{
  start_kokkos();
  auto asked = given;
  if (asked.strategies.empty()) asked.strategies = strategy_names();
  if (asked.networks.empty()) asked.networks = {entry_of(onepass::classic::choice{}.by).name};
  if (asked.sizes.empty())
    for (int size = 10;
         size <= (onepass::reachable<Kokkos::DefaultExecutionSpace, Kokkos::View<int, Kokkos::HostSpace>> ? 24 : 28);
         size += 2)
      asked.sizes.push_back(size);
  std::sort(asked.sizes.begin(), asked.sizes.end());

  std::optional<output_file> picture;  // before the work, so that a missing folder is reported at once
  if (!asked.picture.empty()) picture.emplace(asked.picture, writing{.force = asked.force});

  auto const chosen =
      std::find_if(contests().begin(), contests().end(), [&](auto const& c) { return c.type == asked.type; });
  if (chosen == contests().end()) throw usage_error("the classic scans do not race on items of type " + asked.type);
  auto const all = chosen->compete(asked);
  if (picture) {
    auto const drawn = drawing_of(all);
    picture->write({reinterpret_cast<std::uint8_t const*>(drawn.data()), drawn.size()});
    picture->keep();
  }
  bool const aside = picture && picture->is_standard_output();
  if (asked.json) print_json(aside ? std::cerr : std::cout, all);
  else print_table(aside ? stderr : stdout, all);
  if (!all.wrong.empty()) std::fprintf(stderr, "onepass strategies: wrong results: %s\n", all.wrong.c_str());
  return all.wrong.empty() ? 0 : 1;
}

CLI::App const* add_strategies(CLI::App& app, strategies_request& asked)
{
  auto& command =
      *app.add_subcommand("strategies", "Race the classic scans of the literature, beside onepass, a loop and a copy");
  add_list(command, "--strategy", asked.strategies, "Strategies and rungs of the textbook's ladder; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(strategy_names()));
  add_list(command, "--network", asked.networks,
           "Networks inside a block, crossed with each strategy; default: warp-brent-kung")
      ->delimiter(',')
      ->check(CLI::IsMember(network_names()));
  add_list(command, "--size", asked.sizes, "Sizes, as powers of two; default: 10, 12, ... 24 (28 on a GPU)")
      ->delimiter(',')
      ->check(CLI::IsMember(known_sizes()));
  command.add_option("--type", asked.type, "Item type; affine composes pairs of u32 and does not commute")
      ->check(CLI::IsMember(contest_types()))
      ->capture_default_str();
  command.add_option("--lanes", asked.lanes, "Lanes of a block; on a GPU 256")->capture_default_str();
  command.add_option("--warp", asked.warp, "Lanes of a warp; on a GPU 32")->capture_default_str();
  command.add_option("--items", asked.items_per_lane, "Items a lane; default: what suits the machine");
  command.add_option("--picture", asked.picture, "Also draw an SVG file")->check(name_of_file);
  add_force(command, asked.force);
  command.add_flag("--json", asked.json, "Print JSON, which perf/plot draws as well");
  return &command;
}

}  // namespace tools
