// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/checksum.hpp>
#include <onepass/trace/patterns.hpp>
#include <onepass/trace/ranks.hpp>
#include <onepass/trace/tracer.hpp>

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <sstream>
#include <unistd.h>

namespace onepass::trace {

namespace {

std::string variable(std::string const& name)
{
  auto const* const value = std::getenv(("ONEPASS_TRACE_" + name).c_str());
  return value ? value : "";
}

std::vector<std::string> patterns(std::string const& name)
{
  std::vector<std::string> all;
  std::istringstream in(variable(name));
  for (std::string one; std::getline(in, one, ';');)
    if (!one.empty()) all.push_back(one);
  return all;
}

unsigned cores()
{
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return unsigned(std::max(CPU_COUNT(&set), 1));
}

}  // namespace

request asked_for()
{
  request r;
  auto const [rank, ranks] = this_rank();
  r.rank = rank, r.ranks = ranks;
  r.file = variable("FILE");
  if (r.file.empty()) r.file = "onepass-" + std::to_string(getpid()) + ".1prun";
  auto const fill = variable("FILL");
  if (fill.empty()) {
    // Repeated, these are floats of usual size, of 32 and of 64 bits, so that sums neither swallow them nor are
    // swallowed. The file's name chooses one, so a run can be repeated.
    static constexpr unsigned usual[] = {0x3e, 0x3f, 0x40, 0x41, 0x42, 0xbe, 0xbf, 0xc0, 0xc1, 0xc2};
    r.fill                            = usual[checksum(r.file.data(), r.file.size(), 0) % std::size(usual)];
  } else if (fill != "none") {
    r.fill = unsigned(number_of("ONEPASS_TRACE_FILL", 0));
    if (*r.fill > 255) throw run_error("ONEPASS_TRACE_FILL=" + fill + " is no byte; 0 to 255 or none");
  }
  if (r.ranks > 1) r.file += ".rank" + std::to_string(r.rank);
  r.kernels = patterns("KERNELS");
  r.views   = patterns("VIEWS");
  r.skipped = patterns("SKIP");
  r.dumped  = patterns("DUMP");
  r.stop    = number_of("ONEPASS_TRACE_STOP", 0) != 0;
  r.between = number_of("ONEPASS_TRACE_BETWEEN", 1) != 0;
  r.threads = unsigned(std::clamp(number_of("ONEPASS_TRACE_THREADS", int(cores())), 1, 1024));
  return r;
}

bool matches(std::vector<std::string> const& all, std::string const& name, u64 n)
{
  auto const numbered = name + "#" + std::to_string(n);
  return std::any_of(all.begin(), all.end(),
                     [&](std::string const& pattern) { return fits(pattern, name) || fits(pattern, numbered); });
}

}  // namespace onepass::trace
