// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perf {

/// A file of comma-separated lines below a header, one per key, which is the first few columns. Lines are sorted by
/// key, numbers as numbers, so that diffs show only lines that changed.
class table {
public:
  using fields = std::vector<std::string>;

  /// Reads the file if it exists. Throws if it has other columns.
  table(std::filesystem::path file, fields const& columns, std::size_t key_columns);

  /// Reads a file with any columns, which are all the key.
  explicit table(std::filesystem::path const& file);

  fields const& columns() const { return columns_; }

  /// The text as a field: commas and line ends become blanks.
  static std::string as_field(std::string text);

  /// Adds a line; it takes the place of one with the same key.
  void put(fields line);

  /// Removes the lines for which keep(fields) is false.
  template <class Keep>
  void only(Keep const& keep)
  {
    std::erase_if(lines_, [&](auto const& line) { return !keep(line.second); });
  }

  template <class Visit>
  void each(Visit const& visit) const
  {
    for (auto const& line : lines_) visit(line.second);
  }

  /// Writes a temporary file and renames it, so that there is always a complete file.
  void write() const;

private:
  struct before {
    bool operator()(fields const& a, fields const& b) const;
  };

  std::filesystem::path file_;
  fields columns_;
  std::size_t key_columns_;
  std::map<fields, fields, before> lines_;
};

}  // namespace perf
