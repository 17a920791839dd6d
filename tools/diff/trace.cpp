// SPDX-License-Identifier: Apache-2.0
#include "../diffing.hpp"
#include "../options.hpp"
#include "../starting.hpp"
#include "runs.hpp"

#include <onepass/trace/ranks.hpp>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>

namespace tools::diff {

namespace {

std::string joined(std::vector<std::string> const& patterns)
{
  std::string s;
  for (auto const& p : patterns) s += (s.empty() ? "" : ";") + p;
  return s;
}

/// Beside this program, as the build and the installation leave it.
std::string library_of(trace_request const& asked)
{
  if (!asked.library.empty()) {
    if (!std::filesystem::exists(asked.library)) throw file_error("no " + asked.library);
    return std::filesystem::absolute(asked.library).string();
  }
  auto const here = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  for (auto const* folder : {"trace", ONEPASS_LIBRARY_FOLDER, "lib", "lib64"})
    if (auto const file = here / folder / "libonepass_trace.so"; std::filesystem::exists(file)) return file.string();
  throw file_error("libonepass_trace.so is not beside this program; --library names it");
}

/// The files that this run writes, and those of older ones' ranks that it does not have. Where a launcher starts this
/// program for each rank, the others' files are theirs.
std::vector<std::string> files_of(std::string const& out)
{
  std::vector<std::string> files{out};
  try {
    auto const here = onepass::trace::this_rank();
    if (here.ranks > 1) files.push_back(rank_file(out, here.rank));
    for (auto const& [rank, file] : rank_files(out))
      if (here.ranks == 1 || rank >= here.ranks) files.push_back(file);
  } catch (onepass::trace::run_error const& e) {
    throw usage_error(std::string(e.what()) + ", as the environment has it");
  }
  return files;
}

/// What older runs have left of these, with the dumps that they name.
std::vector<std::string> left_of(std::vector<std::string> const& files)
{
  std::vector<std::string> left;
  for (auto const& file : files) {
    if (!std::filesystem::exists(file)) continue;
    left.push_back(file);
    std::ranges::copy(own_dumps(file), std::back_inserter(left));
  }
  return left;
}

/// Removes the file, or the one that a link to it names, unless another rank has. A device is written to as it is.
/// Throws file_error where a run writes it, which has locked it.
void remove_left(std::string const& name)
{
  std::error_code error;
  auto const file = std::filesystem::canonical(name, error);
  if (error || !std::filesystem::is_regular_file(file, error)) return;
  descriptor const opened(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  // Ranks that remove it at the same time do not stop each other.
  if (opened && ::flock(opened.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw file_error("cannot write " + name + ": a program that still runs is traced there");
  if (::unlink(file.c_str()) != 0 && errno != ENOENT) throw file_error("cannot remove " + name + ": " + why());
}

/// Throws file_error where the library could not make the file, which the program would not end for.
void require_folder(std::string const& out)
{
  std::error_code error;
  auto const file = resolved(out);
  if (std::filesystem::exists(std::filesystem::symlink_status(file, error))) return;
  auto const folder = std::filesystem::absolute(file).parent_path() / ".";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) throw file_error("cannot write " + out + ": " + why());
}

/// By the permission to run a file a folder may be entered.
bool may_be_run(path const& file)
{
  if (::access(file.c_str(), X_OK) != 0) return false;
  std::error_code error;
  if (!std::filesystem::is_directory(file, error)) return true;
  errno = EISDIR;
  return false;
}

/// Whether execvp() will find a file of this name that may be run.
bool can_start(std::string const& program)
{
  if (program.find('/') != std::string::npos) return may_be_run(program);
  auto const* const folders = std::getenv("PATH");
  std::istringstream all(std::string(folders ? folders : "/bin:/usr/bin") + ":");
  for (std::string folder; std::getline(all, folder, ':');)
    if (may_be_run(path(folder) / program)) return true;
  return false;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> environment_of(trace_request const& asked)
{
  return {{"KOKKOS_TOOLS_LIBS", library_of(asked)},
          {"ONEPASS_TRACE_FILE", std::filesystem::absolute(asked.out).string()},
          {"ONEPASS_TRACE_FILL", asked.fill},
          {"ONEPASS_TRACE_KERNELS", joined(asked.kernels)},
          {"ONEPASS_TRACE_VIEWS", joined(asked.views)},
          {"ONEPASS_TRACE_SKIP", joined(asked.skipped)},
          {"ONEPASS_TRACE_DUMP", joined(asked.dumped)},
          {"ONEPASS_TRACE_BETWEEN", asked.no_between ? "0" : "1"},
          {"ONEPASS_TRACE_THREADS", asked.threads > 0 ? std::to_string(asked.threads) : ""}};
}

void trace(trace_request const& asked)
{
  auto const fail = [&] { return file_error("cannot start " + asked.program[0] + ": " + why()); };
  if (is_standard(asked.out)) throw usage_error("a trace goes to a file, not to standard output");
  auto const files = files_of(asked.out);
  for (auto const& file : files)
    if (std::filesystem::is_directory(file)) throw file_error("cannot write " + file + ": it is a folder");
  auto const left = left_of(files);
  auto in_the_way = left;
  if (!asked.dumped.empty()) {
    for (auto const& file : files)
      for (auto const& [_, dump] : dump_files(file)) in_the_way.push_back(dump);
    if (onepass::trace::this_rank().ranks == 1)
      std::ranges::copy(rank_dumps(asked.out), std::back_inserter(in_the_way));
  }
  if (!in_the_way.empty() && !asked.force) throw usage_error(in_the_way.front() + " exists; --force writes over it");
  require_folder(asked.out);
  for (auto const& [name, value] : environment_of(asked)) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (auto const& w : asked.program) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  // Nothing goes for a program that does not start.
  if (!can_start(asked.program[0])) throw fail();
  for (auto const& file : left) remove_left(file);
  execvp(words[0], words.data());
  throw fail();
}

CLI::App const* add_trace(CLI::App& app, trace_request& asked)
{
  auto& command =
      *app.add_subcommand("trace", "Run a Kokkos program and keep a fingerprint of every View after every kernel");
  command.add_option("PROGRAM", asked.program, "The program, after --, and its arguments; any that uses Kokkos")
      ->required();
  command
      .add_option("-o,--output", asked.out, "The run file to write; of several ranks each adds .rank and its number")
      ->required()
      ->check(name_of_file);
  command
      .add_option("--fill", asked.fill,
                  "The byte that new memory is filled with, so that reading what was never written shows: 0 to 255 or "
                  "none; default: one that the file's name chooses")
      ->check(CLI::IsMember({"none"}) | CLI::Range(0, 255));
  add_list(command, "--kernels", asked.kernels,
           "Look at Views after these kernels alone; NAME or NAME#CALL, with * and ?");
  add_list(command, "--views", asked.views, "Look at these Views alone");
  add_list(command, "--skip", asked.skipped, "Do not look at these Views");
  add_list(command, "--dump", asked.dumped, "Keep whole Views after these kernels, in files beside the run file");
  command.add_flag("--force", asked.force, "Write over a run file that exists");
  command.add_flag("--no-between", asked.no_between,
                   "Do not look before kernels; what host code does to Views is then blamed on the kernel behind it");
  command.add_option("--threads", asked.threads, "Threads that read Views on the host; default: all cores")
      ->check(CLI::Range(1, 1024));
  command.add_option("--library", asked.library, "libonepass_trace.so; default: the one beside this program")
      ->check(name_of_file);
  return &command;
}

}  // namespace tools::diff
