// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_peers.hpp>
#include <onepass/ranks/programs/windows.hpp>

namespace onepass::ONEPASS_ABI::ranks {

/// Ranks of one host, each of which has a device: payloads go from one device's memory to another's, and the host does
/// not see them. Words, and payloads of the host, go through `base`, which outlives this. `ranks::mpi` makes one by
/// itself, where it can.
///
/// Made and destroyed by all ranks, while Kokkos is there. If the ranks are not on one host, or a device does not reach
/// another one, precondition_error is thrown on all of them, with one sentence. Takes three slots of memory of the
/// device, of `slot_bytes` each. Two ranks may share a device. Places of calls lie on the device that Kokkos uses.
/// \ingroup ranks
class peers final : public detail::through_windows<device_window> {
public:
  /// Whether this build has devices that may reach each other.
  static constexpr bool are_known = device_window::exists;

  /// Opens the windows of all ranks.
  explicit peers(transport& base, std::size_t slot_bytes = std::size_t(32) << 20)
      : through_windows(base, slot_bytes)
  {}

  /// How payloads of devices travel, for people.
  std::string how() const override { return "from device to device of this host"; }
};

}  // namespace onepass::ONEPASS_ABI::ranks
