// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/sequences.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace onepass::ONEPASS_ABI {

// clang-format off
/// What is to be sorted: items, each with an unsigned code. Items are written in the order of their codes, items of
/// equal codes in input order. A backend chooses into how many digits it cuts the codes and in which order it takes
/// them.
///
///   input(), output()          the items and where they go; both may be the same memory
///   values(), values_output()  what moves along with the items; `nothing` if nothing does
///   in_place()                 input and output share memory
///   bits()                     the number of bits of a code; 0 leaves the items in their order
///   digit(item, at, width)     bits [at, at + width) of the item's code, width at most 16; cheap and pure, called
///                              often
///   counted(digit, items)      receives the number of items that have this digit; called only where the code is one
///                              digit, of one_digit bits at most
template <class P>
concept order_program = requires(P const p, typename P::item_type const& item, extent n) {
  { p.input() } -> sequence;
  p.output();
  p.values();
  p.values_output();
  { p.in_place() } -> std::same_as<bool>;
  { p.bits() } -> std::same_as<int>;
  { p.digit(item, 0, 8) } -> std::same_as<std::uint32_t>;
  p.counted(0, n);
};
// clang-format on

/// How many items an order program has, where that is known only on the device: at most its limit, by which memory and
/// launches are sized. For places that has_counted_orders names (backends/run_orders.hpp).
/// Few: there are far fewer than the limit, if any.
template <bool Few>
struct counted_items : item_count {};

/// A stretch of an order program's input that belongs to one segment of its output: segments are sorted by themselves,
/// and lie there one behind another.
struct order_piece {
  extent first, size;  ///< of its items
  int segment;         ///< by number
};

/// Bits that every backend can take as one digit; some take more.
inline constexpr int one_digit = 8;

/// Bits [at, at + width) of a code.
struct digit_bits {
  int at, width;
  ONEPASS_FUNCTION int bins() const { return 1 << width; }
};

/// Bits [at, at + width) of the code of an item, at most 64 of them.
template <class Program>
ONEPASS_FUNCTION std::uint64_t code_bits(Program const& program, typename Program::item_type const& item, int at,
                                         int width)
{
  constexpr int most = 16;
  std::uint64_t code = 0;
  for (int done = 0; done < width; done += most)
    code |= std::uint64_t(program.digit(item, at + done, width - done < most ? width - done : most)) << done;
  return code;
}

/// Codes of `bits` bits, cut into digits of nearly equal width, none wider than `widest`; digit 0 is the least
/// significant.
struct digit_plan {
  int bits, widest;
  ONEPASS_FUNCTION int passes() const { return int(div_up(bits, widest)); }
  ONEPASS_FUNCTION digit_bits operator[](int p) const
  {
    int const at = bits * p / passes();
    return {at, bits * (p + 1) / passes() - at};
  }
};

/// Items, and the values that move along with them: the pair of arrays that a sort reads or writes.
template <class Items, class Values>
struct cargo {
  Items items;
  Values values;
};
template <class Items, class Values>
cargo(Items, Values) -> cargo<Items, Values>;

template <order_program P>
using item_of = typename P::item_type;
template <order_program P>
using value_of = typename decltype(std::declval<P const&>().values())::value_type;
template <order_program P>
constexpr bool carries_values = !is_nothing<decltype(std::declval<P const&>().values())>;
/// Whether the values are the items' places.
template <order_program P>
constexpr bool numbers_items = is_counting<std::remove_cvref_t<decltype(std::declval<P const&>().values())>>;

/// Part of a sequence: `size` items from `first` on.
template <class Sequence>
struct stretch_of_sequence {
  using value_type = typename Sequence::value_type;
  Sequence whole;
  extent first, size;
  ONEPASS_FUNCTION decltype(auto) operator()(extent i) const { return whole(first + i); }
};
template <class Sequence>
ONEPASS_FUNCTION auto window(Sequence const& s, extent first, extent size)
{
  if constexpr (is_nothing<Sequence>) return s;
  else if constexpr (is_contiguous<Sequence>::value) return Sequence{s.data + first, size};
  else return stretch_of_sequence<Sequence>{s, first, size};
}
template <class Items, class Values>
auto window(cargo<Items, Values> const& c, extent first, extent size)
{
  return cargo{window(c.items, first, size), window(c.values, first, size)};
}

/// to(at) = from(i), items and values.
template <class From, class To>
ONEPASS_FUNCTION void move_one(From const& from, extent i, To const& to, extent at)
{
  if constexpr (!is_nothing<decltype(to.items)>) to.items(at) = from.items(i);
  if constexpr (!is_nothing<decltype(to.values)>) to.values(at) = from.values(i);
}

/// Items i and k, with their values, each to the position of the other.
template <class From, class To>
ONEPASS_FUNCTION void mirror_one(From const& from, extent i, extent k, To const& to)
{
  auto const one_item = from.items(i), other_item = from.items(k);
  if constexpr (!is_nothing<decltype(to.values)>) {
    auto const one_value = from.values(i), other_value = from.values(k);
    to.values(i) = other_value;
    to.values(k) = one_value;
  }
  if constexpr (!is_nothing<decltype(to.items)>) {
    to.items(i) = other_item;
    to.items(k) = one_item;
  }
}

/// Copies items and values; for parallel loops.
template <class From, class To>
struct copy_item {
  From from;
  To to;
  ONEPASS_FUNCTION void operator()(extent i) const { move_one(from, i, to, i); }
};

/// The same sequence, for reading only.
template <class T>
contiguous<T const> read_only(contiguous<T> const& s)
{
  return {s.data, s.size};
}
template <class T>
contiguous<T const> read_only(contiguous<T const> const& s)
{
  return s;
}
template <class S>
S read_only(S const& s)
{
  return s;
}

/// Items and values for reading only, so that passes over input, output and spare memory share one kernel.
template <class Items, class Values>
auto as_source(cargo<Items, Values> const& c)
{
  return cargo{read_only(c.items), read_only(c.values)};
}

template <order_program P>
auto source_of(P const& program)
{
  return as_source(cargo{program.input(), program.values()});
}
template <order_program P>
auto target_of(P const& program)
{
  return cargo{program.output(), program.values_output()};
}

/// Spare memory: room for n items of a program, and their values, between two passes.
template <order_program P>
struct spare_memory {
  static constexpr bool valued = carries_values<P>;

  static constexpr std::size_t bytes(extent n)
  {
    return aligned(std::size_t(n) * sizeof(item_of<P>)) + (valued ? aligned(std::size_t(n) * sizeof(value_of<P>)) : 0);
  }

  static auto at(std::byte* memory, extent n)
  {
    contiguous<item_of<P>> const items{reinterpret_cast<item_of<P>*>(memory), n};
    if constexpr (!valued) return cargo{items, nothing{}};
    else
      return cargo{items,
                   contiguous<value_of<P>>{
                       reinterpret_cast<value_of<P>*>(memory + aligned(std::size_t(n) * sizeof(item_of<P>))), n}};
  }

private:
  static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
};

/// Whether passes may go through the target too, since it has the type of spare memory.
template <order_program P, class To>
constexpr bool serves_as_spare = std::is_same_v<To, decltype(spare_memory<P>::at(nullptr, 0))>;

/// How many spare memories by_digits() needs.
template <order_program P, class To>
constexpr int spares_for(digit_plan const& plan, bool in_place)
{
  if (plan.passes() <= 1) return in_place ? plan.passes() : 0;
  return serves_as_spare<P, To> ? 1 : 2;
}

/// Sorts by the least significant digit first: `pass(from, to, digit)` moves n items stably by one digit, alternately
/// to spare memory and to the target, so that the last pass ends in the target. `copy(from, to)` is called where there
/// is nothing to sort, and in place before an odd number of passes.
template <order_program P, class From, class To, class Copy, class Pass>
void by_digits(digit_plan const& plan, From const& from, To const& to, bool in_place, std::byte* spares, extent n,
               Copy const& copy, Pass const& pass)
{
  constexpr bool through_target = serves_as_spare<P, To>;
  int const passes              = plan.passes();
  auto const spare = [&](int k) { return spare_memory<P>::at(spares + (k % 2 ? spare_memory<P>::bytes(n) : 0), n); };
  auto const ends_in_target = [&](int k) { return k == passes - 1 || (through_target && (passes - 1 - k) % 2 == 0); };

  if (passes == 0) {
    if (!in_place) copy(from, to);
    return;
  }
  bool const moved_away = in_place && ends_in_target(0);
  if (moved_away) copy(from, spare(0));

  for (int k = 0; k < passes; ++k) {
    auto const move_from = [&](auto const& source) {
      if (ends_in_target(k)) pass(source, to, plan[k]);
      else pass(source, spare(through_target ? 0 : k), plan[k]);
    };
    if (k == 0 && !moved_away) move_from(from);
    else if constexpr (through_target) move_from(as_source(k > 0 && ends_in_target(k - 1) ? to : spare(0)));
    else move_from(as_source(spare(k == 0 ? 0 : k - 1)));
  }
}

}  // namespace onepass::ONEPASS_ABI
