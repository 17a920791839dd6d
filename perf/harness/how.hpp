// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

// The contenders of onepass: each of its machines (backend and schedule); and the machine that it chooses by itself,
// also in place and with a size known only on the device. A problem's onepass.hpp has the calls, compiled in one file
// per item type.
namespace perf {

enum class how {
  automatic,
  chained,
  look_ahead,
  portable,
  portable_two_pass,
  canonical,
  serial,
  in_place,
  device_size
};

/// Adds a contender for each. Enter{}(race, how) returns an empty call if the build has no such machine or the
/// primitive no such form.
template <class Enter>
struct onepass_entries {
  entry automatic{"onepass", by<how::automatic>};
  entry chained{"onepass.chained", by<how::chained>};
  entry look_ahead{"onepass.look_ahead", by<how::look_ahead>};
  entry portable{"onepass.portable", by<how::portable>};
  entry portable_two_pass{"onepass.portable_two_pass", by<how::portable_two_pass>};
  entry canonical{"onepass.canonical", by<how::canonical>};
  entry serial{"onepass.serial", by<how::serial>};
  entry in_place{"onepass.in_place", by<how::in_place>};
  entry device_size{"onepass.device_size", by<how::device_size>};

  template <how How>
  static call by(race const& r)
  {
    return Enter{}(r, How);
  }
};

}  // namespace perf
