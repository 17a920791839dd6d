// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/checks.hpp>
#include <onepass/ranks/programs/exchange.hpp>

namespace onepass::ranks::detail {

#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
using pinned_space = Kokkos::SharedHostPinnedSpace;
#else
using pinned_space = Kokkos::HostSpace;
#endif

template <class T, class Space>
using unmanaged_items = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Memory of a place for n items, with any content.
template <class T, place_like Where>
auto room_for(Where const& where, extent n)
{
  using exec = space_of<Where>;
  return Kokkos::View<T*, typename exec::memory_space>(
      Kokkos::view_alloc(on(where).space, Kokkos::WithoutInitializing, "onepass::ranks"), std::size_t(n));
}

template <class From, class To>
struct copy_item {
  From from;
  To to;
  ONEPASS_FUNCTION void operator()(extent i) const { to(i) = static_cast<typename To::value_type>(from(i)); }
};
/// to(i) = from(i), for as many as `from` has.
template <place_like Where, class From, class To>
void copy_items(Where const& where, From const& from, To const& to)
{
  run_each(where, copy_item<From, To>{from, to}, from.size, "ranks::copy");
}

/// Calls f with the items of a View one behind another: where they lie, or as a copy. Written ones are copied back.
template <bool Written, place_like Where, class Items, class F>
void with_contiguous(Where const& where, Items const& items, F const& f)
{
  using T        = typename Items::non_const_value_type;
  extent const n = extent(items.extent(0));
  if (items.span_is_contiguous()) return f(items.data());
  auto const copy = room_for<T>(where, n);
  if constexpr (!Written) copy_items(where, as_input(items), as_sequence(copy));
  f(copy.data());
  if constexpr (Written) {
    copy_items(where, as_input(copy), as_sequence(items));
    on(where).space.fence("onepass::ranks: the copy is dropped");
  }
}

/// Items begin(r) to begin(r + 1) - 1 of `from` go to rank r, which puts what it gets behind one another, in the order
/// of ranks. The plan: where the items for each rank begin, and where those from each rank do.
struct route {
  std::vector<extent> to, from;  ///< an entry a rank and the end

  extent sent() const { return to.back() - to.front(); }
  extent received() const { return from.back(); }
};

/// Sends items along a route: from `from`, an address in memory of the place, to `into`.
template <class T, place_like Where>
void send_along(transport& all, Where const& where, route const& way, T const* from, T* into)
{
  using exec          = space_of<Where>;
  auto const exchange = [&](std::byte const* out, std::byte* in) {
    std::vector<piece<std::byte const>> to;
    std::vector<piece<std::byte>> back;
    for (std::size_t r = 0; r + 1 < way.to.size(); ++r) {
      to.push_back({out + std::size_t(way.to[r] - way.to.front()) * sizeof(T),
                    std::size_t(way.to[r + 1] - way.to[r]) * sizeof(T)});
      back.push_back(
          {in + std::size_t(way.from[r]) * sizeof(T), std::size_t(way.from[r + 1] - way.from[r]) * sizeof(T)});
    }
    all.exchange_payloads(to, back);
  };
  auto const& space = on(where).space;
  from += way.to.front();
  auto const* const out = reinterpret_cast<std::byte const*>(from);
  auto* const in        = reinterpret_cast<std::byte*>(into);
  auto const sent = std::size_t(way.sent()) * sizeof(T), received = std::size_t(way.received()) * sizeof(T);
  if (on_host<exec> || all.takes_device_memory()) {
    space.fence("onepass::ranks: items leave");
    return exchange(out, in);
  }
  using here = Kokkos::View<std::byte*, pinned_space>;
  here const leaving(Kokkos::view_alloc(Kokkos::WithoutInitializing, "onepass::ranks (leaving)"), sent);
  here const arriving(Kokkos::view_alloc(Kokkos::WithoutInitializing, "onepass::ranks (arriving)"), received);
  Kokkos::deep_copy(space, leaving, unmanaged_items<std::byte const, typename exec::memory_space>(out, sent));
  space.fence("onepass::ranks: items leave");
  exchange(leaving.data(), arriving.data());
  Kokkos::deep_copy(space, unmanaged_items<std::byte, typename exec::memory_space>(in, received), arriving);
  space.fence("onepass::ranks: items have arrived");
}

}  // namespace onepass::ranks::detail
