// SPDX-License-Identifier: Apache-2.0
#include "how.hpp"

namespace perf {

/// In onepass_expand.hpp; compiled one item type a file.
template <class T>
call enter_expand(race const& r, how h);

namespace {

auto by(how h)
{
  return [h](race const& r) -> call {
    if (r.type == "u8") return enter_expand<std::uint8_t>(r, h);
    if (r.type == "u32") return enter_expand<std::uint32_t>(r, h);
    return enter_expand<double>(r, h);
  };
}

const entry automatic{"onepass", by(how::automatic)};
const entry portable{"onepass.portable", by(how::portable)};
const entry serial{"onepass.serial", by(how::serial)};

}  // namespace

}  // namespace perf
