// SPDX-License-Identifier: Apache-2.0
#include "../commands.hpp"
#include "../diffing.hpp"
#include "../files.hpp"
#include "locate.hpp"

#include <charconv>
#include <cinttypes>
#include <iostream>

namespace tools::diff {

namespace {

double number_of(std::string const& text)
{
  double x                = 0;
  auto const* const e     = text.data() + text.size();
  auto const [end, error] = std::from_chars(text.data(), e, x);
  if (error != std::errc() || end != e || !(x >= 0))
    throw usage_error("\"" + text + "\" is no tolerance, such as 1e-12 or LABEL=1e-12");
  return x;
}

rules rules_of(diff_request const& asked)
{
  rules r;
  for (auto const& t : asked.tolerances) {
    auto const at = t.rfind('=');
    if (at == std::string::npos) r.tolerance = number_of(t);
    else r.tolerances.emplace_back(place_pattern::of(t.substr(0, at)), number_of(t.substr(at + 1)));
  }
  for (auto const& s : asked.skipped) r.skipped.push_back(place_pattern::of(s));
  for (auto const& t : asked.types) {
    auto const at = t.rfind('=');
    auto const as = reading_named(at == std::string::npos ? t : t.substr(at + 1));
    if (!as) throw usage_error("\"" + t + "\" is no type of runs: f64, f32, i64 or i32, or LABEL=f64");
    r.types.emplace_back(place_pattern::of(at == std::string::npos ? "*" : t.substr(0, at)), *as);
  }
  if (asked.order == "keep") r.sameness = order::kept;
  else if (asked.order == "ignore") r.sameness = order::ignored;
  return r;
}

std::string numbered(std::string const& name, trace_u64 n) { return n > 1 ? name + "#" + std::to_string(n) : name; }

std::string where(parting const& p)
{
  return (p.rank > 0 ? "rank " + std::to_string(p.rank) + ": " : "") + "kernel \"" + p.kernel + "\", call "
         + std::to_string(p.call) + ", View \"" + numbered(p.label, p.number) + "\"";
}

nlohmann::json json_of(parting const& p)
{
  nlohmann::json j{{"kernel", p.kernel}, {"call", p.call}, {"view", p.label}, {"number", p.number}, {"rank", p.rank}};
  if (p.bytes_a != p.bytes_b) j["bytes_a"] = p.bytes_a, j["bytes_b"] = p.bytes_b;
  else j["how"] = json_of(p.how), j["bytes"] = p.bytes_a;
  return j;
}

/// The View that is shown as the first: all that part in the same kernel are listed, the one with whole numbers apart
/// last.
void print(comparison const& c, recording const& a, recording const& b, bool all)
{
  std::printf("%s: %zu kernels and %zu Views compared in %s and %s\n", name_of(c.is), c.kernels, c.compared,
              a.name.c_str(), b.name.c_str());
  for (auto const& n : c.notes) std::printf("note: %s\n", n.c_str());
  if (!c.broken.empty()) std::printf("the runs go different ways: %s\n", c.broken.c_str());
  if (c.parted.empty()) return;
  auto const& first = c.parted.front();
  std::printf("\nfirst: %s\n", where(first).c_str());
  if (first.bytes_a != first.bytes_b) {
    std::printf("  it has %" PRIu64 " bytes in the first run and %" PRIu64 " in the second\n", first.bytes_a,
                first.bytes_b);
  } else {
    std::printf("  %s; as %s:\n", name_of(first.how.is), name_of(first.how.as));
    std::printf("  %-8s %-24s %-24s %-24s %-8s %-8s %s\n", "", "sum", "least", "largest", "NaN", "infinite",
                "never written");
    for (auto const& [name, s] : {std::pair("first", &first.how.a), std::pair("second", &first.how.b)})
      std::printf("  %-8s %-24s %-24s %-24s %-8" PRIu64 " %-8" PRIu64 " %" PRIu64 "\n", name, text_of(s->sum).c_str(),
                  s->empty ? "-" : text_of(s->least).c_str(), s->empty ? "-" : text_of(s->most).c_str(), s->nans,
                  s->infinities, s->unwritten);
    std::printf("  the exact sums are %.6g apart, %" PRIu64 " ULPs of their type\n", first.how.sums,
                first.how.sums_ulps);
  }
  constexpr std::size_t shown = 20;
  std::printf("\n%-36s %5s  %-24s %-4s %-24s %12s %8s\n", "kernel", "call", "View", "as", "", "sums apart", "NaNs");
  for (std::size_t i = 0; i < c.parted.size() && (all || i < shown); ++i) {
    auto const& p = c.parted[i];
    std::printf("%-36s %5" PRIu64 "  %-24s ", p.kernel.substr(0, 36).c_str(), p.call,
                numbered(p.label, p.number).c_str());
    if (p.bytes_a != p.bytes_b) std::printf("%s\n", "other size");
    else
      std::printf("%-4s %-24s %12.4g %+8lld\n", name_of(p.how.as), name_of(p.how.is), p.how.sums,
                  static_cast<long long>(p.how.b.nans) - static_cast<long long>(p.how.a.nans));
  }
  if (!all && c.parted.size() > shown) std::printf("... and %zu more; --all prints them\n", c.parted.size() - shown);
}

std::vector<std::size_t> shape_of(diff_request const& asked)
{
  std::vector<std::size_t> shape;
  for (auto const& e : asked.extents) {
    std::size_t n           = 0;
    auto const [end, error] = std::from_chars(e.data(), e.data() + e.size(), n);
    if (error != std::errc() || end != e.data() + e.size() || n == 0)
      throw usage_error("\"" + e + "\" is no extent of a shape");
    shape.push_back(n);
  }
  return shape;
}

void set_layouts(diff_request const& asked, array& a, array& b)
{
  if (asked.layouts.empty()) return;
  auto const comma = asked.layouts.find(',');
  auto const read  = [&](std::string const& s) {
    if (s == "right") return layout::right;
    if (s == "left") return layout::left;
    throw usage_error("--layouts takes right or left for each: right,left");
  };
  a.as = read(asked.layouts.substr(0, comma));
  b.as = comma == std::string::npos ? a.as : read(asked.layouts.substr(comma + 1));
}

int diff_arrays(diff_request const& asked)
{
  auto a = read_array(asked.a), b = read_array(asked.b);
  set_layouts(asked, a, b);
  auto const d = difference_of(a, b, asked.types.empty() ? "" : asked.types.front(), shape_of(asked));
  if (asked.json) std::cout << json_of(d).dump(1) << '\n';
  else print(d, a.name, b.name);
  return d.differing > 0 ? exit_code::differs : exit_code::fine;
}

/// Runs both again and compares the View that parted first item by item.
nlohmann::json locate(diff_request const& asked, recording const& a, recording const& b, parting const& p)
{
  auto x = dump_again(a, p), y = dump_again(b, p);
  set_layouts(asked, x, y);
  auto type = std::string(name_of(p.how.as));
  for (auto const& t : asked.types) type = t.substr(t.rfind('=') + 1);
  if (x.bytes.size() % (type.ends_with("64") ? 8 : 4) != 0) type = "u8";
  auto const d = difference_of(x, y, type, shape_of(asked));
  if (asked.json) return json_of(d);
  std::printf("\nrun again up to there: ");
  print(d, a.name, b.name);
  if (d.differing == 0)
    std::puts(
        "This time both are equal, so the difference does not come back: a race, or memory that was never written.");
  return {};
}

int diff_runs(diff_request const& asked)
{
  auto const a = read_recording(asked.a), b = read_recording(asked.b);
  auto const c = compare(a, b, rules_of(asked));
  nlohmann::json items;
  bool const locates = asked.locate && !c.parted.empty() && c.parted.front().bytes_a == c.parted.front().bytes_b;
  if (!asked.json) print(c, a, b, asked.all);
  if (locates) items = locate(asked, a, b, c.parted.front());
  if (asked.json) {
    nlohmann::json j{{"verdict", name_of(c.is)},
                     {"code", int(c.is)},
                     {"kernels", c.kernels},
                     {"views", c.compared},
                     {"notes", c.notes},
                     {"broken", c.broken},
                     {"parted", nlohmann::json::array()}};
    for (auto const& p : c.parted) j["parted"].push_back(json_of(p));
    if (!c.parted.empty()) j["first"] = j["parted"].front();
    if (locates) j["items"] = items;
    std::cout << j.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
  return int(c.is);
}

/// A run file, or the files of its ranks; anything else is an array, unless both are.
bool is_recording(std::string const& name)
{
  if (!std::filesystem::exists(name)) return std::filesystem::exists(name + ".rank0");
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return false;
  input_file file(name);
  auto const head              = file.read(0, std::min<std::uint64_t>(file.size(), 8));
  constexpr std::size_t family = 5;
  return head.size() >= family && std::equal(head.begin(), head.begin() + family, onepass::trace::run_magic.begin());
}

}  // namespace

int diff(diff_request const& asked)
{
  bool const run_a = is_recording(asked.a), run_b = is_recording(asked.b);
  if (run_a != run_b) {
    auto const& other = run_a ? asked.b : asked.a;
    if (!std::filesystem::exists(other)) throw file_error("cannot read " + other + "; name a file that exists");
    throw onepass::packed::format_error((run_a ? asked.a : asked.b) + " is a run file and " + other
                                        + " does not begin as one does; onepass trace writes them");
  }
  return run_a ? diff_runs(asked) : diff_arrays(asked);
}

void add_diff(CLI::App& command, diff_request& asked)
{
  command.add_option("A", asked.a, "A run file of onepass trace, or an array: raw, .npy or FILE.h5:DATASET")
      ->required();
  command.add_option("B", asked.b, "The other")->required();
  command.add_option("--tolerance", asked.tolerances,
                     "Relative, such as 1e-12; or LABEL=1e-12 or LABEL@KERNEL=1e-12 for some Views");
  command.add_option("--skip", asked.skipped, "Views that are not compared: LABEL or LABEL@KERNEL, with * and ?");
  command.add_option("--type", asked.types,
                     "What the items are; of runs f64, f32, i64, i32 or LABEL=f64, where the guess is wrong");
  command.add_option("--shape", asked.extents, "Extents of the array")->delimiter(',');
  command.add_option("--layouts", asked.layouts, "right or left for each array: right,left; default: right");
  command
      .add_option("--order", asked.order,
                  "Whether equal words in other places are a difference; auto: in memory of the same kind")
      ->check(CLI::IsMember({"auto", "keep", "ignore"}))
      ->capture_default_str();
  command.add_flag("--locate", asked.locate,
                   "Run both programs again up to the first difference and compare the View item by item");
  command.add_flag("--all", asked.all, "List everything that parts");
  command.add_flag("--json", asked.json, "Print JSON");
  command.footer("Exit code: 0 equal, 1 different, 6 within tolerance, 7 not comparable; 2 to 5 as of every command.");
}

}  // namespace tools::diff
