// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/checks.hpp>
#include <onepass/engine/places.hpp>
#include <onepass/ranks/programs/exchange.hpp>

#include <optional>

namespace onepass::ONEPASS_ABI::ranks::detail {

#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
using pinned_space = Kokkos::SharedHostPinnedSpace;
#else
using pinned_space = Kokkos::HostSpace;
#endif

template <class T, class Space>
using unmanaged_items = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// n items in memory of a space, as a View.
template <class Exec, class T>
auto view_at(T* memory, extent n)
{
  return unmanaged_items<T, typename Exec::memory_space>(memory, std::size_t(n));
}

/// One item in memory of a space, as a View.
template <class Exec, class T>
auto scalar_at(T* memory)
{
  return Kokkos::View<T, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(memory);
}

template <class Exec>
constexpr residence residence_of = on_host<Exec> ? residence::host : residence::device;

/// Memory of a place for n items, with any content.
template <class T, place_like Where>
auto room_for(Where const& where, extent n)
{
  using exec = space_of<Where>;
  return Kokkos::View<T*, typename exec::memory_space>(
      Kokkos::view_alloc(on(where).space, Kokkos::WithoutInitializing, "onepass::ranks"), std::size_t(n));
}

/// The same for as long as this exists, out of a workspace that is kept for calls on the space's default instance, if
/// it is not too large (keep_workspaces()).
template <class T, class Exec>
class lent_room {
public:
  template <place_like Where>
  lent_room(Where const& where, extent n)
      : scratch_(on(where).space, "onepass::ranks")
      , items_(reinterpret_cast<T*>((*scratch_).plain(std::size_t(n) * sizeof(T))), std::size_t(n))
  {}
  /// The memory, which stays this one's.
  unmanaged_items<T, typename Exec::memory_space> const& items() const { return items_; }
  T* data() const { return items_.data(); }

private:
  lent_workspace<Exec> scratch_;
  unmanaged_items<T, typename Exec::memory_space> items_;
};

/// A place with a workspace, its own or one that is lent to it, that has room for a result. Made before ranks agree to
/// queue kernels that wait for each other: a rank that found no memory behind that would leave the others' running.
template <class Place>
class ready_place {
public:
  explicit ready_place(Place const& where)
      : at_(where)
  {
    if (!at_.scratch) at_.scratch = &*lent_.emplace(at_.space, at_.label);
    at_.scratch->result(0);
  }
  Place const& at() const { return at_; }

private:
  std::optional<lent_workspace<typename Place::execution_space>> lent_;
  Place at_;
};

/// Memory that the host and the device reach, which stays with a transport from call to call, as long as it is not too
/// large: it takes longer to allocate than to fill.
class pinned_buffers {
public:
  using buffer = Kokkos::View<std::byte*, pinned_space>;

  static pinned_buffers& of(transport& all)
  {
    if (!all.left()) all.left() = std::make_shared<pinned_buffers>();
    return *static_cast<pinned_buffers*>(all.left().get());
  }

  /// Number k, of two, with room for n items. Valid until it is asked for again.
  template <class T>
  unmanaged_items<T, pinned_space> items(int k, extent n)
  {
    auto const bytes = std::size_t(n) * sizeof(T);
    return unmanaged_items<T, pinned_space>(reinterpret_cast<T*>(with(k, bytes, bytes).data()), std::size_t(n));
  }
  /// The same in bytes. More than `most_kept` of them go with what is returned.
  buffer with(int k, std::size_t bytes, std::size_t most_kept = std::size_t(256) << 20)
  {
    auto& kept = kept_[std::size_t(k)];
    if (kept.size() >= bytes) return kept;
    buffer const made(Kokkos::view_alloc(Kokkos::WithoutInitializing, "onepass::ranks (pinned)"), bytes);
    if (bytes <= most_kept) kept = made;
    return made;
  }

  /// Has both ready for so many bytes: before ranks wait for each other.
  void reserve(std::size_t bytes)
  {
    for (int const k : {0, 1}) with(k, bytes);
  }

private:
  std::array<buffer, 2> kept_;
};

/// The n items that kernels write where the host reads them: queue(to) queues these. Waits.
template <class T, place_like Where, class Queue>
std::vector<T> written(transport& all, Where const& where, extent n, Queue const& queue)
{
  auto const found = pinned_buffers::of(all).items<T>(1, n);
  queue(found.data());
  on(where).space.fence("onepass::ranks: the host reads what kernels wrote");
  return {found.data(), found.data() + n};
}

/// to(i) = from(i), for as many as `from` has.
template <place_like Where, class From, class To>
void copy_items(Where const& where, From const& from, To const& to)
{
  onepass::run_each(where, copy_values<From, To>{from, to}, from.size, "ranks::copy");
}

/// Room for n items one behind another: where those of a View lie, or of its own where these have gaps or there is no
/// View. It takes memory, and so is made before ranks tell each other that nothing is wrong.
template <class T, class Exec>
class packed_room {
public:
  template <place_like Where, class Items>
  packed_room(Where const& where, [[maybe_unused]] Items const& items, extent n)
  {
    if constexpr (Kokkos::is_view_v<Items>)
      if (items.span_is_contiguous()) {
        at_ = items.data();
        return;
      }
    at_ = own_.emplace(where, n).data();
  }
  T* data() const { return at_; }

  /// Copies the View's items to here, if they are not there.
  template <place_like Where, class Items>
  void read(Where const& where, Items const& items) const
  {
    if (own_) copy_items(where, as_input(items), as_sequence(own_->items()));
  }
  /// Copies them back. Waits.
  template <place_like Where, class Items>
  void write(Where const& where, Items const& items) const
  {
    if (!own_) return;
    copy_items(where, as_input(own_->items()), as_sequence(items));
    on(where).space.fence("onepass::ranks: the copy is dropped");
  }

private:
  T* at_ = nullptr;
  std::optional<lent_room<std::remove_const_t<T>, Exec>> own_;
};

/// How items travel: those of positions to[r] go to rank r, and those of rank r arrive from position from[r] on.
struct route {
  std::vector<std::pair<extent, extent>> to;  ///< an entry a rank
  std::vector<extent> from;                   ///< an entry a rank, and the end

  extent received() const { return from.back(); }
};

/// The route of items that lie in the order of ranks, where this rank has `to[r]` up to `to[r + 1]` for rank r: ranks
/// tell each other how many come.
inline route announced(transport& all, std::vector<extent> const& begins)
{
  route way;
  std::vector<extent> counts;
  for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
    way.to.emplace_back(begins[r], begins[r + 1]);
    counts.push_back(begins[r + 1] - begins[r]);
  }
  way.from.push_back(0);
  for (extent const n : swapped(all, counts)) way.from.push_back(way.from.back() + n);
  return way;
}

/// Takes out of a route what a rank keeps; where this begins, and how many items it has.
inline std::pair<extent, extent> kept_back(route& way, int rank)
{
  auto& own = way.to[std::size_t(rank)];
  std::pair const kept(own.first, own.second - own.first);
  own.second = own.first;
  for (auto r = std::size_t(rank) + 1; r < way.from.size(); ++r) way.from[r] -= kept.second;
  return kept;
}

/// How items that lie in blocks get to other blocks, in the same order: begins of both, an entry a rank and the end.
inline route between_blocks(std::vector<extent> const& have, std::vector<extent> const& want, int rank)
{
  auto const me = std::size_t(rank);
  route way;
  auto const here = [&](extent at) { return std::clamp(at, have[me], have[me + 1]) - have[me]; };
  for (std::size_t r = 0; r + 1 < want.size(); ++r) way.to.emplace_back(here(want[r]), here(want[r + 1]));
  for (extent const begin : have) way.from.push_back(std::clamp(begin, want[me], want[me + 1]) - want[me]);
  return way;
}

/// Sends items along a route: from `from`, an address in memory of the place, to `into`.
template <class T, place_like Where>
void send_along(transport& all, Where const& where, route const& way, T const* from, T* into)
{
  using exec       = space_of<Where>;
  bool const stays = on_host<exec> || all.takes_device_memory();
  extent first = way.to.front().first, last = first;
  for (auto const& [begin, end] : way.to) first = std::min(first, begin), last = std::max(last, end);
  auto const exchange = [&](std::byte const* out, std::byte* in) {
    std::vector<piece<std::byte const>> to;
    std::vector<piece<std::byte>> back;
    for (std::size_t r = 0; r < way.to.size(); ++r) {
      auto const [begin, end] = way.to[r];
      to.push_back({out + std::size_t(begin - first) * sizeof(T), std::size_t(end - begin) * sizeof(T)});
      back.push_back(
          {in + std::size_t(way.from[r]) * sizeof(T), std::size_t(way.from[r + 1] - way.from[r]) * sizeof(T)});
    }
    all.exchange_payloads(to, back, stays ? residence_of<exec> : residence::host);
  };
  auto const& space     = on(where).space;
  auto const* const out = reinterpret_cast<std::byte const*>(from + first);
  auto* const in        = reinterpret_cast<std::byte*>(into);
  auto const sent = std::size_t(last - first) * sizeof(T), received = std::size_t(way.received()) * sizeof(T);
  if (stays) {
    space.fence("onepass::ranks: items leave");
    return exchange(out, in);
  }
  pinned_buffers::buffer leaves, arrives;
  told(all, [&] {
    leaves  = pinned_buffers::of(all).with(0, sent);
    arrives = pinned_buffers::of(all).with(1, received);
    return true;
  });
  using here = unmanaged_items<std::byte, pinned_space>;
  here const leaving(leaves.data(), sent), arriving(arrives.data(), received);
  Kokkos::deep_copy(space, leaving, unmanaged_items<std::byte const, typename exec::memory_space>(out, sent));
  space.fence("onepass::ranks: items leave");
  exchange(leaving.data(), arriving.data());
  Kokkos::deep_copy(space, unmanaged_items<std::byte, typename exec::memory_space>(in, received), arriving);
  space.fence("onepass::ranks: items have arrived");
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
