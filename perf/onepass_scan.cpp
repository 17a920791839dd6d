// SPDX-License-Identifier: Apache-2.0
#include "how.hpp"

namespace perf {

namespace {

auto by(how h)
{
  return [h](race const& r) { return with_type(r.type, [&](auto zero) { return enter_scan<decltype(zero)>(r, h); }); };
}

const entry automatic{"onepass", by(how::automatic)};
const entry chained{"onepass.chained", by(how::chained)};
const entry look_ahead{"onepass.look_ahead", by(how::look_ahead)};
const entry portable{"onepass.portable", by(how::portable)};
const entry portable_two_pass{"onepass.portable_two_pass", by(how::portable_two_pass)};
const entry serial{"onepass.serial", by(how::serial)};

}  // namespace

}  // namespace perf
