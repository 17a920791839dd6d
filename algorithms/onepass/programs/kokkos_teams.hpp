// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <Kokkos_StdAlgorithms.hpp>

namespace onepass::ONEPASS_ABI::kokkos {

// Calls by a team, inside of a kernel, are Kokkos' own: these names pass them on, since onepass/kokkos.hpp hides
// Kokkos'.

/// \cond
#define ONEPASS_PASSED_ON(name)                                                                                        \
  template <class Team, class... Args>                                                                                 \
    requires(::Kokkos::is_team_handle_v<Team>)                                                                         \
  KOKKOS_FUNCTION auto name(Team const& team, Args const&... args)                                                     \
  {                                                                                                                    \
    return ::Kokkos::Experimental::name(team, args...);                                                                \
  }

ONEPASS_PASSED_ON(exclusive_scan)
ONEPASS_PASSED_ON(inclusive_scan)
ONEPASS_PASSED_ON(transform_exclusive_scan)
ONEPASS_PASSED_ON(transform_inclusive_scan)
ONEPASS_PASSED_ON(reduce)
ONEPASS_PASSED_ON(transform_reduce)
ONEPASS_PASSED_ON(adjacent_difference)
ONEPASS_PASSED_ON(copy_if)
ONEPASS_PASSED_ON(remove_copy)
ONEPASS_PASSED_ON(remove_copy_if)
ONEPASS_PASSED_ON(remove)
ONEPASS_PASSED_ON(remove_if)
ONEPASS_PASSED_ON(unique)
ONEPASS_PASSED_ON(unique_copy)
ONEPASS_PASSED_ON(partition_copy)
ONEPASS_PASSED_ON(count)
ONEPASS_PASSED_ON(count_if)
ONEPASS_PASSED_ON(find)
ONEPASS_PASSED_ON(find_if)
ONEPASS_PASSED_ON(find_if_not)
ONEPASS_PASSED_ON(all_of)
ONEPASS_PASSED_ON(any_of)
ONEPASS_PASSED_ON(none_of)
ONEPASS_PASSED_ON(min_element)
ONEPASS_PASSED_ON(max_element)
ONEPASS_PASSED_ON(minmax_element)

#undef ONEPASS_PASSED_ON
/// \endcond

}  // namespace onepass::ONEPASS_ABI::kokkos
