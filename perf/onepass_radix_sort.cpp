// SPDX-License-Identifier: Apache-2.0
#include "how.hpp"
#include "sort_race.hpp"

namespace perf {

namespace {

auto by(how h)
{
  return [h](race const& r) { return with_key(r.type, [&](auto zero) { return enter_radix_sort<decltype(zero)>(r, h); }); };
}

const entry automatic{"onepass", by(how::automatic)};
const entry portable{"onepass.portable", by(how::portable)};
const entry serial{"onepass.serial", by(how::serial)};

}  // namespace

}  // namespace perf
