// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "session.hpp"

namespace tools {

/// A family of checks on items of one type. It has rows if one of its operators is asked for; "none" is the operator of
/// primitives that take none.
struct family {
  char const* type;  ///< as --type names it
  std::vector<std::string> operators;
  void (*run)(session&);
};

/// In the order of the lines onepass_check_family() in CMakeLists.txt, from which CMake makes this list.
std::vector<family> const& families();

/// The operators of all families, in that order.
std::vector<std::string> operator_names();

}  // namespace tools
