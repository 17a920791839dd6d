// SPDX-License-Identifier: Apache-2.0
#include "../files.hpp"
#include "runs.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <regex>

namespace tools::diff {

namespace {

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

/// Calls use(file, rest) for the files that are there whose names are this one's with something behind it.
template <class Use>
void files_that_begin(std::string const& name, Use const& use)
{
  auto const folder = path(name).parent_path();
  auto const begin  = path(name).filename().string();
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error))
    if (auto const file = entry->path().filename().string(); file.starts_with(begin))
      use(name + file.substr(begin.size()), file.substr(begin.size()));
}

/// Those with a number, by number.
std::map<int, std::string> numbered_files(std::string const& name, std::string const& before, std::string const& behind)
{
  std::map<int, std::string> found;
  files_that_begin(name + before, [&](std::string const& file, std::string const& rest) {
    int number = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (number >= 0 && rest == std::to_string(number) + behind) found.emplace(number, file);
  });
  return found;
}

}  // namespace

std::string rank_file(std::string const& name, int rank) { return name + ".rank" + std::to_string(rank); }
std::map<int, std::string> rank_files(std::string const& name) { return numbered_files(name, ".rank", ""); }
std::map<int, std::string> dump_files(std::string const& file) { return numbered_files(file, ".", ".bin"); }

std::vector<std::string> rank_dumps(std::string const& name)
{
  static std::regex const number_of_rank_and_dump("[0-9]+\\.[0-9]+\\.bin");
  std::vector<std::string> found;
  files_that_begin(name + ".rank", [&](std::string const& file, std::string const& rest) {
    if (std::regex_match(rest, number_of_rank_and_dump)) found.push_back(file);
  });
  return found;
}

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
