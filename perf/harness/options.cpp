// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace perf {

namespace {

/// "20" is 2^20, "20+1" one more, "20-1" one less, "1000000" that number, "10..28" the powers of two 2^10 to 2^28.
std::vector<std::int64_t> sizes_of(std::string const& text)
{
  std::size_t used = 0;
  auto const first = std::stoll(text, &used);
  auto const rest  = text.substr(used);
  std::vector<std::int64_t> sizes;
  if (first < 0) throw CLI::ValidationError("--sizes", text + " is negative");
  if (rest.starts_with(".."))
    for (auto k = first; k <= std::stoll(rest.substr(2)); ++k) sizes.push_back(std::int64_t(1) << k);
  else sizes.push_back((first < 48 ? std::int64_t(1) << first : first) + (rest.empty() ? 0 : std::stoll(rest)));
  return sizes;
}

}  // namespace

int options::read(int argc, char** argv, suite const& s)
{
  types      = s.types();
  primitives = s.primitives();
  std::vector<std::string> size_texts{"10..28"};

  CLI::App app{
      "Races onepass against its rivals. Every contender's output is verified before it is timed; times are medians."};
  app.add_option("--sizes", size_texts, "Items: 20 is 2^20, 20+1 one more, 10..28 a range of powers, 1000000 itself")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--types", types, "Item types")
      ->delimiter(',')
      ->check(CLI::IsMember(s.types()))
      ->capture_default_str();
  app.add_option("--primitives", primitives, "Primitives")
      ->delimiter(',')
      ->check(CLI::IsMember(s.primitives()))
      ->capture_default_str();
  app.add_option("--only", only, "Contenders whose names begin so; copies run always")->delimiter(',');
  app.add_option("--repetitions", repetitions, "Timed repetitions of each, at most")->capture_default_str();
  app.add_option("--max-seconds", max_seconds, "Fewer repetitions, so that all ends in about this time")
      ->capture_default_str();
  app.add_option("--results", results,
                 "Keep every race in this folder when it is over, in place of what was kept of the same contenders; "
                 "perf/report reads perf/results/<machine>");
  try {
    app.parse(argc, argv);
    for (auto const& text : size_texts)
      for (auto const n : sizes_of(text)) sizes.push_back(n);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (std::logic_error const&) {
    std::fprintf(stderr, "bench: --sizes takes numbers such as 20, 20+1, 10..28 or 1000000\n");
    return 2;
  }
  return -1;
}

bool options::wants(std::string const& contender) const
{
  auto const begins = [&](std::string const& with) { return contender.starts_with(with); };
  return only.empty() || is_copy(contender) || std::any_of(only.begin(), only.end(), begins);
}

}  // namespace perf
