// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "how.hpp"

#include <onepass/scan.hpp>

#include <memory>

// onepass' own entries; compiled one item type a file.
namespace perf {

template <class T, class Where>
call queue_scan(race const& r, Where const& where)
{
  using exec         = typename Where::execution_space;
  const auto scratch = std::make_shared<onepass::workspace<exec>>(where.space);
  const auto in      = input_of<T>(r);
  const auto out     = output_of<T>(r);
  if (r.primitive == "exclusive_scan") return [=] { onepass::exclusive_scan(where.with(*scratch), in, out); };
  return [=] { onepass::inclusive_scan(where.with(*scratch), in, out); };
}

template <class T>
call enter_scan(race const& r, how h)
{
  using onepass::schedule;
  const space exec;
  if (h == how::automatic) return queue_scan<T>(r, onepass::on(exec));
  if (h == how::portable) return queue_scan<T>(r, onepass::portably(exec).by(schedule::chained));
  if (h == how::portable_two_pass) return queue_scan<T>(r, onepass::portably(exec).by(schedule::two_pass));
  if constexpr (on_host) {
    if (h == how::serial) return queue_scan<T>(r, onepass::serially());
  } else {
    if (h == how::chained) return queue_scan<T>(r, onepass::on(exec).by(schedule::chained));
    if (h == how::look_ahead) return queue_scan<T>(r, onepass::on(exec).by(schedule::look_ahead));
  }
  return {};
}

}  // namespace perf
