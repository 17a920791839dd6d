// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "expand_race.hpp"
#include "how.hpp"

#include <onepass/expand.hpp>

#include <memory>

// onepass' own entries; compiled one item type a file.
namespace perf {

template <class T, class Where>
call queue_expand(race const& r, Where const& where)
{
  using exec         = typename Where::execution_space;
  const auto scratch = std::make_shared<onepass::workspace<exec>>(where.space);
  const Kokkos::View<onepass::extent, space> total("total");
  const auto symbols = symbols_of<T>(r);
  const auto lengths = lengths_of<T>(r);
  const auto out     = output_of<T>(r);
  return [=] { onepass::run_length_decode(where.with(*scratch), symbols, lengths, out, total); };
}

template <class T>
call enter_expand(race const& r, how h)
{
  const space exec;
  if (h == how::automatic) return queue_expand<T>(r, onepass::on(exec));
  if (h == how::portable) return queue_expand<T>(r, onepass::portably(exec));
  if constexpr (on_host)
    if (h == how::serial) return queue_expand<T>(r, onepass::serially());
  return {};
}

}  // namespace perf
