// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

// How onepass enters: by each of its machines, and by the one that it chooses in place or with a size that lies on the
// device. A problem's onepass.hpp has what is queued, compiled one item type a file.
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

/// A contender for each. Enter{}(race, how) is an empty call where the build has no such machine or the primitive no
/// such form.
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
