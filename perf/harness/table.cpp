// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace perf {

namespace {

bool is_number(std::string const& text)
{
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Order: numbers before words, the smaller number first.
bool less(std::string const& a, std::string const& b)
{
  if (is_number(a) != is_number(b)) return is_number(a);
  if (is_number(a) && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

table::fields split(std::string const& line)
{
  table::fields all{""};
  for (char const c : line)
    if (c == ',') all.emplace_back();
    else all.back().push_back(c);
  return all;
}

void print(std::ostream& out, table::fields const& line)
{
  for (std::size_t k = 0; k < line.size(); ++k) out << (k ? "," : "") << line[k];
  out << '\n';
}

/// The columns of the file, if it exists.
table::fields header_of(std::filesystem::path const& file)
{
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return split(line);
}

}  // namespace

bool table::before::operator()(fields const& a, fields const& b) const
{
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less);
}

table::table(std::filesystem::path const& file)
    : table(file, header_of(file), header_of(file).size())
{}

table::table(std::filesystem::path file, fields const& columns, std::size_t key_columns)
    : file_(std::move(file))
    , columns_(columns)
    , key_columns_(key_columns)
{
  std::ifstream in(file_);
  std::string line;
  if (!std::getline(in, line)) return;
  if (split(line) != columns_) throw std::runtime_error(file_.string() + " has other columns than this program writes");
  while (std::getline(in, line)) {
    auto found = split(line);
    if (found.size() != columns_.size())
      throw std::runtime_error(file_.string() + " has a line that is not whole: " + line);
    put(std::move(found));
  }
}

std::string table::as_field(std::string text)
{
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

void table::put(fields line)
{
  line.resize(columns_.size());
  for (auto& field : line) field = as_field(std::move(field));
  fields key(line.begin(), line.begin() + std::ptrdiff_t(key_columns_));
  lines_.insert_or_assign(std::move(key), std::move(line));
}

void table::write() const
{
  auto beside = file_;
  beside += ".new";
  std::ofstream out(beside);
  print(out, columns_);
  for (auto const& line : lines_) print(out, line.second);
  out.close();
  std::error_code failed;
  if (out) std::filesystem::rename(beside, file_, failed);
  if (!out || failed) {
    std::filesystem::remove(beside, failed);
    throw std::runtime_error("cannot write " + file_.string());
  }
}

}  // namespace perf
