// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/raster.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI {

/// The same radius at every pixel.
struct one_radius {
  extent value;
  ONEPASS_FUNCTION extent operator()(extent, extent) const { return value; }
};

/// A number as a radius; negative ones count as 0, and very large ones as all of any image.
template <class T>
ONEPASS_FUNCTION extent radius_of(T r)
{
  if (!(r > 0)) return 0;
  return std::uint64_t(r) >> 62 ? extent(1) << 62 : static_cast<extent>(r);
}

/// A radius per pixel.
template <class T>
struct radius_of_pixel {
  raster<T const, 1> radii;
  ONEPASS_FUNCTION extent operator()(extent y, extent x) const { return onepass::radius_of(radii(0, y, x)); }
};

/// Box means from a summed-area table: one call computes one number of one channel.
template <class Sum, class Out, class Radius>
struct box_filter_program {
  raster<Sum const, 1> table;
  raster<Out, 1> out;
  Radius radius;
  bool interleaved;  ///< channels are closer in memory than columns, so neighbouring i are channels of one pixel

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    auto const [plane, y, x] = place_of(i);
    filter(plane, y, x);
  }
  /// By a host thread, for which to divide takes as long as the rest.
  void alone(extent first, extent last) const
  {
    auto const all     = *this;  // a copy, which no store can change
    auto [plane, y, x] = place_of(first);
    for (; first < last; ++first) {
      all.filter(plane, y, x);
      if (all.interleaved) {
        if (++plane < all.table.planes) continue;
        plane = 0;
      }
      if (++x < all.table.columns) continue;
      x = 0;
      if (++y < all.table.rows) continue;
      y = 0, ++plane;
    }
  }

private:
  struct place {
    extent plane, y, x;
  };
  ONEPASS_FUNCTION place place_of(extent i) const
  {
    extent plane, pixel;
    if (interleaved) {
      pixel = i / table.planes;
      plane = i - pixel * table.planes;
    } else {
      extent const pixels = table.rows * table.columns;
      plane               = i / pixels;
      pixel               = i - plane * pixels;
    }
    extent const y = pixel / table.columns;
    return {plane, y, pixel - y * table.columns};
  }

  ONEPASS_FUNCTION void filter(extent plane, extent y, extent x) const
  {
    extent const r   = radius(y, x);
    extent const top = y > r ? y - r : 0, left = x > r ? x - r : 0;
    extent const bottom = r < table.rows - 1 - y ? y + r : table.rows - 1,
                 right  = r < table.columns - 1 - x ? x + r : table.columns - 1;
    out.set(
        plane, y, x,
        mean(sum(plane, top, left, bottom, right), std::uint64_t(bottom - top + 1) * std::uint64_t(right - left + 1)));
  }

  /// The sum of rows top to bottom and columns left to right, both inclusive. Wraps like the table, so it is exact if
  /// it fits the type.
  ONEPASS_FUNCTION Sum sum(extent plane, extent top, extent left, extent bottom, extent right) const
  {
    Sum s = table(plane, bottom, right);
    if (top > 0) s = s - table(plane, top - 1, right);
    if (left > 0) s = s - table(plane, bottom, left - 1);
    if (top > 0 && left > 0) s = s + table(plane, top - 1, left - 1);
    return s;
  }

  ONEPASS_FUNCTION static Out mean(Sum s, std::uint64_t n)
  {
    if constexpr (std::is_integral_v<Sum>) {
      if constexpr (std::is_integral_v<Out>) {
        std::uint64_t const whole = s, rounded = whole + n / 2;  // which may wrap
        // To divide by 64 bits takes twice as long.
        if ((whole | rounded | n) >> 32 == 0) return static_cast<Out>(std::uint32_t(rounded) / std::uint32_t(n));
        std::uint64_t const mean = whole / n;
        return static_cast<Out>(mean + (whole - mean * n >= n - n / 2));
      } else return static_cast<Out>(static_cast<double>(s) / static_cast<double>(n));
    } else {
      Sum const m = s / static_cast<Sum>(n);
      if constexpr (std::is_integral_v<Out>) {
        Sum const below = Kokkos::floor(m);
        return static_cast<Out>(m - below >= Sum(0.5) ? below + 1 : below);  // m + 0.5 is not exact
      } else return static_cast<Out>(m);
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
