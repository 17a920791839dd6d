// SPDX-License-Identifier: Apache-2.0
#include "../diffing.hpp"
#include "../files.hpp"

#include <cstdlib>

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
  for (auto const& file : {asked.out, asked.out + ".rank0"})
    if (std::filesystem::exists(file) && !asked.force) throw usage_error(file + " exists; --force writes over it");
  for (auto const& [name, value] : environment_of(asked)) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (auto const& w : asked.program) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  throw file_error("cannot start " + asked.program[0] + ": " + why());
}

void add_trace(CLI::App& command, trace_request& asked)
{
  command.add_option("PROGRAM", asked.program, "The program, after --, and its arguments; any that uses Kokkos")
      ->required();
  command
      .add_option("-o,--output", asked.out, "The run file to write; of several ranks each adds .rank and its number")
      ->required();
  command.add_option(
      "--fill", asked.fill,
      "The byte that new memory is filled with, so that reading what was never written shows: 0 to 255 or none; "
      "default: one that the file's name chooses");
  command.add_option("--kernels", asked.kernels,
                     "Look at Views after these kernels alone; NAME or NAME#CALL, with * and ?");
  command.add_option("--views", asked.views, "Look at these Views alone");
  command.add_option("--skip", asked.skipped, "Do not look at these Views");
  command.add_option("--dump", asked.dumped, "Keep whole Views after these kernels, in files beside the run file");
  command.add_flag("--force", asked.force, "Write over a run file that exists");
  command.add_flag("--no-between", asked.no_between,
                   "Do not look before kernels; what host code does to Views is then blamed on the kernel behind it");
  command.add_option("--threads", asked.threads, "Threads that read Views on the host; default: all cores");
  command.add_option("--library", asked.library, "libonepass_trace.so; default: the one beside this program");
}

}  // namespace tools::diff
