// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// Results are facts, kept as rows: <folder>/<problem>.csv has one for each primitive, type, size and contender,
// <folder>/stamps.csv a line for each run that measured one of them.
namespace perf {

/// How long one contender took in one race. Seconds are those of a call.
struct row {
  std::string primitive, type;
  std::int64_t items;
  std::string contender;
  double seconds, fastest;  ///< of the median repetition, of the fastest
  double spread;            ///< the distance between the quartiles over the median
  std::int64_t repetitions;
  std::size_t bytes;  ///< that must be read and written
  double copy;        ///< seconds of the fastest copy in the same race; 0: none ran
};

/// What is known of a run: names, which are the columns of stamps.csv, and values. One of them is "commit".
using stamp_fields = std::vector<std::pair<std::string, std::string>>;

class record {
public:
  /// Makes the folder, whose name is the machine's. Throws if nothing can be kept there. stamp() says something of this
  /// run when its first rows are kept.
  record(std::filesystem::path folder, std::string problem, std::function<stamp_fields()> stamp);

  /// Keeps the rows of whole races: each takes the place of an older one of the same contender in the same race. Stamps
  /// that no row refers to any more go. Throws if it cannot be written; the files are whole then, too.
  void keep(std::vector<row> const& rows);

private:
  std::filesystem::path folder_;
  std::string problem_, id_;
  std::function<stamp_fields()> ask_;
  stamp_fields stamp_;
};

}  // namespace perf
