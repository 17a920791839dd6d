// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../files.hpp"
#include "reading.hpp"

#include <onepass/trace/run_file.hpp>

#include <map>
#include <string>
#include <vector>

namespace tools::diff {

/// What `onepass diff` returns as its exit code.
enum class verdict {
  equal          = exit_code::fine,
  different      = exit_code::differs,
  near           = exit_code::near,
  not_comparable = exit_code::apart
};
char const* name_of(verdict);

/// Whether the same words in other places are a difference: in Views that lie in the same kind of memory in both runs,
/// and so have the same layout unless the program says otherwise; always; never.
enum class order { automatic, kept, ignored };

/// A pattern for a View, and one for the kernel behind it: LABEL or LABEL@KERNEL.
struct place_pattern {
  std::string label, kernel = "*";
  static place_pattern of(std::string const&);
  bool fits(std::string const& label, std::string const& kernel) const;
  std::string text() const { return kernel == "*" ? label : label + "@" + kernel; }
};

struct rules {
  double tolerance = 0;
  std::vector<std::pair<place_pattern, double>> tolerances;  ///< the last that fits counts
  std::vector<place_pattern> skipped;
  std::vector<std::pair<place_pattern, reading>> types;
  order sameness = order::automatic;
};

/// A kernel, and its n-th call.
using call_key = std::pair<std::string, trace_u64>;

/// A View after a kernel in which two runs part.
struct parting {
  int rank = 0;
  std::string kernel, label;
  trace_u64 call = 1, number = 1;      ///< its n-th call; that one of the Views with this label
  trace_u64 bytes_a = 0, bytes_b = 0;  ///< where these differ nothing else is compared
  distance how{};
  std::size_t event = 0;  ///< in the order of the first run
  call_key seen{};        ///< that event, which both runs have; one may lack the kernel that made the difference
};

struct comparison {
  verdict is = verdict::equal;
  std::vector<parting> parted;     ///< in the order of the first run; all Views of a kernel that part in it
  std::vector<std::string> notes;  ///< whole sentences
  std::string broken;              ///< where the runs go different ways; a kernel that the other one lacks
  std::size_t kernels = 0, views = 0, compared = 0;
};

/// A run's file, or the files of its ranks.
struct recording {
  std::string name;
  std::vector<std::pair<std::string, onepass::trace::run>> ranks;
};
/// The files of ranks that are there, NAME.rank0, NAME.rank1 and so on, by rank.
std::map<int, std::string> rank_files(std::string const& name);
/// NAME.rank0 and so on, whether it is there or not.
std::string rank_file(std::string const& name, int rank);
/// The dumps of a run's or rank's file that are there: FILE.0.bin, FILE.1.bin and so on.
std::map<int, std::string> dump_files(std::string const& file);
/// Those of ranks, whose own files need not be there: NAME.rank0.0.bin and so on.
std::vector<std::string> rank_dumps(std::string const& name);
/// Those dumps that the file names as its own; none if it is no run that can be read.
std::vector<std::string> own_dumps(std::string const& file);
/// Reads NAME, or the files of all ranks. Throws file_error; format_error with the file's name and what is wrong where,
/// also where a rank's file is missing or of another run; and usage_error where both are there.
recording read_recording(std::string const& name);
/// The same of a file that is open: a pipe can be read but once.
recording read_recording(input_file file);

comparison compare(recording const& a, recording const& b, rules const&);

/// A kernel's name without what differs between backends: types of spaces and layouts, mirrors.
std::string neutral(std::string const& name);

/// Every event of a run by its kernel, as named() has it from its name there, and the number of the kernel's call.
std::vector<call_key> calls_of(onepass::trace::run const&, std::string (*named)(std::string const&));

}  // namespace tools::diff
