// SPDX-License-Identifier: Apache-2.0
#include "../commands.hpp"
#include "../diffing.hpp"
#include "../files.hpp"
#include "../options.hpp"
#include "../print.hpp"
#include "locate.hpp"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <iostream>
#include <map>
#include <tuple>

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

/// A View as it is shown; those without a label can be told apart by their number alone.
std::string numbered(std::string const& label, trace_u64 n)
{
  auto const name = label.empty() ? "(no label)" : shown(label);
  return n > 1 || label.empty() ? name + "#" + std::to_string(n) : name;
}

/// The text, with dots where its middle had to go.
std::string fitted(std::string const& text, std::size_t width)
{
  if (text.size() <= width) return text;
  auto const kept = width - 3, head = kept / 2;
  return text.substr(0, head) + "..." + text.substr(text.size() - (kept - head));
}

std::string where(parting const& p)
{
  return (p.rank > 0 ? "rank " + std::to_string(p.rank) + ": " : "") + "kernel \"" + shown(p.kernel) + "\", call "
         + std::to_string(p.call) + ", View \"" + numbered(p.label, p.number) + "\"";
}

nlohmann::json json_of(parting const& p)
{
  nlohmann::json j{{"kernel", p.kernel}, {"call", p.call}, {"view", p.label}, {"number", p.number}, {"rank", p.rank}};
  if (p.bytes_a != p.bytes_b) j["bytes_a"] = p.bytes_a, j["bytes_b"] = p.bytes_b;
  else j["how"] = json_of(p.how), j["bytes"] = p.bytes_a;
  return j;
}

/// Everything that parts, or, so that a long run fits a screen, each kernel and View once with its first call and how
/// often they part.
void print_parted(comparison const& c, bool all)
{
  std::vector<parting const*> rows;
  std::map<std::pair<std::string, std::string>, std::size_t> times;
  for (auto const& p : c.parted)
    if (++times[{p.kernel, p.label}] == 1 || all) rows.push_back(&p);
  constexpr std::size_t lines = 20;
  auto const count            = all ? rows.size() : std::min(rows.size(), lines);
  auto const kernel_of        = [](parting const& p) { return fitted(shown(p.kernel), 48); };
  auto const view_of          = [](parting const& p) { return fitted(numbered(p.label, p.number), 32); };
  int kernels = 6, views = 4;
  for (std::size_t i = 0; i < count; ++i) {
    kernels = std::max(kernels, int(kernel_of(*rows[i]).size()));
    views   = std::max(views, int(view_of(*rows[i]).size()));
  }
  std::printf("\n%-*s %5s %6s  %-*s  %-4s %-21s %12s %8s\n", kernels, "kernel", "call", all ? "" : "times", views,
              "View", "as", "", "sums apart", "NaNs");
  for (std::size_t i = 0; i < count; ++i) {
    auto const& p = *rows[i];
    std::printf("%-*s %5" PRIu64 " %6s  %-*s  ", kernels, kernel_of(p).c_str(), p.call,
                all ? "" : std::to_string(times[{p.kernel, p.label}]).c_str(), views, view_of(p).c_str());
    if (p.bytes_a != p.bytes_b) std::printf("%s\n", "other size");
    else
      std::printf("%-4s %-21s %12.4g %+8lld\n", name_of(p.how.as), name_of(p.how.is), p.how.sums,
                  static_cast<long long>(p.how.b.nans) - static_cast<long long>(p.how.a.nans));
  }
  if (count < rows.size()) std::printf("... and %zu more kernels and Views\n", rows.size() - count);
  if (!all && c.parted.size() > count) std::printf("--all prints each of %zu calls\n", c.parted.size());
}

/// The View that is shown as the first: all that part in the same kernel are listed, the one with whole numbers apart
/// last.
void print(comparison const& c, recording const& a, recording const& b, bool all)
{
  std::printf("%s: %zu kernels and %zu Views compared in %s and %s\n", name_of(c.is), c.kernels, c.compared,
              shown(a.name).c_str(), shown(b.name).c_str());
  for (auto const& n : c.notes) std::printf("note: %s\n", shown(n).c_str());
  if (!c.broken.empty()) std::printf("the runs go different ways: %s\n", shown(c.broken).c_str());
  if (c.parted.empty()) return;
  auto const& first = c.parted.front();
  std::printf("\nfirst: %s\n", where(first).c_str());
  if (first.bytes_a != first.bytes_b) {
    std::printf("  it has %" PRIu64 " bytes in the first run and %" PRIu64 " in the second\n", first.bytes_a,
                first.bytes_b);
  } else {
    std::printf("  %s; %" PRIu64 " bytes as %s:\n", name_of(first.how.is), first.bytes_a, name_of(first.how.as));
    std::printf("  %-8s %-24s %-24s %-24s %-8s %-8s %s\n", "", "sum", "least", "largest", "NaN", "infinite",
                "never written");
    for (auto const& [name, s] : {std::pair("first", &first.how.a), std::pair("second", &first.how.b)})
      std::printf("  %-8s %-24s %-24s %-24s %-8" PRIu64 " %-8" PRIu64 " %" PRIu64 "\n", name, text_of(s->sum).c_str(),
                  s->empty ? "-" : text_of(s->least).c_str(), s->empty ? "-" : text_of(s->most).c_str(), s->nans,
                  s->infinities, s->unwritten);
    std::printf("  the exact sums are %.6g apart", first.how.sums);
    bool const floats = first.how.as == reading::f64 || first.how.as == reading::f32;
    if (floats) std::printf(", %" PRIu64 " ULPs of their type", first.how.sums_ulps);
    std::puts("");
    if (first.how.is == relation::moved)
      std::puts(
          "  the same words in other places, as threads leave them that append; --order ignore passes over such Views");
  }
  print_parted(c, all);
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

std::optional<std::pair<layout, layout>> layouts_of(diff_request const& asked)
{
  if (asked.layouts.empty()) return {};
  auto const comma = asked.layouts.find(',');
  auto const read  = [&](std::string const& s) {
    if (s == "right") return layout::right;
    if (s == "left") return layout::left;
    throw usage_error("--layouts takes right or left for each: right,left");
  };
  auto const first = read(asked.layouts.substr(0, comma));
  return std::pair(first, comma == std::string::npos ? first : read(asked.layouts.substr(comma + 1)));
}

/// Arrays have no Views and kernels for which a tolerance could be.
double tolerance_of_arrays(diff_request const& asked)
{
  double tolerance = 0;
  for (auto const& t : asked.tolerances) {
    if (t.find('=') != std::string::npos)
      throw usage_error("an array has no Views, so that --tolerance takes a number alone, not \"" + t + "\"");
    tolerance = number_of(t);
  }
  return tolerance;
}

/// One of the two that are compared. Its file is opened once, since it may be a pipe; there is none where ranks have
/// theirs, and of FILE.h5:DATASET.
struct side {
  std::string name;
  std::optional<input_file> file;
  bool is_run;

  array as_array() { return file ? read_array(std::move(*file)) : read_array(name); }
  recording as_run() { return file ? read_recording(std::move(*file)) : read_recording(name); }
};

side opened(std::string const& name)
{
  if (!is_standard(name) && !std::filesystem::exists(name)) return {name, {}, !rank_files(name).empty()};
  input_file file(name);
  auto const head              = file.read(0, std::min<std::uint64_t>(file.size(), 8));
  constexpr std::size_t family = 5;
  bool const is_run =
      head.size() >= family && std::equal(head.begin(), head.begin() + family, onepass::trace::run_magic.begin());
  return {name, std::move(file), is_run};
}

int diff_arrays(diff_request const& asked, side& first, side& second)
{
  auto const tolerance = tolerance_of_arrays(asked);
  auto a = first.as_array(), b = second.as_array();
  if (auto const as = layouts_of(asked)) std::tie(a.as, b.as) = *as;
  auto const d  = difference_of(a, b, asked.types.empty() ? "" : asked.types.front(), shape_of(asked));
  auto const is = d.within(tolerance);
  if (asked.json) {
    auto j       = json_of(d);
    j["verdict"] = name_of(is);
    std::cout << j.dump(1) << '\n';
  } else {
    print(d, a.name, b.name);
    if (is == verdict::near)
      std::printf("\nwithin tolerance: no item is off by more than %g of the larger of both\n", tolerance);
  }
  return int(is);
}

/// What a View that parted is compared as, item by item.
struct items_of_view {
  std::string type;
  std::vector<std::size_t> shape;
  std::pair<layout, layout> layouts;
};
items_of_view items_of(diff_request const& asked, parting const& p)
{
  items_of_view items{name_of(p.how.as), shape_of(asked), layouts_of(asked).value_or(std::pair<layout, layout>())};
  if (p.bytes_a % (items.type.ends_with("64") ? 8 : 4) != 0) items.type = "u8";
  if (!items.shape.empty()) require_shape(where(p), p.bytes_a, items.type, items.shape);
  return items;
}

/// Runs both again and compares the View that parted first item by item. Null where one does not get there, which is
/// no less of a difference.
nlohmann::json locate(diff_request const& asked, recording const& a, recording const& b, comparison& c,
                      items_of_view const& as)
{
  auto const& p = c.parted.front();
  array x, y;
  try {
    x = dump_again(a, p), y = dump_again(b, p);
  } catch (std::exception const& e) {
    c.notes.push_back(std::string("not compared item by item: ") + e.what());
    if (!asked.json) std::printf("\n%s\n", shown(c.notes.back()).c_str());
    return {};
  }
  std::tie(x.as, y.as) = as.layouts;
  auto const d         = difference_of(x, y, as.type, as.shape);
  if (asked.json) return json_of(d);
  std::printf("\nrun again up to there: ");
  print(d, a.name, b.name);
  if (d.differing == 0)
    std::puts(
        "This time both are equal, so the difference does not come back: a race, or memory that was never written.");
  return {};
}

int diff_runs(diff_request const& asked, side& first, side& second)
{
  auto const a = first.as_run(), b = second.as_run();
  auto c = compare(a, b, rules_of(asked));
  nlohmann::json items;
  bool const locates = asked.locate && !c.parted.empty() && c.parted.front().bytes_a == c.parted.front().bytes_b;
  items_of_view as;
  if (locates) as = items_of(asked, c.parted.front());  // what is wrong with --shape is said before programs run
  if (!asked.json) print(c, a, b, asked.all);
  if (locates) items = locate(asked, a, b, c, as);
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

/// Nothing that was asked for is passed over in silence.
void refuse_what_does_nothing(diff_request const& asked, bool runs)
{
  if (runs && !asked.locate && !(asked.extents.empty() && asked.layouts.empty()))
    throw usage_error("of runs --shape and --layouts are for --locate, which compares a View item by item");
  if (!runs && (asked.locate || asked.all || !asked.skipped.empty() || asked.order != "auto"))
    throw usage_error("an array has no kernels and Views; --locate, --all, --skip and --order are for runs");
  if (!runs && asked.types.size() > 1)
    throw usage_error("an array has items of one type, and --type is given " + std::to_string(asked.types.size())
                      + " times");
}

}  // namespace

int diff(diff_request const& asked)
{
  auto a = opened(asked.a), b = opened(asked.b);
  if (a.is_run != b.is_run) {
    auto const& [other, file, _] = a.is_run ? b : a;
    if (!file && end_of_file_name(other) == other.npos)
      throw file_error("cannot read " + other + "; name a file that exists");
    throw onepass::packed::format_error((a.is_run ? asked.a : asked.b) + " is a run file and " + other
                                        + " does not begin as one does; onepass trace writes them");
  }
  refuse_what_does_nothing(asked, a.is_run);
  return a.is_run ? diff_runs(asked, a, b) : diff_arrays(asked, a, b);
}

CLI::App const* add_diff(CLI::App& app, diff_request& asked)
{
  auto& command =
      *app.add_subcommand("diff", "Find the first kernel, View and index in which two runs of a Kokkos program part");
  command.add_option("A", asked.a, "A run file of onepass trace, or an array: raw, .npy or FILE.h5:DATASET")
      ->required();
  command.add_option("B", asked.b, "The other")->required();
  add_list(command, "--tolerance", asked.tolerances,
           "Relative, such as 1e-12; or LABEL=1e-12 or LABEL@KERNEL=1e-12 for some Views");
  add_list(command, "--skip", asked.skipped, "Views that are not compared: LABEL or LABEL@KERNEL, with * and ?");
  add_list(command, "--type", asked.types,
           "What the items are; of runs f64, f32, i64, i32 or LABEL=f64, where the guess is wrong");
  add_list(command, "--shape", asked.extents, "Extents of the array")->delimiter(',');
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
  return &command;
}

}  // namespace tools::diff
