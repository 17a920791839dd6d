// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "how.hpp"

#include <onepass/scan.hpp>

#include <memory>

namespace perf {

/// A call that runs queue(place) with a workspace of its own.
template <class Place, class Queue>
call with_workspace(Place const& place, Queue const& queue)
{
  auto const scratch = std::make_shared<onepass::workspace<typename Place::execution_space>>(place.space);
  return [scratch, queue, there = place.with(*scratch)] { queue(there); };
}

/// A call that runs queue(place) on the machine `how`.
template <class Queue>
call on_machine(how h, Queue const& queue)
{
  using onepass::schedule;
  space const exec;
  if (h == how::automatic) return with_workspace(onepass::on(exec), queue);
  if (h == how::portable) return with_workspace(onepass::portably(exec).by(schedule::chained), queue);
  if (h == how::portable_two_pass) return with_workspace(onepass::portably(exec).by(schedule::two_pass), queue);
  if constexpr (on_host) {
    if (h == how::serial) return with_workspace(onepass::serially(), queue);
  } else {
    if (h == how::chained) return with_workspace(onepass::on(exec).by(schedule::chained), queue);
    if (h == how::look_ahead) return with_workspace(onepass::on(exec).by(schedule::look_ahead), queue);
  }
  return {};
}

/// The same, for primitives that also have the canonical tree for floats.
template <class T, class Queue>
call on_machine_of(how h, Queue const& queue)
{
  if constexpr (std::is_floating_point_v<T>)
    if (h == how::canonical) return with_workspace(onepass::canonically(space()), queue);
  return on_machine(h, queue);
}

/// The same, for primitives whose schedule the backend chooses.
template <class Queue>
call on_backend(how h, Queue const& queue)
{
  space const exec;
  if (h == how::automatic) return with_workspace(onepass::on(exec), queue);
  if (h == how::portable) return with_workspace(onepass::portably(exec), queue);
  if constexpr (on_host)
    if (h == how::serial) return with_workspace(onepass::serially(), queue);
  return {};
}

/// A primitive in place, in out[0]. It is called repeatedly, so it must be a variant that changes nothing: all items
/// are kept, or no two neighbours are equal. The first call copies the input there.
template <class T, class Queue>
call in_place(race const& r, Queue const& queue)
{
  return
      [first = true, to = output_of<T>(r), from = input_of<T>(r), queue = on_machine(how::automatic, queue)]() mutable {
        if (first) Kokkos::deep_copy(space(), to, from);
        first = false;
        queue();
      };
}

/// The race's items, with their number on the device.
template <class T>
auto sized_on_device(race const& r)
{
  Kokkos::View<onepass::extent, space> const count("items");
  Kokkos::deep_copy(count, r.items);
  return onepass::first(input_of<T>(r), count);
}

}  // namespace perf
