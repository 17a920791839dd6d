// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "table.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// Results are stored as rows: <folder>/<problem>.csv has one for each primitive, type, size and contender, that of a
// hunt one for each case; <folder>/stamps.csv has a line for each run in which any of them was measured.
namespace perf {

/// The times of one contender in one race, in seconds per call.
struct row {
  std::string primitive, type;
  std::int64_t items;
  std::string contender;
  double seconds, fastest;  ///< of the median repetition, of the fastest
  double spread;            ///< the distance between the quartiles over the median
  std::int64_t repetitions;
  std::size_t bytes;  ///< bytes that must be read and written
  double copy;        ///< seconds of the fastest copy in the same race; 0: none ran
};

/// The description of a run: names, which are the columns of stamps.csv, and values. One name is "commit".
using stamp_fields = std::vector<std::pair<std::string, std::string>>;

class record {
public:
  /// Makes the folder, which is named for the machine. Throws if it cannot be written. stamp() describes this run; it
  /// is called when the first rows are stored.
  record(std::filesystem::path folder, std::string problem, std::function<stamp_fields()> stamp);

  /// The same for lines with other columns. The first `key_columns` are the key; a last column, "run", is added.
  record(std::filesystem::path folder, std::string problem, table::fields columns, std::size_t key_columns,
         std::function<stamp_fields()> stamp);

  /// Stores the rows of complete races: each replaces the older row of the same contender in the same race. Stamps to
  /// which no row refers any more are removed. Throws if the files cannot be written; they are still complete then.
  void keep(std::vector<row> const& rows);
  void keep(std::vector<table::fields> const& lines);

  /// The lines stored by runs of the same commit, compiler and machine. Lines of a tree with changes are left out,
  /// since the changes may have been others.
  std::vector<table::fields> of_runs_like_this() const;

private:
  table::fields line_of(std::string const& id) const;
  table lines() const { return {folder_ / (problem_ + ".csv"), columns_, key_columns_}; }

  std::filesystem::path folder_;
  std::string problem_, id_;
  table::fields columns_;
  std::size_t key_columns_;
  std::function<stamp_fields()> ask_;
  stamp_fields stamp_;
};

}  // namespace perf
