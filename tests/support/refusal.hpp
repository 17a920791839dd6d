// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/require.hpp>

namespace test {

/// The message with which a call throws; empty if it does not.
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
