// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <optional>
#include <set>

namespace perf::hunt {

namespace {

std::set<std::string> all_families()
{
  std::set<std::string> names;
  for (auto const& c : cells()) names.insert(c.family);
  return names;
}

}  // namespace

int options::read(int argc, char** argv)
{
  CLI::App app{"Draws random shapes, verifies onepass and all rivals on each, and times them. Case k of a seed is "
               "the same in "
               "every build and on every machine, whichever cases run. Exits with 1 if an output is wrong."};
  std::string cases = "0:100";
  std::optional<std::uint64_t> one;
  app.add_option("--seed", seed, "What the cases are drawn from")->capture_default_str();
  auto* const range =
      app.add_option("--cases", cases, "FIRST:END, without END; FIRST: for all behind")->capture_default_str();
  app.add_option("--case", one, "This one alone, even if it is kept already")->excludes(range);
  app.add_option("--families", families, "Only cases of these; the others keep their numbers")
      ->delimiter(',')
      ->check(CLI::IsMember(all_families()));
  app.add_option("--seconds", seconds, "Begin no case after so long");
  app.add_option("--memory", memory, "GiB that a case may take; a larger one is skipped, and its row says so")
      ->capture_default_str();
  app.add_option("--repetitions", timing.repetitions, "Timed repetitions of each contender, at most")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--case-seconds", timing.case_seconds, "Fewer repetitions, so that timing a case takes about as long")
      ->capture_default_str();
  app.add_option("--results", results,
                 "Keep a row a case in this folder; perf/report reads perf/results/<machine>. Cases that a run of the "
                 "same commit on the same machine has kept there are not run again");
  app.add_flag("--again", again, "Run those as well");
  app.add_flag("--list", list, "Print what is drawn and run nothing");
  try {
    app.parse(argc, argv);
    std::size_t used = 0;
    first            = std::stoull(cases, &used);
    if (cases.at(used) != ':') throw std::invalid_argument(cases);
    end = used + 1 == cases.size() ? ~std::uint64_t(0) : std::stoull(cases.substr(used + 1));
    if (one) first = *one, end = *one + 1, again = true;
    timing.least = std::min(timing.least, timing.repetitions);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (std::logic_error const&) {
    std::fprintf(stderr, "hunt: --cases takes two numbers such as 0:100, or one as in 100:\n");
    return 2;
  }
  return -1;
}

}  // namespace perf::hunt
