// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace perf {

/// A file of comma-separated lines below a header, one a key: the fields of the first few columns. Lines are sorted by
/// their keys, numbers as numbers, so that one that changes is the only one to differ.
class table {
public:
  using fields = std::vector<std::string>;

  /// Reads the file if there is one. Throws if it has other columns.
  table(std::filesystem::path file, fields const& columns, std::size_t key_columns);

  /// Adds a line; it takes the place of one with the same key. Commas and line ends become blanks.
  void put(fields line);

  /// Takes away the lines of which keep(fields) is false.
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

  /// Writes the whole file beside the old one and then renames it, so that there always is one that is whole.
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
