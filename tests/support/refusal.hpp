// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/require.hpp>

namespace test {

/// What a call is refused with; empty if it is not.
template <class Call>
std::string refusal(Call const& call)
{
  try {
    call();
  } catch (onepass::precondition_error const& e) {
    return e.what();
  }
  return "";
}

} // namespace test
