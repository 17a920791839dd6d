// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "how.hpp"
#include "sort_race.hpp"

#include <onepass/radix_sort.hpp>

#include <memory>

// onepass' own entries; compiled one key type a file.
namespace perf {

template <class T, class Where>
call queue_radix_sort(race const& r, Where const& where)
{
  using exec         = typename Where::execution_space;
  const auto scratch = std::make_shared<onepass::workspace<exec>>(where.space);
  const auto in      = input_of<T>(r);
  const auto out     = output_of<T>(r);
  if (r.primitive == "radix_sort") return [=] { onepass::radix_sort(where.with(*scratch), in, out); };
  const auto values = values_in(r);
  const auto beside = values_out(r);
  return [=] { onepass::radix_sort_by_key(where.with(*scratch), in, values, out, beside); };
}

template <class T>
call enter_radix_sort(race const& r, how h)
{
  const space exec;
  if (h == how::automatic) return queue_radix_sort<T>(r, onepass::on(exec));
  if (h == how::portable) return queue_radix_sort<T>(r, onepass::portably(exec));
  if constexpr (on_host)
    if (h == how::serial) return queue_radix_sort<T>(r, onepass::serially());
  return {};
}

}  // namespace perf
