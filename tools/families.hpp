// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "session.hpp"

namespace tools {

/// A family on items of one type, and the operators of which one has to be asked for; none: what takes no operator.
/// Its primitives run on everything else that the session asks for.
struct family {
  char const* type;  ///< as --type names it
  std::vector<std::string> operators;
  void (*run)(session&);
};

/// In the order of their lines onepass_check_family() in CMakeLists.txt, of which CMake makes this list.
std::vector<family> const& families();

/// The operators of all families, in that order.
std::vector<std::string> operator_names();

}  // namespace tools
