// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <cstdio>
#include <unistd.h>

namespace tools {

bool holds(std::vector<std::string> const& names, std::string const& name)
{
  return std::find(names.begin(), names.end(), name) != names.end();
}

session::session(request asked, file_bytes file)
    : asked_(std::move(asked))
    , file_(std::move(file))
    , on_terminal_(isatty(STDERR_FILENO))
{}

bool session::wants_type(std::string const& name) const { return holds(asked_.types, name); }
bool session::wants_operator(std::string const& name) const { return holds(asked_.operators, name); }

/// The reference always runs.
bool session::wants_space(std::string const& name) const
{
  return name == "serial" || asked_.spaces.empty() || holds(asked_.spaces, name);
}

bool session::all_equal() const
{
  return std::all_of(rows_.begin(), rows_.end(), [](row const& r) { return r.equal; });
}

void session::doing(std::string const& what) const
{
  if (on_terminal_) std::fprintf(stderr, "\r\033[K%s", what.c_str());
}

}  // namespace tools
