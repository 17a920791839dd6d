// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/registers.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI {

/// An order program in which the places of items in the input, of type Index, move along with them in place of the
/// values.
template <order_program P, class Index>
struct places_program {
  using item_type = item_of<P>;

  P program;
  contiguous<Index> places;

  ONEPASS_FUNCTION auto input() const { return program.input(); }
  ONEPASS_FUNCTION auto output() const { return program.output(); }
  ONEPASS_FUNCTION counting<Index> values() const { return {0, places.size}; }
  ONEPASS_FUNCTION contiguous<Index> values_output() const { return places; }
  ONEPASS_FUNCTION bool in_place() const { return program.in_place(); }
  ONEPASS_FUNCTION int bits() const { return program.bits(); }
  ONEPASS_FUNCTION std::uint32_t digit(item_type const& item, int at, int width) const
  {
    return program.digit(item, at, width);
  }
  ONEPASS_FUNCTION void counted(int bin, extent items) const { program.counted(bin, items); }
};

/// Whether values are moved once, when the places of all items are known: values of more than two words take longer to
/// move in every pass, of more than three where keys are so short that there are two passes.
template <order_program P>
constexpr bool values_wait = carries_values<P> && sizeof(value_of<P>) > (sizeof(item_of<P>) <= 2 ? 12 : 8);

/// to(i) = from(places(i)), where an item has `Units` units: neighbouring threads write neighbouring units.
template <class Index, int Units, class From, class To>
struct gather_units {
  contiguous<Index> places;
  From from;
  To to;
  ONEPASS_FUNCTION void operator()(extent i) const { to(i) = from(extent(places(i / Units)) * Units + i % Units); }
};

template <class From, class To>
struct copy_values {
  From from;
  To to;
  ONEPASS_FUNCTION void operator()(extent i) const { to(i) = static_cast<typename To::value_type>(from(i)); }
};

/// The parts of the plain memory of a sort before its values: passes take bytes(program), places lie behind.
template <class Index>
struct memory_before_values {
  std::size_t passes, places, aside;

  template <order_program P, class Bytes>
  memory_before_values(P const& program, extent n, Bytes const& bytes)
      : passes(aligned(bytes(places_program<P, Index>{program, {nullptr, n}})))
      , places(aligned(std::size_t(n) * sizeof(Index)))
      , aside(program.in_place() ? std::size_t(n) * sizeof(value_of<P>) : 0)
  {}
  std::size_t bytes() const { return passes + places + aside; }

private:
  static std::size_t aligned(std::size_t size) { return (size + 255) / 256 * 256; }
};

/// So many items have places of 32 bits.
inline constexpr extent most_short_places = extent(1) << 32;

/// Bytes of plain memory of sort_before_values().
template <order_program P, class Bytes>
std::size_t bytes_before_values(P const& program, extent n, Bytes const& bytes)
{
  if (n <= most_short_places) return memory_before_values<std::uint32_t>(program, n, bytes).bytes();
  return memory_before_values<std::uint64_t>(program, n, bytes).bytes();
}

namespace detail {

/// In units of as many bytes as the size of a value and both addresses allow.
template <class Unit, class Each, class Index, class From, class To>
void gather_values(Each const& each, contiguous<Index> const& places, From const& from, To const& to)
{
  using value = typename To::value_type;
  if constexpr (!is_contiguous<From>::value || !is_contiguous<To>::value)
    each(" (gather)", places.size, gather_units<Index, 1, From, To>{places, from, to});
  else {
    auto const both = reinterpret_cast<std::uintptr_t>(from.data) | reinterpret_cast<std::uintptr_t>(to.data);
    if constexpr (sizeof(value) % sizeof(Unit) == 0)
      if (both % sizeof(Unit) == 0) {
        constexpr int units = int(sizeof(value) / sizeof(Unit));
        extent const n      = places.size * units;
        using units_in      = contiguous<raw<Unit> const>;
        using units_out     = contiguous<raw<Unit>>;
        gather_units<Index, units, units_in, units_out> const gather{
            places, {reinterpret_cast<raw<Unit> const*>(from.data), n}, {reinterpret_cast<raw<Unit>*>(to.data), n}};
        return each(" (gather)", n, gather);
      }
    if constexpr (sizeof(Unit) == sizeof(pack)) gather_values<std::uint32_t>(each, places, from, to);
    else if constexpr (sizeof(Unit) > 1) gather_values<std::uint8_t>(each, places, from, to);
  }
}

template <class Index, class Each, order_program P, class Scratch, class Bytes, class Sort>
void sort_places(Each const& each, P const& program, extent n, Scratch& scratch, Bytes const& bytes, Sort const& sort)
{
  using value = value_of<P>;
  memory_before_values<Index> const takes(program, n, bytes);
  std::byte* const memory = scratch.plain(takes.bytes()) + takes.passes;
  contiguous<Index> const places{reinterpret_cast<Index*>(memory), n};
  sort(places_program<P, Index>{program, places});

  auto const gather = [&](auto const& from) { gather_values<pack>(each, places, from, program.values_output()); };
  auto const values = read_only(program.values());
  if (!program.in_place()) return gather(values);
  contiguous<value> const copy{reinterpret_cast<value*>(memory + takes.places), n};
  each(" (copy)", n, copy_values<std::decay_t<decltype(values)>, contiguous<value>>{values, copy});
  gather(read_only(copy));
}

}  // namespace detail

/// Sorts n items and their places, and then moves every value once: in place through a copy of them. `sort(program)`
/// sorts by a program of places, and takes bytes(program) bytes of plain memory; each(what, n, body) queues body(i) for
/// every i below n.
template <class Each, order_program P, class Scratch, class Bytes, class Sort>
void sort_before_values(Each const& each, P const& program, extent n, Scratch& scratch, Bytes const& bytes,
                        Sort const& sort)
{
  if (n <= most_short_places) detail::sort_places<std::uint32_t>(each, program, n, scratch, bytes, sort);
  else detail::sort_places<std::uint64_t>(each, program, n, scratch, bytes, sort);
}

}  // namespace onepass::ONEPASS_ABI
