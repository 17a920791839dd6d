// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "starting.hpp"

#include <CLI/CLI.hpp>

#include <vector>

// Options that several commands have.
namespace tools {

/// An option that may be given more than once. It takes one word, not all that follow it: these are somebody else's.
template <class T>
CLI::Option* add_list(CLI::App& command, char const* name, std::vector<T>& to, char const* what)
{
  return command.add_option(name, to, what)->allow_extra_args(false);
}

/// An option that takes a whole number.
template <class T>
CLI::Option* add_number(CLI::App& command, char const* name, T& to, char const* what)
{
  return command.add_option(name, to, what)
      ->transform(CLI::Validator(whole_number, "", "whole number"))
      ->capture_default_str();
}

void add_space(CLI::App& command, std::string& space);

inline void add_force(CLI::App& command, bool& force)
{
  command.add_flag("-f,--force", force, "Write over files that exist, and to terminals");
}

}  // namespace tools
