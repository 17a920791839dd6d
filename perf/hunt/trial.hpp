// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "dice.hpp"
#include "harness/race.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

// A case of a hunt, before and after its inputs are made.
namespace perf::hunt {

template <class T>
using device_items = Kokkos::View<T*, space>;

/// Counts the items that are not as expected. Compares by value: a sum may be a zero of either sign.
template <class T>
struct unexpected {
  T const *got, *wanted;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const { count += !(got[i] == wanted[i]); }
};

/// The contents of an output before a contender writes it.
inline constexpr std::byte poison{0xa5};

/// Counts the bytes that are not poison.
struct touched {
  std::byte const* bytes;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const { count += bytes[i] != poison; }
};

/// The total of f(i, count) over i < n.
template <class F>
std::int64_t count_of(std::int64_t n, F const& f)
{
  std::int64_t count = 0;
  Kokkos::parallel_reduce("compare", Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n), f, count);
  return count;
}

/// The number of items that a contender wrote: in the space, or on the host if the contender returns it.
struct counter {
  Kokkos::View<std::int64_t, space> here;
  Kokkos::View<std::int64_t, Kokkos::HostSpace> told;
};

/// A contender and its call.
struct runner {
  std::string name;
  call queue;
};

/// The inputs, the outputs with their expected contents, and the contenders of a case.
class trial {
public:
  explicit trial(bool bare)
      : bare_(bare)
  {}

  /// Whether onepass gets no workspace, and takes memory for itself.
  bool bare() const { return bare_; }

  /// A copy of the items on the device, which lives as long as the trial. It begins `begin` items after an aligned
  /// address.
  template <class T>
  device_items<T> input(std::vector<T> const& items, std::int64_t begin = 0)
  {
    auto const to = room<T>(std::int64_t(items.size()), begin);
    Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const from(items.data(), items.size());
    Kokkos::deep_copy(to, from);
    inputs_.push_back(std::make_shared<device_items<T>>(to));
    return to;
  }

  /// An output with room for `room_for` items, in which `wanted` is expected. Nothing may be written after these.
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

  /// An output that is verified by the family's own check.
  template <class T>
  device_items<T> unchecked_output(std::int64_t room_for, std::int64_t begin = 0)
  {
    auto const out = room<T>(room_for, begin);
    poisons_.push_back([bytes = bytes_of(out)] { Kokkos::deep_copy(bytes, poison); });
    return out;
  }

  /// An expected count, which the contender writes to either place.
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

  /// Spoils an output of the family's own before a contender writes it.
  void poison_by(std::function<void()> spoil_one) { poisons_.push_back(std::move(spoil_one)); }

  /// Adds a contender.
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

  bool bare_;
  std::vector<std::shared_ptr<void>> inputs_;
  std::vector<std::function<void()>> poisons_;
  std::vector<std::function<bool()>> checks_;
  std::vector<runner> runners_;
};

/// A case that is drawn, before its memory is allocated.
struct drawn {
  std::int64_t items;
  std::string shape;  ///< all that was drawn, as text
  std::size_t bytes;  ///< that it needs on the device, about
  std::function<void(trial&)> make;
  bool bare = false;
};

/// A family with one item type. draw() must not depend on the machine or the build.
struct cell {
  std::string family, type;
  drawn (*draw)(dice const&);
};

/// All cells; CMake lists them.
std::vector<cell> const& cells();

/// The cell of a case: first a family is drawn, then one of its types.
cell const& cell_of(dice const& d);

/// The parts as one text.
template <class... Part>
std::string text(Part const&... part)
{
  std::ostringstream all;
  (all << ... << part);
  return all.str();
}

/// A case of items in some `Shape`, from one View to another: make(trial, n, shape, in, out, more...), where in and out
/// say where the two begin.
template <class Shape, class Make, class... More>
drawn drawn_for(dice const& d, std::size_t bytes_an_item, Make const& make, More const&... more)
{
  auto const n = d.items();
  Shape const shape(d);
  auto const in = d.begin("in"), out = d.begin("out");
  return {n, text(shape.shape(), " in+", in, " out+", out), std::size_t(n) * bytes_an_item,
          [=](trial& t) { make(t, n, shape, in, out, more...); }};
}

}  // namespace perf::hunt
