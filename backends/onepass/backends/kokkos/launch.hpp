// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/any_call.hpp>
#include <onepass/execution/place.hpp>
#include <onepass/require.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// A member of a team of the space, whatever its policy.
template <class Exec>
using member_of = typename Kokkos::TeamPolicy<Exec>::member_type;

/// Queues so many teams of a policy, which run kernel(member), or kernel(tag, member) where the policy has a tag, with
/// `scratch` bytes of memory each.
template <class Policy, class Exec, class Kernel>
void launch_teams(std::string const& label, Exec const& exec, extent teams, int threads, std::size_t scratch,
                  Kernel const& kernel)
{
  auto const queue = [&](auto policy, auto const& body) {
    if (scratch > 0) policy.set_scratch_size(0, Kokkos::PerTeam(scratch));
    Kokkos::parallel_for(label, policy, body);
  };
  if constexpr (runs_at_once<Exec>) {
    auto const run = [&](member_of<Exec> const& member) {
      if constexpr (std::is_void_v<typename Policy::work_tag>) kernel(member);
      else kernel(typename Policy::work_tag{}, member);
    };
    queue(Kokkos::TeamPolicy<Exec>(exec, int(teams), threads), any_call<member_of<Exec> const&>(run));
  } else queue(Policy(exec, int(teams), threads), kernel);
}

/// Throws unless a canonical call leaves its schedule open or names two-pass: in one pass, sums are added up in groups
/// that depend on who is first.
template <place_like Where>
void require_two_passes(Where const& where)
{
  require(where.chosen == schedule::two_pass || where.chosen == schedule::automatic,
          "run: Kokkos' teams make the canonical tree by the two-pass schedule, not by ", name_of(where.chosen));
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
