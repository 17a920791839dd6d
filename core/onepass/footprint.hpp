// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/raster.hpp>
#include <onepass/sequences.hpp>

#include <algorithm>
#include <numeric>

namespace onepass::ONEPASS_ABI {

/// The memory that a sequence touches: blocks of `width` bytes, which begin `pitch` bytes apart.
struct footprint {
  std::uintptr_t begin, width, pitch, blocks;

  std::uintptr_t end() const { return blocks == 0 ? begin : begin + (blocks - 1) * pitch + width; }
};

/// The footprint of the first `items` items of a sequence.
template <class T>
footprint footprint_of(contiguous<T> const& s, extent items)
{
  return {reinterpret_cast<std::uintptr_t>(s.data), std::uintptr_t(items) * sizeof(T), 0, items > 0};
}
template <class T>
footprint footprint_of(strided<T> const& s, extent items)
{
  if (s.stride == 1) return footprint_of(contiguous<T>{s.data, s.size}, items);
  return {reinterpret_cast<std::uintptr_t>(s.data), sizeof(T), std::uintptr_t(s.stride) * sizeof(T),
          std::uintptr_t(items)};
}
template <class T>
footprint footprint_of(by_rows<T> const& s, extent items)
{
  extent const rows = s.columns > 0 ? div_up(items, s.columns) : 0, columns = std::min(items, s.columns);
  bool const right    = s.row_stride >= s.column_stride;  // a block is a row, else a column
  extent const longer = right ? s.row_stride : s.column_stride, shorter = right ? s.column_stride : s.row_stride;
  extent const blocks = right ? rows : columns, within = right ? columns : rows;
  auto const bytes = [](extent n) { return std::uintptr_t(n) * sizeof(T); };
  return {reinterpret_cast<std::uintptr_t>(s.data), within > 0 ? bytes((within - 1) * shorter + 1) : 0, bytes(longer),
          std::uintptr_t(within > 0 ? blocks : 0)};
}

/// The footprint of all pixels: a block is what lies between two steps along the longest stride, a row of most images.
template <class T, int C>
footprint footprint_of(raster<T, C> const& r)
{
  struct {
    extent number, stride;
  } const directions[] = {{r.planes, r.plane_stride}, {r.rows, r.row_stride}, {r.columns, r.column_stride}};
  extent blocks = 1, pitch = 0;
  for (auto const& d : directions)
    if (d.number > 1 && d.stride > pitch) blocks = d.number, pitch = d.stride;
  extent const span = r.span(), width = span > 0 ? span - (blocks - 1) * pitch : 0;
  auto const bytes = [](extent n) { return std::uintptr_t(n) * sizeof(T); };
  return {reinterpret_cast<std::uintptr_t>(r.data), bytes(width), bytes(pitch), std::uintptr_t(span > 0 ? blocks : 0)};
}

/// A sequence whose items lie in memory at known addresses.
template <class S>
concept in_memory = requires(S const s)
{
  footprint_of(s, s.size);
};

/// Whether two footprints may have a byte in common. False is certain. Interleaved blocks are known to be apart if one
/// block of each together fit into the greatest common divisor of the two pitches, as with two columns of a matrix;
/// otherwise the answer is true.
inline bool may_meet(footprint const& a, footprint const& b)
{
  if (a.end() <= b.begin || b.end() <= a.begin || a.blocks == 0 || b.blocks == 0) return false;
  auto const measure = std::gcd(a.pitch, b.pitch);
  if (measure == 0) return true;
  auto const ahead = a.begin <= b.begin
                         ? (b.begin - a.begin) % measure
                         : (measure - (a.begin - b.begin) % measure) % measure;  // from a block of a to the next of b
  return ahead < a.width || measure - ahead < b.width;
}

/// Whether both lie in memory and begin at the same place there.
template <class A, class B>
bool begin_alike([[maybe_unused]] A const& a, [[maybe_unused]] B const& b)
{
  if constexpr (in_memory<A> && in_memory<B>)
    return static_cast<void const*>(a.data) == static_cast<void const*>(b.data);
  else return false;
}

/// Whether position i of both is the same memory, for all i.
template <in_memory A, in_memory B>
bool same_items(A const& a, B const& b)
{
  if constexpr (sizeof(typename A::value_type) != sizeof(typename B::value_type)) return false;
  else if (!begin_alike(a, b)) return false;
  else if constexpr (requires {
                       a.columns;
                       b.columns;
                     })
    return a.columns == b.columns && a.row_stride == b.row_stride && a.column_stride == b.column_stride;
  else if constexpr (
      requires { a.columns; } || requires { b.columns; })
    return false;
  else {
    auto const stride = [](auto const& s) {
      if constexpr (requires { s.stride; }) return s.stride;
      else return extent(1);
    };
    return stride(a) == stride(b);
  }
}

}  // namespace onepass::ONEPASS_ABI
