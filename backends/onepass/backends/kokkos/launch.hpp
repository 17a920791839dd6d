// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/any_call.hpp>
#include <onepass/execution/place.hpp>

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

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
