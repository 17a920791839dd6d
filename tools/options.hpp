// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

// Options that several commands have.
namespace tools {

/// An option that may be given more than once. It takes one word, not all that follow it: these are somebody else's.
template <class T>
CLI::Option* add_list(CLI::App& command, char const* name, std::vector<T>& to, char const* what)
{
  return command.add_option(name, to, what)->allow_extra_args(false);
}

}  // namespace tools
