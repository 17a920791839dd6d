// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "dice.hpp"
#include "harness/race.hpp"

#include <algorithm>
#include <sstream>

// A case of a hunt, before and after its inputs are made.
namespace perf::hunt {

template <class T>
using device_items = Kokkos::View<T*, space>;

/// Counts the items that are not as expected. By value: a sum may be a zero of either sign.
template <class T>
struct unexpected {
  T const *got, *wanted;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const { count += !(got[i] == wanted[i]); }
};

/// What is in an output before a contender writes it.
inline constexpr std::byte poison{0xa5};

/// Counts the bytes that are no poison.
struct touched {
  std::byte const* bytes;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const { count += bytes[i] != poison; }
};

/// How often f(i, count) counts for i < n.
template <class F>
std::int64_t count_of(std::int64_t n, F const& f)
{
  std::int64_t count = 0;
  Kokkos::parallel_reduce("compare", Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n), f, count);
  return count;
}

/// Where a contender writes how many items it wrote: in the space, or on the host if it returns there.
struct counter {
  Kokkos::View<std::int64_t, space> here;
  Kokkos::View<std::int64_t, Kokkos::HostSpace> told;
};

/// A contender and what it queues.
struct runner {
  std::string name;
  call queue;
};

/// Inputs, outputs with what is expected in them, and who races.
class trial {
public:
  /// The items, on the device, where they begin `begin` items behind an aligned address.
  template <class T>
  device_items<T> input(std::vector<T> const& items, std::int64_t begin = 0)
  {
    auto const to = room<T>(std::int64_t(items.size()), begin);
    Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const from(items.data(), items.size());
    Kokkos::deep_copy(to, from);
    return to;
  }

  /// An output with room for so many items, in which `wanted` is expected; nothing may be written behind those.
  template <class T>
  device_items<T> output(std::vector<T> const& wanted, std::int64_t room_for, std::int64_t begin = 0)
  {
    auto const out          = unchecked_output<T>(room_for, begin);
    auto const wanted_there = input(wanted);
    auto const spare        = bytes_of(Kokkos::subview(out, std::pair(wanted.size(), std::size_t(room_for))));
    checks_.push_back([=] {
      return count_of(std::int64_t(wanted_there.size()), unexpected<T>{out.data(), wanted_there.data()}) == 0
             && count_of(std::int64_t(spare.size()), touched{spare.data()}) == 0;
    });
    return out;
  }

  /// An output that the family judges itself.
  template <class T>
  device_items<T> unchecked_output(std::int64_t room_for, std::int64_t begin = 0)
  {
    auto const out = room<T>(room_for, begin);
    poisons_.push_back([bytes = bytes_of(out)] { Kokkos::deep_copy(bytes, poison); });
    return out;
  }

  /// A count that is told by one of two ways.
  counter count(std::int64_t wanted)
  {
    counter const c{Kokkos::View<std::int64_t, space>("count"), Kokkos::View<std::int64_t, Kokkos::HostSpace>("told")};
    poisons_.push_back([=] {
      Kokkos::deep_copy(c.here, -1);
      c.told() = -1;
    });
    checks_.push_back([=] {
      std::int64_t found = 0;
      Kokkos::deep_copy(found, c.here);
      return found == wanted || c.told() == wanted;
    });
    return c;
  }

  void check(std::function<bool()> right) { checks_.push_back(std::move(right)); }

  /// Onepass enters first.
  void enter(std::string name, call queue) { runners_.push_back({std::move(name), std::move(queue)}); }

  std::vector<runner> const& runners() const { return runners_; }

  void spoil() const
  {
    for (auto const& spoil_one : poisons_) spoil_one();
  }

  bool right() const
  {
    return std::all_of(checks_.begin(), checks_.end(), [](auto const& right_in) { return right_in(); });
  }

private:
  using bytes_view = Kokkos::View<std::byte*, space, Kokkos::MemoryUnmanaged>;

  template <class View>
  static bytes_view bytes_of(View const& view)
  {
    return bytes_view(reinterpret_cast<std::byte*>(view.data()), view.size() * sizeof(typename View::value_type));
  }

  template <class T>
  static device_items<T> room(std::int64_t n, std::int64_t begin)
  {
    device_items<T> const all(Kokkos::view_alloc("items", Kokkos::WithoutInitializing), std::size_t(begin + n));
    return Kokkos::subview(all, std::pair(std::size_t(begin), std::size_t(begin + n)));
  }

  std::vector<std::function<void()>> poisons_;
  std::vector<std::function<bool()>> checks_;
  std::vector<runner> runners_;
};

/// A case that is drawn and takes no memory yet.
struct drawn {
  std::int64_t items;
  std::string shape;  ///< all that was drawn, to be read
  std::size_t bytes;  ///< about what it takes on the device
  std::function<void(trial&)> make;
};

/// A family with one item type. drawn() must not depend on the machine or the build.
struct cell {
  std::string family, type;
  drawn (*draw)(dice const&);
};

/// All that there are; CMake lists them.
std::vector<cell> const& cells();

/// The case's own: a family, then one of its types. More families or types change only the cases that they take.
cell const& cell_of(dice const& d);

/// The parts as one text.
template <class... Part>
std::string text(Part const&... part)
{
  std::ostringstream all;
  (all << ... << part);
  return all.str();
}

}  // namespace perf::hunt
