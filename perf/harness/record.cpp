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

table::fields const row_columns{"primitive", "type",        "items", "contender", "seconds", "fastest",
                                "spread",    "repetitions", "bytes", "copy",      "run"};
constexpr std::size_t key_of_row = 4;

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

table rows_of(fs::path const& folder, std::string const& problem)
{
  return {folder / (problem + ".csv"), row_columns, key_of_row};
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

/// The runs that rows of any problem refer to.
std::set<std::string> runs_in_use(fs::path const& folder)
{
  std::set<std::string> used;
  for (auto const& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".csv" && file.path().filename() != "stamps.csv")
      rows_of(folder, file.path().stem().string()).each([&](table::fields const& row) { used.insert(row.back()); });
  return used;
}

}  // namespace

record::record(fs::path folder, std::string problem, std::function<stamp_fields()> stamp)
    : problem_(std::move(problem))
    , ask_(std::move(stamp))
    , stamp_(ask_())
{
  fs::create_directories(folder);
  folder_ = fs::canonical(folder);
  lock const alone(folder_);
  if (access(folder_.c_str(), W_OK) != 0) throw std::runtime_error("cannot write in " + folder_.string());
  stamps_of(folder_, stamp_);  // existing stamps must be valid
  runs_in_use(folder_);
}

void record::keep(std::vector<row> const& rows)
{
  lock const alone(folder_);
  auto stamps = stamps_of(folder_, stamp_);
  if (id_.empty()) {
    stamp_            = ask_();
    auto const commit = std::find_if(stamp_.begin(), stamp_.end(), [](auto const& f) { return f.first == "commit"; });
    id_               = new_id(stamps, commit->second);
  }
  table::fields stamp{id_, folder_.filename().string()};
  for (auto const& field : stamp_) stamp.push_back(field.second);
  stamps.put(stamp);
  stamps.write();  // before the rows that refer to it

  auto kept = rows_of(folder_, problem_);
  for (auto const& r : rows)
    kept.put({r.primitive, r.type, std::to_string(r.items), r.contender, text(r.seconds, 6), text(r.fastest, 6),
              text(r.spread, 3), std::to_string(r.repetitions), std::to_string(r.bytes), text(r.copy, 6), id_});
  kept.write();

  auto const used = runs_in_use(folder_);
  stamps.only([&](table::fields const& line) { return used.contains(line.front()); });
  stamps.write();
}

}  // namespace perf
