// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string>

namespace ranks_test {

/// Takes an option and its value out of the command line; "" if it is not there.
inline std::string taken(int& argc, char** argv, std::string const& name)
{
  auto** const end   = argv + argc;
  auto** const found = std::find(argv, end, name);
  if (end - found < 2) return "";
  std::string const value = found[1];
  std::copy(found + 2, end + 1, found);  // and the null pointer behind
  argc -= 2;
  return value;
}

}  // namespace ranks_test
