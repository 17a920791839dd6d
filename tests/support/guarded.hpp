// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "row.hpp"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace test {

using onepass::extent;

using memory_space = exec_space::memory_space;

template <class T>
using unmanaged = Kokkos::View<T*, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Whether what reads or writes beyond a buffer stops the program: it ends at an unmapped page (tests/trust/fence.cpp).
inline bool fenced()
{
  static bool const now = std::getenv("ONEPASS_FENCE") != nullptr;
  return now;
}

/// Memory for items with canaries on both sides, behind them a fence instead where memory has one. Items that were
/// never written read as poison.
template <class T>
class guarded {
public:
  /// `shift`: the number of items by which they begin after an aligned address, to test unaligned inputs.
  explicit guarded(extent items, extent shift = 0)
      : items_(items)
      , first_byte_(std::size_t(canary_items + shift) * sizeof(T))
      , memory_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "test::guarded"),
                bytes_with(first_byte_, std::size_t(items + behind()) * sizeof(T)))
  {
    // Tests are hardly optimised, and memset always is.
    if constexpr (on_host) std::memset(memory_.data(), poison, memory_.size());
    else Kokkos::deep_copy(memory_, poison);
  }
  explicit guarded(std::vector<T> const& values, extent shift = 0)
      : guarded(extent(values.size()), shift)
  {
    if (values.empty()) return;
    auto const bytes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, memory_);
    std::memcpy(bytes.data() + first_byte_, static_cast<void const*>(values.data()), values.size() * sizeof(T));
    Kokkos::deep_copy(memory_, bytes);
  }

  unmanaged<T> view() const
  {
    return unmanaged<T>(reinterpret_cast<T*>(memory_.data() + first_byte_), std::size_t(items_));
  }
  operator unmanaged<T>() const { return view(); }

  /// The current items. Waits for the device.
  std::vector<T> items() const
  {
    Kokkos::fence("test::guarded");
    auto const bytes        = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, memory_);
    auto const* const first = reinterpret_cast<T const*>(bytes.data() + first_byte_);
    return std::vector<T>(first, first + items_);
  }

  /// Whether nothing was written outside the items.
  bool canaries_alive() const { return poisoned_outside(first_byte_, first_byte_ + std::size_t(items_) * sizeof(T)); }

  /// Whether nothing was written at all.
  bool untouched() const { return poisoned_outside(0, 0); }

private:
  static constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible;

  static constexpr unsigned char poison = 0xa5;
  static constexpr extent canary_items  = 64;

  static extent behind() { return fenced() ? 0 : canary_items; }

  /// The bytes of all. Kokkos rounds them up to whole words; before a fence the items end where the last word does.
  static std::size_t bytes_with(std::size_t& before, std::size_t rest)
  {
    if (fenced()) before += (8 - (before + rest) % 8) % 8;
    return before + rest;
  }

  bool poisoned_outside(std::size_t begin, std::size_t end) const
  {
    Kokkos::fence("test::guarded");
    auto const bytes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, memory_);
    return all_poison(bytes.data(), begin) && all_poison(bytes.data() + end, bytes.size() - end);
  }
  /// Each byte is the one before it, and the first is poison.
  static bool all_poison(unsigned char const* bytes, std::size_t count)
  {
    return count == 0 || (bytes[0] == poison && std::memcmp(bytes, bytes + 1, count - 1) == 0);
  }

  extent items_;
  std::size_t first_byte_;
  Kokkos::View<unsigned char*, memory_space> memory_;
};

/// One item of a View, as a View of rank 0.
template <class T>
auto item_of(unmanaged<T> const& items, extent i)
{
  return Kokkos::View<T, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(items.data() + i);
}

/// A single value in memory that the row's space can access.
template <class T>
class single {
public:
  single() { Kokkos::deep_copy(view_, T{}); }
  explicit single(T const& value) { Kokkos::deep_copy(view_, value); }

  Kokkos::View<T, memory_space> view() const { return view_; }

  T value() const
  {
    Kokkos::fence("test::single");
    T now;
    Kokkos::deep_copy(now, view_);
    return now;
  }

private:
  Kokkos::View<T, memory_space> view_{Kokkos::view_alloc(Kokkos::WithoutInitializing, "test::single")};
};

}  // namespace test
