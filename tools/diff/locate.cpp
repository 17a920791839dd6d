// SPDX-License-Identifier: Apache-2.0
#include "locate.hpp"

#include "../diffing.hpp"
#include "../files.hpp"
#include "../print.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

namespace tools::diff {

namespace {

/// The name as a pattern that fits it alone.
std::string quoted(std::string const& name)
{
  std::string s;
  for (char const c : name) {
    if (std::string_view("\\*?").find(c) != std::string_view::npos) s += '\\';
    s += c == ';' ? '?' : c;
  }
  return s;
}

/// What pairs with the other run's event, by the name and number that the traced program gives it: these count what has
/// other names there as one, such as copies to a mirror and from it.
call_key own_call(onepass::trace::run const& r, call_key const& seen)
{
  auto const paired = calls_of(r, neutral);
  auto const own    = calls_of(r, [](std::string const& name) { return name; });
  return own[std::size_t(std::ranges::find(paired, seen) - paired.begin())];
}

/// A temporary folder that goes when it is no longer used.
class folder {
public:
  folder()
  {
    auto name = (temporary_folder("dumps") / "onepass-diff-XXXXXX").string();
    if (!mkdtemp(name.data())) throw file_error("cannot make a folder for dumps in " + name + ": " + why());
    at_ = name;
  }
  ~folder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(at_, ignored);
  }
  folder(folder const&) = delete;
  path const& at() const { return at_; }

private:
  path at_;
};

/// Whether a variable is one that a run file has, and that a second run is to have from there alone.
bool is_of_run(std::string_view variable)
{
  return variable.starts_with("OMP_") || (variable.starts_with("KOKKOS_") && !variable.starts_with("KOKKOS_TOOLS_"));
}

void forget_own_variables()
{
  std::vector<std::string> own;
  for (char** e = environ; *e; ++e) {
    std::string const entry(*e);
    if (is_of_run(entry)) own.push_back(entry.substr(0, entry.find('=')));
  }
  for (auto const& name : own) unsetenv(name.c_str());
}

void run(std::vector<std::string> const& command, std::string const& where,
         std::vector<std::pair<std::string, std::string>> const& environment)
{
  flush_output();  // a child that ends before the program begins would print again what waits here
  auto const child = fork();
  if (child < 0) throw file_error("cannot start " + command[0] + ": " + why());
  if (child == 0) {
    // What the program prints is not what this one says.
    if (!std::freopen("/dev/null", "w", stdout)) std::_Exit(127);
    if (!where.empty() && chdir(where.c_str()) != 0) std::_Exit(127);
    forget_own_variables();
    for (auto const& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> words;
    for (auto const& w : command) words.push_back(const_cast<char*>(w.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    std::_Exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) throw file_error("cannot start " + command[0] + " in " + where);
}

/// How a run was started, as its file says.
struct start {
  std::vector<std::string> command;
  std::string folder;
  std::vector<std::pair<std::string, std::string>> environment;
  std::optional<int> fill;
};

start start_of(std::string const& name, std::string const& about)
try {
  auto const j           = nlohmann::json::parse(about.empty() ? "{}" : about);
  auto const environment = j.value("environment", nlohmann::json::object());
  start s{j.value("command", s.command), j.value("folder", ""), {}, {}};
  if (j.contains("fill")) s.fill = j["fill"].get<int>();
  // Anybody may have made the file: other variables choose what a program does beyond Kokkos.
  for (auto const& [variable, value] : environment.items())
    if (is_of_run(variable)) s.environment.emplace_back(variable, value.get<std::string>());
  if (!j.value("repeatable", true))
    throw usage_error(name + " has words that are no UTF-8 in how it was started, so that it can not be run again");
  if (s.command.empty())
    throw usage_error(name + " does not say which program it is of, so that it can not be run again");
  return s;
} catch (nlohmann::json::exception const& e) {
  throw onepass::packed::format_error(name + " says nothing that can be read of how it was started: " + e.what());
}

/// What runs again stands in a file, so it is said.
void say(start const& s)
{
  auto text = "runs again" + (s.folder.empty() ? "" : " in " + s.folder) + ":";
  for (auto const& word : s.command) text += " " + word;
  std::fprintf(stderr, "onepass: %s\n", shown(text).c_str());
}

}  // namespace

array dump_again(recording const& from, parting const& p)
{
  auto const& recorded    = from.ranks[std::size_t(p.rank)].second;
  auto const started      = start_of(from.name, recorded.about);
  auto const [name, call] = own_call(recorded, p.seen);
  auto const pattern      = quoted(name) + "#" + std::to_string(call);
  if (from.ranks.size() > 1)
    throw usage_error("a run of several ranks is started by its launcher; run it again under onepass trace --dump '"
                      + pattern + "' and compare the dumps by onepass diff");
  folder here;
  trace_request again;
  again.out        = (here.at() / "run").string();
  again.dumped     = {pattern};
  again.kernels    = again.dumped;
  again.views      = {quoted(p.label) + "#" + std::to_string(p.number)};
  again.fill       = started.fill ? std::to_string(*started.fill) : "none";
  auto environment = environment_of(again);
  environment.emplace_back("ONEPASS_TRACE_STOP", "1");
  environment.insert(environment.end(), started.environment.begin(), started.environment.end());
  say(started);
  run(started.command, started.folder, environment);

  auto const file  = read_recording(again.out);
  auto const& made = file.ranks[0].second;
  for (auto const& d : made.dumps) {
    if (made.names[made.views[d.view].label] != p.label || made.views[d.view].number + 1 != p.number) continue;
    auto a = read_array((here.at() / d.file).string());
    if (a.bytes.size() != p.bytes_a)
      throw usage_error("run again, " + from.name + " has a View " + p.label + " of " + std::to_string(a.bytes.size())
                        + " bytes there, not " + std::to_string(p.bytes_a));
    a.name = from.name;
    a.fill = started.fill.value_or(a.fill);
    return a;
  }
  throw usage_error("run again, " + from.name + " does not get to call " + std::to_string(call) + " of " + name
                    + " with a View " + p.label);
}

}  // namespace tools::diff
