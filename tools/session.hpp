// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "derive.hpp"
#include "judge.hpp"
#include "ranks/over_ranks.hpp"

#include <filesystem>
#include <map>
#include <utility>

namespace tools {

/// The options of `onepass check`.
struct request {
  std::filesystem::path file;
  std::vector<std::string> types{"u8", "u32", "f32"}, operators, spaces;
  std::size_t items = std::size_t(1) << 23;  ///< most items of a row; 0: no limit
  bool types_given = false, json = false;
  bool ranks = false;  ///< calls over the ranks of MPI instead
};

/// One line of the table.
struct row {
  std::string primitive, op, type, space{}, schedule{};
  std::size_t items = 0;
  double seconds = 0, bytes_per_second = 0, share_of_copy = 0;
  bool equal = false;
  std::string result{};
};

/// What the families of one `onepass check` share: the file, the rows so far, the speed of a copy.
class session {
public:
  session(request asked, file_bytes file);

  request const& asked() const { return asked_; }
  file_bytes const& file() const { return file_; }
  std::vector<row> const& rows() const { return rows_; }
  bool all_equal() const;

  /// The items of one type that the file gives for every row.
  template <class T>
  std::vector<T> items() const
  {
    return items_of<T>(file_, asked_.items ? asked_.items : file_.size());
  }

  bool wants_type(std::string const& name) const;
  bool wants_operator(std::string const& name) const;
  bool wants_space(std::string const& name) const;

  /// Shows on a terminal what is being done.
  void doing(std::string const& what) const;
  void add(row r) { rows_.push_back(std::move(r)); }

  /// Bytes a second, read and written, of the fastest of some copies of `bytes` bytes in a space; 0 until it is
  /// measured.
  double& copy_speed(std::string const& space, std::size_t bytes) { return copies_[{space, bytes}]; }

private:
  request asked_;
  file_bytes file_;
  bool on_terminal_;
  std::vector<row> rows_;
  std::map<std::pair<std::string, std::size_t>, double> copies_;
};

bool holds(std::vector<std::string> const& names, std::string const& name);

void print_table(session const& s);
void print_json(session const& s);
void print_ranks(rank_rows const& all, bool json);

}  // namespace tools
