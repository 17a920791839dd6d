// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/orders.hpp>
#include <onepass/engine/stream.hpp>

#include <algorithm>
#include <array>

namespace onepass::ONEPASS_ABI::backends::host {

inline constexpr int bins_of_digit = 1 << widest_digit;

using bin_places = std::array<extent, bins_of_digit>;

/// Calls work(a, z) for pieces [a, z) of the items [first, last), in order. Each piece is prefetched a page ahead,
/// since the processor's own prefetching stops at the end of every page. Callers are compiled with gnu::flatten, so
/// that their loops keep everything in registers.
template <class Items, class Work>
void in_pieces(Items const& items, extent first, extent last, Work const& work)
{
  constexpr extent bytes = sizeof(typename Items::value_type), piece = std::max<extent>(256 / bytes, 4),
                   page = std::max<extent>(4096 / bytes, 4);
  for (extent a = first; a < last; a += piece) {
    fetch_ahead(items, a + page, piece);
    work(a, std::min(last, a + piece));
  }
}

/// counts[b] = the number of items of [first, last) in bin b. Counted in four tables, so that equal neighbours do not
/// form a chain of dependent stores and loads.
template <class Program, class Items>
[[gnu::noinline, gnu::flatten]] void count_bins(Program const& given, Items const& items, extent first, extent last,
                                                digit_bits d, extent* counts)
{
  Program const program = given;
  std::uint32_t* seen[4];
  for (int t = 0; t < 4; ++t) seen[t] = thread_buffer<std::uint32_t>(4 * bins_of_digit) + t * d.bins();
  std::fill_n(seen[0], 4 * d.bins(), 0u);
  std::fill_n(counts, d.bins(), extent(0));
  auto const add = [&](int t, extent i) { ++seen[t][program.digit(items(i), d.at, d.width)]; };
  for (extent i = first; i < last;) {
    extent const most = std::min(last, i + (extent(1) << 31));  // a counter has 32 bits
    in_pieces(items, i, most, [&](extent a, extent z) {
      for (; a + 4 <= z; a += 4) add(0, a), add(1, a + 1), add(2, a + 2), add(3, a + 3);
      for (; a < z; ++a) add(0, a);
    });
    i = most;
    for (int b = 0; b < d.bins(); ++b) {
      counts[b] += extent(seen[0][b]) + seen[1][b] + seen[2][b] + seen[3][b];
      seen[0][b] = seen[1][b] = seen[2][b] = seen[3][b] = 0;
    }
  }
}

/// The same for one digit, or for two at once, of as many items as fit the cache.
template <class Program, class Items>
[[gnu::noinline, gnu::flatten]] void count_in_cache(Program const& given, Items const& items, extent n, digit_bits d,
                                                    digit_bits next, std::uint32_t* seen, std::uint32_t* seen_next)
{
  Program const program = given;
  std::fill_n(seen, d.bins(), 0u);
  if (next.width == 0) {
    in_pieces(items, 0, n, [&](extent a, extent z) {
      for (extent i = a; i < z; ++i) ++seen[program.digit(items(i), d.at, d.width)];
    });
    return;
  }
  std::fill_n(seen_next, next.bins(), 0u);
  in_pieces(items, 0, n, [&](extent a, extent z) {
    for (extent i = a; i < z; ++i) {
      auto const& item = items(i);
      ++seen[program.digit(item, d.at, d.width)];
      ++seen_next[program.digit(item, next.at, next.width)];
    }
  });
}

/// One column of a scatter that writes item by item.
template <class To>
struct direct_column {
  To to;
  template <class T>
  void put(std::uint32_t, extent at, T const& x) const
  {
    to(at) = x;
  }
  void finish(bin_places const&, int) const {}
};

/// A column that is not written.
template <>
struct direct_column<nothing> {
  nothing to;
  void finish(bin_places const&, int) const {}
};

/// One column of a scatter by software write-combining: for each bin a line of 64 bytes is kept in the cache, and
/// written past the caches when it is full. (Lines that were written to the caches would be slower than no lines at
/// all.)
template <class T>
class line_column {
public:
  static constexpr int items = 64 / int(sizeof(T));

  line_column(contiguous<T> const& to, T* lines, bin_places const& begin)
      : lines_(lines)
      , begin_(begin.data())
      , phase_(extent(reinterpret_cast<std::uintptr_t>(to.data) % 64 / sizeof(T)))
      , base_(to.data - phase_)
  {}

  /// Adds x, which goes to position `at` of the output, in bin b.
  void put(std::uint32_t b, extent at, T const& x) const
  {
    extent const p        = at + phase_;
    T* const line         = lines_ + extent(b) * items;
    line[p & (items - 1)] = x;
    if ((p & (items - 1)) != items - 1) return;
    if (extent const begin = begin_[b] + phase_, first = p & -items; begin <= first) whole_line(base_ + first, line);
    else some_items(base_, begin, p + 1, line);
  }

  /// Writes the items left in the lines, when every bin is complete.
  void finish(bin_places const& end, int bins) const
  {
    for (int b = 0; b < bins; ++b) {
      extent const z = end[std::size_t(b)] + phase_;
      some_items(base_, std::max(z & -items, begin_[b] + phase_), z, lines_ + extent(b) * items);
    }
  }

private:
  static void whole_line(T* to, T const* from)
  {
#if defined(__x86_64__)
    for (int k = 0; k < 4; ++k)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to) + k, _mm_load_si128(reinterpret_cast<__m128i const*>(from) + k));
#else
    std::memcpy(static_cast<void*>(to), static_cast<void const*>(from), 64);
#endif
  }

  /// Writes part of a line, where a bin begins or ends within it; rare, and kept out of the loop.
  [[gnu::noinline]] static void some_items(T* base, extent first, extent last, T const* line)
  {
    for (extent p = first; p < last; ++p) base[p] = line[p & (items - 1)];
  }

  T* lines_;
  extent const* begin_;
  extent phase_;
  T* base_;
};

/// Lines of this thread for a column. `Column` distinguishes two columns of one type.
template <class T, int Column>
T* thread_lines()
{
  struct alignas(64) line {
    std::byte bytes[64];
  };
  return reinterpret_cast<T*>(thread_buffer<line>(bins_of_digit));
}

/// Whether items begin where lines begin, since their addresses are multiples of their size.
template <class To>
bool fits_lines([[maybe_unused]] To const& to)
{
  if constexpr (is_contiguous<To>::value)
    return reinterpret_cast<std::uintptr_t>(to.data) % sizeof(typename To::value_type) == 0;
  else return true;
}

template <int Column, class To>
auto column_through_lines(To const& to, bin_places const& begin)
{
  if constexpr (is_contiguous<To>::value) {
    using T = typename To::value_type;
    if constexpr (64 % sizeof(T) == 0) return line_column<T>(to, thread_lines<T, Column>(), begin);
    else return direct_column<To>{to};
  } else return direct_column<To>{to};
}

/// Moves items [first, last) to the next positions of their bins, and advances these.
template <class Program, class From, class Place, class Items, class Values>
[[gnu::noinline, gnu::flatten]] void scatter_into(Program const& given, From const& from, extent first, extent last,
                                                  digit_bits d, Place* place, Items const& to_items,
                                                  Values const& to_values)
{
  Program const program = given;  // copies, which no store to the output can change
  From const source     = from;
  Items const items     = to_items;
  Values const values   = to_values;
  in_pieces(source.items, first, last, [&](extent a, extent z) {
    for (extent i = a; i < z; ++i) {
      auto const& item      = source.items(i);
      std::uint32_t const b = program.digit(item, d.at, d.width);
      extent const at       = extent(place[b]++);
      if constexpr (requires { items.put(b, at, item); }) items.put(b, at, item);
      if constexpr (requires { values.put(b, at, source.values(i)); }) values.put(b, at, source.values(i));
    }
  });
}

/// The same, each item written directly to its position.
template <class Program, class From, class To, class Place>
void scatter_directly(Program const& program, From const& from, extent first, extent last, To const& to, digit_bits d,
                      Place* place)
{
  scatter_into(program, from, first, last, d, place, direct_column<decltype(to.items)>{to.items},
               direct_column<decltype(to.values)>{to.values});
}

/// The same through lines, where items fit into lines.
template <class Program, class From, class To>
void scatter_in_lines(Program const& program, From const& from, extent first, extent last, To const& to, digit_bits d,
                      bin_places& place)
{
  if (!fits_lines(to.items) || !fits_lines(to.values))
    return scatter_directly(program, from, first, last, to, d, place.data());
  bin_places const begin = place;
  auto const items       = column_through_lines<0>(to.items, begin);
  auto const values      = column_through_lines<1>(to.values, begin);
  scatter_into(program, from, first, last, d, place.data(), items, values);
  items.finish(place, d.bins());
  values.finish(place, d.bins());
  release_streams();
}

/// Copies items from the cache to their destination: past the caches, if that is contiguous memory.
template <class T>
void write_out(contiguous<T> const& from, contiguous<T> const& to, extent n)
{
  stream_out(to.data, from.data, std::size_t(n) * sizeof(T));
}
template <class From, class To>
void write_out([[maybe_unused]] From const& from, [[maybe_unused]] To const& to, [[maybe_unused]] extent n)
{
  if constexpr (!is_nothing<To>)
    for (extent i = 0; i < n; ++i) to(i) = from(i);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
