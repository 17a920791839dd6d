// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/require.hpp>

namespace test {

/// What a call is refused with; empty if it is not.
template <class Error = onepass::precondition_error, class Call>
std::string refusal(Call const& call)
{
  try {
    call();
  } catch (Error const& e) {
    return e.what();
  }
  return "";
}

}  // namespace test
