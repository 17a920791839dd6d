// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/workspace.hpp>
#include <onepass/require.hpp>

#include <string>
#include <utility>

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

/// Makes a call with workspaces in memory of the user, each larger than the one before, until one suffices, and says
/// whether all was `untouched` after each that it refused. f(workspace) makes it.
template <class Exec, class Call, class Untouched>
bool refusals_touch_nothing(Exec const& exec, Call const& f, Untouched const& untouched)
{
  Kokkos::View<std::uint64_t*, typename Exec::memory_space> const memory("memory", 1 << 18);
  for (std::size_t words = 18; words < memory.size(); words += words / 6) {
    onepass::workspace<Exec> scratch(exec, Kokkos::subview(memory, std::pair<std::size_t, std::size_t>(0, words)));
    if (refusal([&] { f(scratch); }).empty()) return true;
    exec.fence();
    if (!untouched()) return false;
  }
  return false;
}

}  // namespace test
