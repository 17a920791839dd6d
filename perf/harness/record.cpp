// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"
#include "table.hpp"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <set>
#include <stdexcept>
#include <sys/file.h>
#include <unistd.h>

namespace perf {

namespace {

namespace fs = std::filesystem;

table::fields const columns_of_races{"primitive", "type",   "items",       "contender", "seconds",
                                     "fastest",   "spread", "repetitions", "bytes",     "copy"};
constexpr std::size_t key_of_race = 4;

/// Columns that may differ between two runs of one program on one machine.
std::set<std::string> const of_the_moment{"run", "date", "cpu_mhz", "clock_sm", "clock_memory"};

/// A lock against other benchmarks on this machine that write at the same time.
class lock {
public:
  explicit lock(fs::path const& folder)
      : file_(open(folder.c_str(), O_RDONLY | O_CLOEXEC))
  {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + folder.string());
  }
  lock(lock const&) = delete;
  ~lock() { close(file_); }

private:
  int file_;
};

std::string text(double x, int digits)
{
  char found[32];
  std::snprintf(found, sizeof found, "%.*g", digits, x);
  return found;
}

table stamps_of(fs::path const& folder, stamp_fields const& stamp)
{
  table::fields columns{"run", "machine"};
  for (auto const& field : stamp) columns.push_back(field.first);
  return {folder / "stamps.csv", columns, 1};
}

/// The first <commit>.<n> that no run has.
std::string new_id(table const& stamps, std::string const& commit)
{
  std::set<std::string> taken;
  stamps.each([&](table::fields const& stamp) { taken.insert(stamp.front()); });
  for (int n = 1;; ++n)
    if (auto id = commit + "." + std::to_string(n); !taken.contains(id)) return id;
}

/// The runs to which lines of any problem refer, by their last field.
std::set<std::string> runs_in_use(fs::path const& folder)
{
  std::set<std::string> used;
  for (auto const& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".csv" && file.path().filename() != "stamps.csv")
      table(file.path()).each([&](table::fields const& line) { used.insert(line.back()); });
  return used;
}

}  // namespace

record::record(fs::path folder, std::string problem, std::function<stamp_fields()> stamp)
    : record(std::move(folder), std::move(problem), columns_of_races, key_of_race, std::move(stamp))
{}

record::record(fs::path folder, std::string problem, table::fields columns, std::size_t key_columns,
               std::function<stamp_fields()> stamp)
    : problem_(std::move(problem))
    , columns_(std::move(columns))
    , key_columns_(key_columns)
    , ask_(std::move(stamp))
    , stamp_(ask_())
{
  columns_.push_back("run");
  fs::create_directories(folder);
  folder_ = fs::canonical(folder);
  lock const alone(folder_);
  if (access(folder_.c_str(), W_OK) != 0) throw std::runtime_error("cannot write in " + folder_.string());
  stamps_of(folder_, stamp_);  // existing stamps must be valid
  lines();
  runs_in_use(folder_);
}

void record::keep(std::vector<row> const& rows)
{
  std::vector<table::fields> lines;
  for (auto const& r : rows)
    lines.push_back({r.primitive, r.type, std::to_string(r.items), r.contender, text(r.seconds, 6), text(r.fastest, 6),
                     text(r.spread, 3), std::to_string(r.repetitions), std::to_string(r.bytes), text(r.copy, 6)});
  keep(lines);
}

void record::keep(std::vector<table::fields> const& found)
{
  lock const alone(folder_);
  auto stamps = stamps_of(folder_, stamp_);
  if (id_.empty()) {
    stamp_            = ask_();
    auto const commit = std::find_if(stamp_.begin(), stamp_.end(), [](auto const& f) { return f.first == "commit"; });
    id_               = new_id(stamps, commit->second);
  }
  stamps.put(line_of(id_));
  stamps.write();  // before the rows that refer to it

  auto kept = lines();
  for (auto line : found) {
    line.push_back(id_);
    kept.put(std::move(line));
  }
  kept.write();

  auto const used = runs_in_use(folder_);
  stamps.only([&](table::fields const& line) { return used.contains(line.front()); });
  stamps.write();
}

std::vector<table::fields> record::of_runs_like_this() const
{
  lock const alone(folder_);
  auto const stamps = stamps_of(folder_, stamp_);
  auto const mine   = line_of("");
  std::set<std::string> alike;
  stamps.each([&](table::fields const& line) {
    bool same = true;
    for (std::size_t k = 0; k < line.size(); ++k) {
      auto const& column = stamps.columns()[k];
      if (column == "commit" && line[k].ends_with("-dirty")) same = false;
      if (!of_the_moment.contains(column) && line[k] != mine[k]) same = false;
    }
    if (same) alike.insert(line.front());
  });
  std::vector<table::fields> found;
  lines().each([&](table::fields const& line) {
    if (alike.contains(line.back())) found.push_back(line);
  });
  return found;
}

table::fields record::line_of(std::string const& id) const
{
  table::fields line{id, folder_.filename().string()};
  for (auto const& field : stamp_) line.push_back(table::as_field(field.second));
  return line;
}

}  // namespace perf
