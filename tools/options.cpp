// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "machines.hpp"

void tools::add_space(CLI::App& command, std::string& space)
{
  command.add_option("--space", space, "Where the work is done; default: the fastest of this build")
      ->check(CLI::IsMember(space_names()));
}
