// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/select.hpp>
#include <onepass/engine/items/program.hpp>
#include <onepass/sequences.hpp>

#include <cstddef>
#include <cstring>
#include <memory>

// The one way from an algorithm to a backend. An algorithm includes the header of the kind that its program is:
// run_items.hpp, run_orders.hpp, run_bins.hpp, run_grids.hpp, run_lanes.hpp, run_ranges.hpp, run_relays.hpp,
// run_rounds.hpp, run_sums.hpp or run_tiles.hpp. Each brings every backend's queue_program() for that kind. The place
// names a backend by a tag in the backend's namespace, so that argument-dependent lookup finds the right one.

namespace onepass::ONEPASS_ABI {

/// The backend that a place names, or the one that serves its space. Canonical tiles are those of Kokkos' teams, except
/// those of item programs (run_items.hpp).
template <place_like Where>
using backend_of = std::conditional_t<
    !std::is_same_v<typename place_of<Where>::backend, automatic_backend>, typename place_of<Where>::backend,
    std::conditional_t<is_canonical<tuning_of<Where>>, kokkos_backend, typename backend_for<space_of<Where>>::type>>;

/// The place, with its backend named.
template <place_like Where>
decltype(auto) resolved(Where const& where)
{
  using backend = backend_of<Where>;
  if constexpr (!is_place<Where>::value) return place<Where, backend>{where};
  else if constexpr (std::is_same_v<backend, typename Where::backend>) return (where);
  else return where.template through<backend>();
}

/// Whether calls at a place have finished when they return, whatever its space.
template <place_like Where>
constexpr bool returns_finished =
    std::is_same_v<backend_of<Where>, serial_backend> || std::is_same_v<backend_of<Where>, host_backend>;

/// Whether what a call at a place has queued has ended when it returns, so that nobody has to wait for it. A thread
/// inside of a kernel may call there, and could not wait.
template <place_like Where>
constexpr bool returns_ended = returns_finished<Where> || runs_at_once<space_of<Where>>;

/// Whether the calling thread does calls at a place alone: it was asked to, or is inside of a kernel, and can not begin
/// another.
template <place_like Where>
bool calls_alone([[maybe_unused]] Where const& where)
{
  if constexpr (std::is_same_v<backend_of<Where>, serial_backend>) return true;
  else if constexpr (on_host<space_of<Where>>) return backends::host::inside_kernel(instance_of(where));
  else return false;
}

namespace detail {
template <class Place, class F>
void with_workspace_of(Place p, char const* label, F const& f)
{
  p.name_if_nameless(label);
  using exec = typename Place::execution_space;
  if (p.scratch) {
    p.scratch->serve(p.space);
    if constexpr (on_host<exec>) {
      try {
        return f(p, *p.scratch);
      } catch (...) {  // of a user's function, say, which the calling thread ran in the middle of a launch
        p.scratch->begin_anew();
        throw;
      }
    } else return f(p, *p.scratch);
  }
  lent_workspace<exec> scratch(p.space, p.label, on_host<exec> && backends::host::regions_around() > 0);
  p.scratch = &*scratch;
  f(p, *p.scratch);
}
}  // namespace detail

/// Calls f with the place, completed by a label and a workspace, and with that workspace: the place's own, or one that
/// is lent to this call. There is one copy of the place, since one counts an instance's owners.
template <place_like Where, class F>
void with_workspace(Where const& where, char const* label, F const& f)
{
  detail::with_workspace_of(place_of<Where>(on(where)), label, f);
}

/// Calls f with so many bytes of plain memory. Where calls return finished few are the call's own, since to ask for a
/// workspace takes as long as a hundred items.
template <place_like Where, class F>
void with_plain_memory(Where const& where, char const* label, std::size_t bytes, F const& f)
{
  if constexpr (returns_finished<Where>) {
    constexpr std::size_t few = 4096;
    if (bytes <= few) {
      alignas(64) std::byte memory[few];
      return f(memory);
    }
  }
  with_workspace(where, label, [&](auto const&, auto& scratch) { f(scratch.plain(bytes)); });
}

namespace detail {

/// A variable of the host as a View of rank 0, in memory that Exec reaches.
template <class T, class Space>
using value_in = Kokkos::View<T, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

}  // namespace detail

/// Whether a call's result goes neither to a View nor nowhere, but to a variable of the host.
template <class Result>
constexpr bool is_variable =
    !(Kokkos::is_view_v<std::remove_cvref_t<Result>> || std::is_same_v<std::remove_cvref_t<Result>, nothing>);

/// Calls f with a place and a View of rank 0 that receives a result: the one that the caller gave. If it gave a
/// variable of the host, the View stands for it, and this returns when the result is there. Results of one call take
/// different slots, 0 or 1.
template <int Slot = 0, place_like Where, class Result, class F>
void with_result(Where const& where, Result&& result, F const& f)
{
  if constexpr (!is_variable<Result>) f(where, result);
  else {
    using T    = std::remove_reference_t<Result>;
    using exec = space_of<Where>;
    static_assert(std::is_lvalue_reference_v<Result> && !std::is_const_v<T>,
                  "onepass: a result goes to a View of rank 0 or to a variable");
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= workspace<exec>::result_bytes,
                  "onepass: a variable for a result must be trivially copyable and have at most 64 bytes");
    detail::value_in<T, Kokkos::HostSpace> const here(std::addressof(result));
    if constexpr (on_host<exec>) {
      f(where, here);
      if constexpr (!returns_ended<Where>) on(where).space.fence("onepass: a result is a variable of the host");
    } else {
      auto const& at       = on(where);
      auto const by_way_of = [&](auto const& place, workspace<exec>& scratch) {
        detail::value_in<T, typename exec::memory_space> const there(reinterpret_cast<T*>(scratch.result(Slot)));
        f(place, there);
        if constexpr (!workspace<exec>::results_are_read) Kokkos::deep_copy(at.space, here, there);
        at.space.fence("onepass: a result is a variable of the host");
        if constexpr (workspace<exec>::results_are_read) std::memcpy(std::addressof(result), there.data(), sizeof(T));
      };
      if (at.scratch) at.scratch->serve(at.space), by_way_of(at, *at.scratch);
      else {
        lent_workspace<exec> scratch(at.space, at.label.empty() ? "onepass::result" : at.label);
        by_way_of(at.with(*scratch), *scratch);
      }
    }
  }
}

namespace detail {

/// A backend that wants neither a label nor a workspace for such a program.
template <class Backend, class Where, class Program, class... Size>
concept queues_at_once = requires(Where const& where, Program const& program, Size const&... size)
{
  queue_at_once(Backend{}, where, program, size...);
};

/// One that may finish a small call at once, also without a label and a workspace, which cost as much as some hundred
/// items; finished_at_once() tells whether it did. Where it may wake threads, the last argument is the call's label.
template <class Backend, class Where, class Program, class... Size>
concept may_finish_at_once = requires(Where const& where, Program const& program, Size const&... size)
{
  {
    finished_at_once(Backend{}, where, program, size...)
    } -> std::same_as<bool>;
};

/// One that wants no workspace.
template <class Place, class Program, class... Size>
concept queues_alone = requires(Place const& place, Program const& program, Size const&... size)
{
  queue_program(place, program, size...);
};

/// One that may finish few items on the spot: a call, and a program in memory, take as long as those.
template <class Backend, class Where, class Program, class... Size>
concept may_finish_on_the_spot = requires(Where const& where, Program const& program, Size const&... size)
{
  {
    finished_on_the_spot(Backend{}, where, program, size...)
    } -> std::same_as<bool>;
};

/// Whether the place's backend has finished the call at once.
template <place_like Where, class Program, class... Size>
bool is_finished_at_once([[maybe_unused]] Where const& where, [[maybe_unused]] Program const& program,
                         [[maybe_unused]] Size const&... size)
{
  using backend = backend_of<Where>;
  if constexpr (may_finish_at_once<backend, Where, Program, Size...>)
    return finished_at_once(backend{}, where, program, size...);
  else return false;
}

template <place_like Where, class Program, class... Size>
void run_elsewhere(Where const& where, char const* label, Program const& program, Size const&... size)
{
  using exec    = space_of<Where>;
  using backend = backend_of<Where>;
  using there   = decltype(resolved(where));
  static_assert(!is_exact<tuning_of<Where>>, "onepass: this has no exact form; exactly() is for sums");
  static_assert(on_host<exec> || !(std::is_same_v<backend, serial_backend> || std::is_same_v<backend, host_backend>),
                "onepass: the serial backend and the host backend run on host spaces");
  backends::host::inside_call const here;
  if constexpr (may_finish_at_once<backend, Where, Program, Size...>) {
    if (finished_at_once(backend{}, where, program, size...)) return;
  } else if (is_finished_at_once(where, program, size..., label)) return;
  if constexpr (queues_at_once<backend, Where, Program, Size...>) queue_at_once(backend{}, where, program, size...);
  else if constexpr (queues_alone<there, Program, Size...>)
    queue_program(resolved(on(where).or_named(label)), program, size...);
  else
    with_workspace_of(std::remove_cvref_t<there>(resolved(where)), label,
                      [&](auto const& p, workspace<exec>& scratch) { queue_program(p, program, size..., scratch); });
}

/// Queues a program, unless it is finished on the spot.
template <place_like Where, class Program, class... Size>
[[gnu::always_inline]] inline void run_program(Where const& where, char const* label, Program const& program,
                                               Size const&... size)
{
  using backend = backend_of<Where>;
  if constexpr (may_finish_on_the_spot<backend, Where, Program, Size...>) {
    if (finished_on_the_spot(backend{}, where, program, size...)) return;
    Program const in_memory = program;  // a copy, so that on the spot it is in registers
    run_elsewhere(where, label, in_memory, size...);
  } else run_elsewhere(where, label, program, size...);
}

}  // namespace detail

/// Queues a program of any kind at a place. `size` is the number of items of an item, order or bin program (an
/// item_count), or the most positions that a range program has (an extent). Nothing is fenced, and nothing is allocated
/// when the place, or the pool, has a workspace that is large enough.
template <place_like Where, class Program, class Size>
[[gnu::always_inline]] inline void run(Where const& where, Program const& program, Size const& size, char const* label)
{
  if constexpr (is_canonical<tuning_of<Where>> && item_program<Program>) run_canonical(where, program, size, label);
  else detail::run_program(where, label, program, size);
}

/// The same for programs that know their size: grid, lane and tile programs.
template <place_like Where, class Program>
[[gnu::always_inline]] inline void run(Where const& where, Program const& program, char const* label)
{
  detail::run_program(where, label, program);
}

namespace detail {
template <class Predicate>
struct smallest_index {
  Predicate predicate;
  KOKKOS_FUNCTION void operator()(extent i, extent& first) const
  {
    if (i < first && predicate(i)) first = i;
  }
};
}  // namespace detail

/// The smallest i below n with predicate(i), or n. Waits for the answer.
template <place_like Where, class Predicate>
extent find_first(Where const& where, extent n, Predicate const& predicate, std::string const& label)
{
  extent first = n;
  if constexpr (on_host<space_of<Where>>)
    if (calls_alone(where)) {
      for (extent i = 0; i < n; ++i)
        if (predicate(i)) return i;
      return n;
    }
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<space_of<Where>, Kokkos::IndexType<extent>>(on(where).space, 0, n),
                          detail::smallest_index<Predicate>{predicate}, Kokkos::Min<extent>(first));
  return first;
}

/// Calls body(i) for every i below n at a place, in any order: for algorithms whose items are independent. So few that
/// waking threads would take as long, `few`, are the calling thread's on a host. A body may do many at once for a
/// thread of a host: alone(first, last).
template <place_like Where, class Body>
void run_each(Where const& where, Body const& body, extent n, char const* label, [[maybe_unused]] extent few = 0)
{
  using exec    = space_of<Where>;
  using backend = backend_of<Where>;
  static_assert(!is_exact<tuning_of<Where>>, "onepass: this has no exact form; exactly() is for sums");
  if constexpr (returns_finished<Where>)
    if (n <= few || std::is_same_v<backend, serial_backend>) return backends::host::do_all(body, 0, n);
  auto const& p    = on(where);
  auto const named = p.label.empty() ? std::string("onepass::") + label : p.label;
  if constexpr (std::is_same_v<backend, host_backend>) {
    extent const threads = backends::host::threads_for(p.space, n * 8, 1);  // a call taken for 8 bytes
    backends::host::each(named, p.space, threads, n, body);
  } else if constexpr (!std::is_same_v<backend, serial_backend>)
    Kokkos::parallel_for(named, Kokkos::RangePolicy<exec, Kokkos::IndexType<extent>>(p.space, 0, n), body);
}

}  // namespace onepass::ONEPASS_ABI
