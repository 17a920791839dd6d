// SPDX-License-Identifier: Apache-2.0
#include "../files.hpp"
#include "runs.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace tools::diff {

namespace {

std::string rank_file(std::string const& name, int rank) { return name + ".rank" + std::to_string(rank); }

onepass::trace::run read_file(input_file file)
{
  try {
    // What is wrong at its beginning shows before there is memory for the whole.
    constexpr std::uint64_t beginning = 1 << 16;
    if (file.size() > beginning) onepass::trace::read_run(file.read(0, beginning));
    return onepass::trace::read_run(file.read(0, file.size()));
  } catch (onepass::trace::run_error const& e) {
    throw onepass::packed::format_error(file.name() + " is no run that can be read: " + e.what());
  }
}

/// What a rank's file says of itself; -1 where its program was killed before it did.
struct rank_said {
  int rank = -1, ranks = -1;
};
rank_said said_by(onepass::trace::run const& r)
{
  auto const about  = nlohmann::json::parse(r.about, nullptr, false);
  auto const number = [&](char const* key) {
    return about.is_object() && about.contains(key) && about[key].is_number_integer() ? about[key].get<int>() : -1;
  };
  return {number("rank"), number("ranks")};
}

/// Throws format_error unless these are the files of all ranks of one run.
void require_all(recording const& r, std::map<int, std::string> const& files)
{
  auto const fail = [](std::string const& what) { throw onepass::packed::format_error(what); };
  std::string first;  // the first file that says how many ranks there are
  int ranks = -1, next = 0;
  for (auto file = files.begin(); file != files.end(); ++file, ++next) {
    auto const said = said_by(r.ranks[std::size_t(next)].second);
    if (file->first != next) fail(rank_file(r.name, next) + " is missing, and " + file->second + " is there");
    if (said.rank >= 0 && said.rank != next) fail(file->second + " is of rank " + std::to_string(said.rank));
    if (said.ranks < 0) continue;
    if (ranks < 0) ranks = said.ranks, first = file->second;
    if (said.ranks != ranks)
      fail(file->second + " is of a run of " + std::to_string(said.ranks) + " ranks, and " + first + " of one of "
           + std::to_string(ranks));
  }
  if (next < ranks)
    fail(rank_file(r.name, next) + " is missing, and " + first + " is of a run of " + std::to_string(ranks) + " ranks");
}

/// The files that are there whose names are this one's with a number, by number.
std::map<int, std::string> numbered_files(std::string const& name, std::string const& before, std::string const& behind)
{
  std::map<int, std::string> found;
  auto const folder = path(name).parent_path();
  auto const begin  = path(name).filename().string() + before;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    auto const file = entry->path().filename().string();
    int number      = 0;
    if (!file.starts_with(begin)) continue;
    std::from_chars(file.data() + begin.size(), file.data() + file.size(), number);
    auto const rest = std::to_string(number) + behind;
    if (number >= 0 && file == begin + rest) found.emplace(number, name + before + rest);
  }
  return found;
}

}  // namespace

std::map<int, std::string> rank_files(std::string const& name) { return numbered_files(name, ".rank", ""); }
std::map<int, std::string> dump_files(std::string const& file) { return numbered_files(file, ".", ".bin"); }

std::vector<std::string> own_dumps(std::string const& file)
{
  std::vector<std::string> own;
  auto const there = dump_files(file);
  if (there.empty() || !std::filesystem::is_regular_file(file)) return own;
  try {
    auto const dumps = read_file(input_file(file)).dumps;
    for (auto const& [_, dump] : there)
      if (std::ranges::find(dumps, path(dump).filename().string(), &onepass::trace::dumped::file) != dumps.end())
        own.push_back(dump);
  } catch (std::runtime_error const&) {  // no run, or another rank has removed it
    return {};
  }
  return own;
}

recording read_recording(std::string const& name)
{
  auto const files = rank_files(name);
  if (files.empty() || std::filesystem::exists(name)) return read_recording(input_file(name));
  recording r{name, {}};
  for (auto const& [rank, file] : files) r.ranks.push_back({file, read_file(input_file(file))});
  require_all(r, files);
  return r;
}

recording read_recording(input_file file)
{
  auto const name = file.name();
  if (auto const files = rank_files(name); !files.empty())
    throw usage_error(name + " is a run, and so is " + files.begin()->second
                      + " with its like; remove those of the older one");
  return {name, {{name, read_file(std::move(file))}}};
}

}  // namespace tools::diff
