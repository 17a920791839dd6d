// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/ranks.hpp>
#include <onepass/trace/run_file.hpp>

#include <cstdlib>

namespace onepass::trace {

int number_of(char const* variable, int otherwise)
{
  auto const* const text = std::getenv(variable);
  if (!text || !*text) return otherwise;
  char* end     = nullptr;
  auto const n  = std::strtol(text, &end, 0);
  bool const is = *end == 0 && n >= 0 && n <= 1 << 24;
  if (!is) throw run_error(std::string(variable) + "=" + text + " is no number");
  return int(n);
}

place_among_ranks this_rank()
{
  // The innermost launcher comes first, and counts even if it has started one process. Of Slurm only a step's variable
  // tells of processes that run: a batch script has SLURM_NTASKS too, and is one process.
  static constexpr char const* known[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                             {"PMI_RANK", "PMI_SIZE"},
                                             {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                                             {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (auto const& [rank, ranks] : known)
    if (int const all = number_of(ranks, 0); all > 0) return {number_of(rank, 0), all};
  return {};
}

}  // namespace onepass::trace
