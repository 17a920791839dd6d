// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/select.hpp>

#include <onepass/backends/host/launch.hpp>
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/ranges.hpp>
#include <onepass/backends/serial/launch.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/launch.hpp>
#endif

namespace onepass {

namespace detail {
template <where Where>
using backend_of = std::conditional_t<std::is_same_v<typename place_of<Where>::backend, automatic_backend>,
                                      typename backend_for<space_of<Where>>::type, typename place_of<Where>::backend>;

template <where Where>
constexpr bool on_calling_thread = std::is_same_v<backend_of<Where>, serial_backend>;
}  // namespace detail

/// Calls f with the place and its workspace, or one for this call alone where it has none, and a label.
template <where Where, class F>
void with_workspace(Where const& somewhere, char const* label, F const& f)
{
  auto p = on(somewhere);
  if (p.label.empty()) p.label = label;
  if (p.scratch) f(p, *p.scratch);
  else {
    workspace<space_of<Where>> scratch(p.space);
    f(p.with(scratch), scratch);
  }
}

/// The one way down: runs `program` over `count` items at a place, asynchronously. Nothing is fenced, and nothing
/// allocated when the place has a workspace that is large enough.
template <where Where, item_program Program>
void run(Where const& somewhere, Program const& program, item_count count, char const* label)
{
  using backend = detail::backend_of<Where>;

  if constexpr (std::is_same_v<backend, serial_backend>) backends::serial::run(on(somewhere).template through<backend>(), program, count);
  else
    with_workspace(somewhere, label, [&](auto const& p, workspace<space_of<Where>>& scratch) {
      const auto there = p.template through<backend>();
      if constexpr (std::is_same_v<backend, kokkos_backend>) backends::kokkos::run(there, program, count, scratch);
      else if constexpr (std::is_same_v<backend, host_backend>) backends::host::run(there, program, count, scratch);
#ifdef ONEPASS_HAS_CUDA
      else if constexpr (std::is_same_v<backend, cuda_backend>) backends::cuda::run(there, program, count, scratch);
#endif
    });
}

/// Calls f(i) for every i below n, in any order, asynchronously.
template <where Where, class F>
void each(Where const& somewhere, std::string const& label, extent n, F const& f)
{
  if constexpr (detail::on_calling_thread<Where>)
    for (extent i = 0; i < n; ++i) f(i);
  else {
    using exec = space_of<Where>;
    Kokkos::parallel_for(label, Kokkos::RangePolicy<exec, Kokkos::IndexType<extent>>(on(somewhere).space, 0, n), f);
  }
}

/// Runs a range program (kokkos/ranges.hpp) over at most `limit` positions, asynchronously.
template <where Where, class Program>
void run_ranges(Where const& somewhere, std::string const& label, Program const& program, extent limit)
{
  using backend = detail::backend_of<Where>;
  if constexpr (std::is_same_v<backend, serial_backend>) program.alone(0, program.size());
  else if constexpr (std::is_same_v<backend, host_backend>) {
    constexpr extent items = std::is_same_v<typename place_of<Where>::tuning, tiny_tuning> ? 16 : extent(1) << 16;
    const extent     n     = program.size();
    each(somewhere, label, div_up(n, items), [=](extent t) { program.alone(t * items, t * items + items < n ? t * items + items : n); });
  } else backends::kokkos::run_ranges(on(somewhere).template through<kokkos_backend>(), label, program, limit);
}

}  // namespace onepass
