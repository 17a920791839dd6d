// SPDX-License-Identifier: Apache-2.0
// Draws random shapes and compares onepass with all rivals on each.
#include "harness/clock.hpp"
#include "harness/record.hpp"
#include "harness/stamp.hpp"
#include "options.hpp"

#include <chrono>
#include <cstdio>
#include <optional>
#include <set>

namespace perf::hunt {

namespace {

std::string number(double x)
{
  char out[32];
  std::snprintf(out, sizeof out, "%.4g", x);
  return out;
}

/// The result of a case.
struct finding {
  standing times;
  std::string verdict = "right";  ///< or "wrong: <who>", "skipped: <why>"

  bool wrong() const { return verdict.starts_with("wrong"); }
};

table::fields const columns{"seed",    "case",  "family",        "type",  "items",  "shape",
                            "seconds", "rival", "rival_seconds", "ratio", "spread", "verdict"};
constexpr std::size_t key_columns = 2, verdict_column = 11;

table::fields line_of(options const& asked, std::uint64_t number_of_case, cell const& c, drawn const& d,
                      finding const& f)
{
  auto const& t      = f.times;
  auto const present = [](double x) { return x > 0 ? number(x) : std::string(); };
  bool const both    = t.onepass > 0 && t.rivals > 0;
  return {std::to_string(asked.seed),
          std::to_string(number_of_case),
          c.family,
          c.type,
          std::to_string(d.items),
          d.shape,
          present(t.onepass),
          t.rival,
          present(t.rivals),
          both ? number(t.rivals / t.onepass) : "",
          t.onepass > 0 ? number(t.spread) : "",
          f.verdict};
}

drawn draw(cell const& c, dice const& d)
{
  auto all = c.draw(d);
  if (d.chance("bare", 10)) all.bare = true, all.shape += ", without a workspace";
  return all;
}

finding run(drawn const& d, options const& asked)
{
  finding f;
  double const gib = double(d.bytes) / double(1 << 30);
  if (gib > asked.memory) {
    f.verdict = text("skipped: takes ", number(gib), " GiB");
    return f;
  }
  try {
    trial t(d.bare);
    d.make(t);
    Kokkos::fence("hunt: inputs are made");
    f.times = race(t, asked.timing);
  } catch (std::exception const& e) {
    f.times.wrong.push_back(std::string("the case itself: ") + e.what());
  }
  if (!f.times.wrong.empty()) {
    f.verdict = "wrong:";
    for (auto const& who : f.times.wrong) f.verdict += " " + who + ";";
    f.verdict.pop_back();
  }
  return f;
}

void print(table::fields const& line)
{
  std::printf("%s:%s %s %s n=%s %s", line[0].c_str(), line[1].c_str(), line[2].c_str(), line[3].c_str(),
              line[4].c_str(), line[5].c_str());
  if (!line[6].empty()) std::printf(" | onepass %.2f us", std::stod(line[6]) * 1e6);
  if (!line[7].empty()) std::printf(" | %s %.2f us", line[7].c_str(), std::stod(line[8]) * 1e6);
  if (!line[9].empty()) std::printf(" | ratio %.3f", std::stod(line[9]));
  std::printf(line[verdict_column] == "right" ? "\n" : " | %s\n", line[verdict_column].c_str());
  std::fflush(stdout);
}

/// Returns whether all outputs are correct.
bool hunt(options const& asked)
{
  auto const start   = std::chrono::steady_clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::optional<record> kept;
  std::set<std::string> done;
  if (!asked.results.empty()) {
    kept.emplace(asked.results, "hunt", columns, key_columns, stamp);
    if (!asked.again)
      for (auto const& line : kept->of_runs_like_this())
        if (line[0] == std::to_string(asked.seed) && !line[verdict_column].starts_with("skipped")) done.insert(line[1]);
  }
  bool all_right = true;
  for (auto k = asked.first; k < asked.end && elapsed() < asked.seconds; ++k) {
    dice const d(asked.seed, k);
    auto const& c = cell_of(d);
    if (!asked.wants(c) || done.contains(std::to_string(k))) continue;
    auto const drawing = draw(c, d);
    auto const found   = run(drawing, asked);
    auto const line    = line_of(asked, k, c, drawing, found);
    print(line);
    if (kept) kept->keep({line});
    if (!found.wrong()) continue;
    all_right = false;
    std::fprintf(stderr, "hunt: %s; to see it again: hunt --seed %llu --case %llu\n", found.verdict.c_str(),
                 static_cast<unsigned long long>(asked.seed), static_cast<unsigned long long>(k));
  }
  return all_right;
}

void list(options const& asked)
{
  for (auto k = asked.first; k < asked.end; ++k) {
    dice const d(asked.seed, k);
    auto const& c = cell_of(d);
    if (asked.wants(c)) print(line_of(asked, k, c, draw(c, d), {}));
  }
}

}  // namespace

}  // namespace perf::hunt

int main(int argc, char** argv)
{
  using namespace perf;
  hunt::options asked;
  if (int const stop = asked.read(argc, argv); stop >= 0) return stop;
  if (asked.list) {
    hunt::list(asked);
    return 0;
  }
  if (auto const missing = missing_device(); !missing.empty()) {
    std::fprintf(stderr, "hunt: %s\n", missing.c_str());
    return 2;
  }
  Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  try {
    return hunt::hunt(asked) ? 0 : 1;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "hunt: %s\n", e.what());
    return 1;
  }
}
