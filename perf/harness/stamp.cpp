// SPDX-License-Identifier: Apache-2.0
#include "stamp.hpp"
#include "commit.hpp"
#include "race.hpp"

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

stamp_fields stamp()
{
  auto const gpu = [](std::string const& what) {
    return on_host ? "" : answer(("nvidia-smi --query-gpu=" + what + " --format=csv,noheader 2>/dev/null").c_str());
  };
#ifdef KOKKOS_COMPILER_NVCC
  auto const nvcc = std::to_string(KOKKOS_COMPILER_NVCC);
#else
  std::string const nvcc;
#endif
  return {
      {"date", now()},
      {"onepass", onepass::version},
      {"commit", build::commit()},
      {"compiler", ONEPASS_COMPILER},
      {"kokkos", std::to_string(KOKKOS_VERSION)},
      {"space", space::name()},
      {"concurrency", std::to_string(space().concurrency())},
      {"cpu", cpu("model name")},
      {"cpu_mhz", cpu("cpu MHz")},
      {"nvcc", nvcc},
      {"device", gpu("name")},
      {"driver", gpu("driver_version")},
      {"clock_sm", gpu("clocks.sm")},
      {"clock_memory", gpu("clocks.mem")},
      {"clock_sm_max", gpu("clocks.max.sm")},
  };
}

}  // namespace perf
