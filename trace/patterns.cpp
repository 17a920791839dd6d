// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/patterns.hpp>

#include <fnmatch.h>
#include <string_view>

namespace onepass::trace {

bool fits(std::string const& pattern, std::string const& name)
{
  std::string_view const given = pattern, special = "*?\\";
  auto const has = [&](std::size_t i) { return i < given.size() && special.find(given[i]) != special.npos; };
  std::string all;
  for (std::size_t i = given.starts_with(no_label) ? no_label.size() : 0; i < given.size(); ++i) {
    bool const quotes = given[i] == '\\' && has(i + 1);
    if (!quotes && (given[i] == '\\' || given[i] == '[')) all += '\\';
    all += given[i];
    if (quotes) all += given[++i];
  }
  return fnmatch(all.c_str(), name.c_str(), 0) == 0;
}

}  // namespace onepass::trace
