// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/presorted.hpp>
#include <onepass/backends/host/sort_numbers.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/insert_few.hpp>
#include <onepass/key_codec.hpp>

#include <algorithm>
#include <bit>

// What one thread does with as many items of an order program as fit its cache, before it takes digits, or instead of
// them: it asks which bits differ, and whether the items are in order; and it merges few items with long codes.
namespace onepass::ONEPASS_ABI::backends::host {

/// A program whose items can be made from their codes, if makes_items(), and but for those that are not was_made().
template <class Program>
concept may_make_items = requires(Program const& p)
{
  p.makes_items();
  p.was_made(p.item_of_code(0));
};

/// The bits in which items [first, last) differ from a code.
template <class Program, class Items>
[[gnu::noinline, gnu::flatten]] std::uint64_t differences(Program const& given, Items const& of, std::uint64_t code,
                                                          extent first, extent last)
{
  Program const program = given;
  Items const items     = of;
  std::uint64_t differ  = 0;
  for (extent i = first; i < last; ++i) differ |= whole_code(program, items(i)) ^ code;
  return differ;
}

/// Those of the lowest bits of codes in which not all items are alike.
template <class Program, class Items>
digit_bits differing_bits(Program const& program, Items const& items, extent n, int bits)
{
  auto const differ = differences(program, items, whole_code(program, items(0)), 1, n) & lowest_bits(bits);
  if (differ == 0) return {0, 0};
  int const at = std::countr_zero(differ);
  return {at, int(std::bit_width(differ)) - at};
}

/// An item's code and where the item is.
struct placed_code {
  std::uint64_t code;
  std::uint32_t place;
  bool operator<(placed_code const& other) const { return code < other.code; }
};

/// Memory of this thread for n of them.
template <class T, class Use>
T* cached_memory(extent n)
{
  struct alignas(64) line {
    std::byte bytes[64];
  };
  return reinterpret_cast<T*>(thread_buffer<line, Use>(div_up(n * extent(sizeof(T)), 64)));
}

/// Puts x among m in order, behind which there is room for one more.
template <class T>
[[gnu::always_inline]] inline void put_in_order(T* all, extent m, T const& x)
{
  for (; m > 0 && x < all[m - 1]; --m) all[m] = all[m - 1];
  all[m] = x;
}

/// Numbers in order by insertion, which for very few takes less than a call.
template <class T>
void insert_numbers(T* all, extent n)
{
  for (extent i = 1; i < n; ++i) put_in_order(all, i, T(all[i]));
}

/// The numbers whose order is that of an item's codes: the codes, where items can be made from them.
template <class Program>
using code_number = unsigned_of<std::max<std::size_t>(2, sizeof(item_of<Program>))>;

/// Items from their codes in order, some of which were not made by theirs; these are all alike, and come among those of
/// the same code as they came.
template <class Program, class From, class To, class Number>
[[gnu::noinline, gnu::flatten]] void put_unmade(Program const& given, From const& source, To const& target, extent n,
                                                Number* all)
{
  Program const program = given;
  From const from       = source;
  To const to           = target;
  auto const code_at    = [=](extent i) { return static_cast<Number>(program.code(from.items(i))); };
  constexpr extent some = 64;
  extent i              = 0;
  while (program.was_made(from.items(i))) ++i;
  auto const unmade   = from.items(i);
  auto const code     = code_at(i);
  Number* const first = std::lower_bound(all, all + n, code);
  Number* last        = first;
  for (i = 0; i < n; i += some) {  // all are read before any is written, which may be in place
    Number codes[some];            // made at once, since their signs would be guessed
    extent const items = std::min(some, n - i);
    for (extent j = 0; j < items; ++j) codes[j] = code_at(i + j);
    for (extent j = 0; j < items; ++j)
      if (codes[j] == code) *last++ = program.was_made(from.items(i + j));
  }
  auto const put = [=](Number const* x, Number const* end) {
    for (; x < end; ++x) to.items(x - all) = program.item_of_code(*x);
  };
  put(all, first);
  for (Number* x = first; x < last; ++x) to.items(x - all) = *x ? program.item_of_code(code) : unmade;
  put(last, all + n);
}

/// Items from their codes, which `all` has room for and `sort` sorts.
template <class Program, class From, class To, class Number, class Sort>
[[gnu::always_inline]] inline void by_codes_alone(Program const& program, From const& from, To const& to, extent n,
                                                  Number* all, Sort const& sort)
{
  bool falls = false, made = true;
  for (extent i = 0; i < n; ++i) {
    all[i] = static_cast<Number>(program.code(from.items(i)));
    falls |= i > 0 && all[i] < all[i - 1];
    made &= program.was_made(from.items(i));
  }
  if (falls) sort(all, n);
  if (!made) return put_unmade(program, from, to, n, all);
  for (extent k = 0; k < n; ++k) to.items(k) = program.item_of_code(all[k]);
}

/// Items by some bits of their codes, which are sorted together with the places of their items: in one word as far as
/// it has room for both, so a comparison costs no more than that of two numbers. Then fetch(place of k) puts item k.
template <class Program, class Items, class Sort, class Fetch>
[[gnu::always_inline]] inline void by_places(Program const& program, Items const& items, extent n, digit_bits d,
                                             std::uint64_t* all, Sort const& sort, Fetch const& fetch)
{
  int const place_bits     = int(std::bit_width(std::uint64_t(n - 1)));
  int const left_out       = std::max(0, d.width + place_bits - 64);
  std::uint64_t const mask = lowest_bits(d.width), of_place = lowest_bits(place_bits);
  auto const code_at = [&](extent i) { return whole_code(program, items(i)) >> d.at & mask; };
  bool falls         = false;
  for (extent i = 0; i < n; ++i) {
    all[i] = code_at(i) >> left_out << place_bits | std::uint64_t(i);
    falls |= i > 0 && all[i] < all[i - 1];
  }
  if (falls) sort(all, n);
  // Those that are alike in all but the bits that were left out have the order of their places.
  for (extent i = 0; left_out > 0 && i + 1 < n;) {
    extent end  = i + 1;
    bool turned = false;
    if (end < n && (all[end] ^ all[i]) >> place_bits == 0)
      for (auto before = code_at(extent(all[i] & of_place)); end < n && (all[end] ^ all[i]) >> place_bits == 0; ++end) {
        auto const code = code_at(extent(all[end] & of_place));
        turned |= code < before;
        before = code;
      }
    if (turned) {
      auto* const alike = cached_memory<placed_code, placed_code>(2 * (end - i));
      for (extent k = i; k < end; ++k) {
        extent const place = extent(all[k] & of_place);
        alike[k - i]       = {code_at(place), std::uint32_t(place)};
      }
      merge_in_cache(alike, end - i, by_number{});
      for (extent k = i; k < end; ++k) all[k] = alike[k - i].place;
    }
    i = end;
  }
  for (extent k = 0; k < n; ++k) fetch(extent(all[k] & of_place), k);
}

/// The two for as many items as fit the cache; their memory is kept. `moved_away`: the items would be written over
/// those that are read.
template <class Program, class From, class To>
[[gnu::noinline, gnu::flatten]] void sort_codes(Program const& given, From const& source, To const& target, extent n)
{
  using number             = code_number<Program>;
  Program const program    = given;
  From const from          = source;
  To const to              = target;
  number* all              = nullptr;
  constexpr bool are_codes = std::is_same_v<item_of<Program>, number>;
  if constexpr (sorts_in_vectors && are_codes && is_contiguous<decltype(to.items)>::value) all = to.items.data;
  else all = cached_memory<number, number>(2 * n);
  by_codes_alone(program, from, to, n, all, [](number* x, extent m) { sort_numbers(x, m); });
}
template <class Program, class From, class To>
[[gnu::noinline, gnu::flatten]] void sort_places(Program const& given, From const& source, To const& target, extent n,
                                                 digit_bits d, bool moved_away)
{
  Program const program    = given;
  From const from          = source;
  To const to              = target;
  std::uint64_t* const all = cached_memory<std::uint64_t, std::uint64_t>(2 * n);
  auto const goes          = [&](auto const& items) {
    by_places(
                 program, from.items, n, d, all, [](std::uint64_t* x, extent m) { sort_numbers(x, m); },
                 [&](extent place, extent k) { move_one(items, place, to, k); });
  };
  if (!moved_away) return goes(from);
  auto* const memory = cached_memory<std::byte, Program>(extent(spare_memory<Program>::bytes(n)));
  auto const copy    = spare_memory<Program>::at(memory, n);
  for (extent i = 0; i < n; ++i) move_one(from, i, copy, i);
  goes(copy);
}

/// So few items need no memory of the thread; even fewer no call.
inline constexpr extent most_inserted_numbers = 7, most_on_the_spot = sorts_in_vectors ? 64 : most_inserted_numbers;
struct sort_on_the_spot {
  template <class T>
  void operator()(T* all, extent n) const
  {
    if constexpr (sorts_in_vectors)
      if (n > most_inserted_numbers) return sort_numbers(all, n);
    insert_numbers(all, n);
  }
};
template <class Program, class From, class To>
[[gnu::always_inline]] inline void by_codes_on_the_spot(Program const& program, From const& from, To const& to,
                                                        extent n)
{
  alignas(64) code_number<Program> all[most_on_the_spot];
  by_codes_alone(program, from, to, n, all, sort_on_the_spot{});
}

/// The same for so few that memory of the thread, or a copy of the program, would cost as much as their sort: whether
/// they were.
template <class Program>
[[gnu::always_inline]] inline bool sorted_few(Program const& program, extent n)
{
  if (n == 0 || n > most_on_the_spot || program.bits() > 64) return false;
  auto from = source_of(program);
  auto to   = target_of(program);
  if constexpr (may_make_items<Program>)
    if (program.makes_items()) return by_codes_on_the_spot(program, from, to, n), true;
  if (n > 1 && program.in_place()) return false;
  int const bits = program.bits();
  alignas(64) std::uint64_t all[most_on_the_spot];
  auto const fetch = [&](extent place, extent k) { move_one(from, place, to, k); };
  by_places(program, from.items, n, {0, bits}, all, sort_on_the_spot{}, fetch);
  if (1 <= bits && bits <= one_digit)
    for (extent k = 0, b = 0; b < extent(1) << bits; ++b) {
      extent const before = k;
      while (k < n && all[k] >> std::bit_width(std::uint64_t(n - 1)) == std::uint64_t(b)) ++k;
      program.counted(int(b), k - before);
    }
  return true;
}

/// Whether each of the items (first, last] has a lower code than the one before it, or none has.
template <class Program, class Items>
[[gnu::noinline, gnu::flatten]] bool codes_run_on(Program const& given, Items const& of, extent first, extent last,
                                                  std::uint64_t mask, bool down)
{
  Program const program = given;
  Items const items     = of;
  auto before           = whole_code(program, items(first)) & mask;
  for (; first < last; ++first) {
    auto const code = whole_code(program, items(first + 1)) & mask;
    if ((code < before) != down) return false;
    before = code;
  }
  return true;
}

/// Items [first, last), or pairs of an item and the one as far from the end of n, to where they belong.
template <bool Mirrored, class From, class To>
[[gnu::noinline, gnu::flatten]] void move_presorted(From const& source, To const& target, extent first, extent last,
                                                    extent n)
{
  From const from = source;
  To const to     = target;
  for (extent i = first; i < last; ++i)
    if constexpr (Mirrored) mirror_one(from, i, n - 1 - i, to);
    else move_one(from, i, to, i);
}

/// Items in order, or all the other way round, moved to the target; `stay`: where they are in order they are there.
template <class Crew, class Program, class From, class To>
bool moved_presorted(Crew const& crew, Program const& program, From const& from, To const& to, extent n, int bits,
                     bool stay)
{
  return moved_presorted(
      crew, n,
      [&](extent a, extent z, bool down) { return codes_run_on(program, from.items, a, z, lowest_bits(bits), down); },
      [&](extent a, extent z) {
        if (!stay) move_presorted<false>(from, to, a, z, n);
      },
      [&](extent a, extent z) { move_presorted<true>(from, to, a, z, n); });
}

}  // namespace onepass::ONEPASS_ABI::backends::host
