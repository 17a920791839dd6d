// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_nccl.hpp>
#include <onepass/ranks/programs/exchange.hpp>
#include <onepass/ranks/programs/over_transport.hpp>

namespace onepass::ONEPASS_ABI::ranks {

/// Payloads of devices by NCCL, between hosts too. Words, and payloads of the host, go through `base`, which outlives
/// this. A build has it that was told to: ONEPASS_ENABLE_NCCL, or ONEPASS_NCCL defined and NCCL linked.
///
/// Made and destroyed by all ranks, while Kokkos is there; each has a device of its own, which NCCL insists on. What
/// NCCL refuses, or a build without it, is a precondition_error on all ranks.
/// \ingroup ranks
class nccl final : public detail::over_transport {
public:
  /// Joins the ranks.
  explicit nccl(transport& base)
      : over_transport(base)
  {
    auto const names = detail::told(base, [&] { return nccl_link::name(base.rank() == 0); });
    detail::told(base, [&] {
      link_.open();
      return true;
    });
    detail::told(base, [&] {
      link_.join(names[0], base.rank(), base.size());
      return true;
    });
  }

  /// As a transport's: those of devices are one group of sends and receives.
  void exchange_payloads(std::span<piece<std::byte const> const> to, std::span<piece<std::byte> const> from,
                         residence lie) override
  {
    if (lie == residence::host) return base().exchange_payloads(to, from, lie);
    auto const me = std::size_t(rank());
    link_.begin();
    for (std::size_t r = 0; r < to.size(); ++r) {
      if (r == me) continue;
      link_.send(int(r), to[r].data, to[r].bytes);
      link_.receive(int(r), from[r].data, from[r].bytes);
    }
    link_.copy(to[me].data, from[me].data, to[me].bytes);
    link_.finish();
  }

  /// How payloads of devices travel, for people.
  std::string how() const override { return "by " + nccl_link::library(); }

private:
  nccl_link link_;
};

}  // namespace onepass::ONEPASS_ABI::ranks
