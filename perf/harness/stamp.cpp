// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <onepass/version.hpp>

#include <cstdio>
#include <ctime>
#include <fstream>

namespace perf {

namespace {

/// The first line that a command prints, or "unknown".
std::string answer(char const* command)
{
  char line[256]  = "";
  std::FILE* pipe = popen(command, "r");
  if (pipe && !std::fgets(line, sizeof line, pipe)) line[0] = 0;
  if (pipe) pclose(pipe);
  std::string text(line);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "unknown" : text;
}

std::string cpu(std::string const& key)
{
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with(key)) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string now()
{
  char text[32];
  std::time_t const t = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%MZ", std::gmtime(&t));
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> stamp()
{
  std::vector<std::pair<std::string, std::string>> s{
      {"date", now()},
      {"onepass", onepass::version},
      {"commit", ONEPASS_COMMIT},
      {"compiler", ONEPASS_COMPILER},
      {"kokkos", std::to_string(KOKKOS_VERSION)},
      {"space", space::name()},
      {"concurrency", std::to_string(space().concurrency())},
      {"cpu", cpu("model name")},
      {"cpu_mhz", cpu("cpu MHz")},
  };
#ifdef KOKKOS_COMPILER_NVCC
  s.push_back({"nvcc", std::to_string(KOKKOS_COMPILER_NVCC)});
#endif
  if (!on_host) {
    auto const ask = [](std::string const& what) {
      return answer(("nvidia-smi --query-gpu=" + what + " --format=csv,noheader 2>/dev/null").c_str());
    };
    s.insert(s.end(), {{"device", ask("name")},
                       {"driver", ask("driver_version")},
                       {"clock_sm", ask("clocks.sm")},
                       {"clock_memory", ask("clocks.mem")},
                       {"clock_sm_max", ask("clocks.max.sm")}});
  }
  return s;
}

}  // namespace perf
