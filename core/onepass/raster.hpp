// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// Several contiguous numbers: the channels of a pixel.
template <class T, int C>
struct channels {
  T of[C];

  ONEPASS_FUNCTION friend channels operator+(channels const& a, channels const& b)
  {
    channels sum;
    ONEPASS_UNROLL for (int c = 0; c < C; ++c) sum.of[c] = a.of[c] + b.of[c];
    return sum;
  }
};

/// A pixel of one channel is a number.
template <class T, int C>
using pixel = std::conditional_t<C == 1, T, channels<T, C>>;

/// Pixels in rows and columns, of one plane or several. Strides count numbers, not pixels; the channels of a pixel are
/// contiguous.
template <class T, int C>
struct raster {
  using number     = std::remove_const_t<T>;
  using value_type = pixel<number, C>;

  T* data;
  extent planes, rows, columns;
  extent plane_stride, row_stride, column_stride;

  ONEPASS_FUNCTION T* at(extent plane, extent y, extent x) const
  {
    return data + plane * plane_stride + y * row_stride + x * column_stride;
  }

  ONEPASS_FUNCTION value_type operator()(extent plane, extent y, extent x) const
  {
    T const* const p = at(plane, y, x);
    if constexpr (C == 1) return *p;
    else {
      value_type v;
      ONEPASS_UNROLL for (int c = 0; c < C; ++c) v.of[c] = p[c];
      return v;
    }
  }

  ONEPASS_FUNCTION void set(extent plane, extent y, extent x, value_type const& v) const
  {
    T* const p = at(plane, y, x);
    if constexpr (C == 1) *p = v;
    else {
      ONEPASS_UNROLL for (int c = 0; c < C; ++c) p[c] = v.of[c];
    }
  }

  /// Whether the pixels of a row are contiguous.
  ONEPASS_FUNCTION bool dense() const { return column_stride == C; }

  /// All pixels are in [data, data + span()).
  extent span() const
  {
    if (planes == 0 || rows == 0 || columns == 0) return 0;
    return (planes - 1) * plane_stride + (rows - 1) * row_stride + (columns - 1) * column_stride + C;
  }
  raster transposed() const { return {data, planes, columns, rows, plane_stride, column_stride, row_stride}; }
};

/// A View of rank 2 (row, column) or 3 (row, column, channel), as a raster. With C above 1 the C channels are those of
/// one pixel; with C = 1 each channel is a plane.
template <int C, class Item, class View>
auto as_raster_of(View const& v)
{
  using item        = Item;
  extent const rows = extent(v.extent(0)), columns = extent(v.extent(1)), down = extent(v.stride(0)),
               across = extent(v.stride(1));
  if constexpr (View::rank() == 2) return raster<item, 1>{v.data(), 1, rows, columns, 0, down, across};
  else {
    extent const planes = C == 1 ? extent(v.extent(2)) : 1;
    return raster<item, C>{v.data(), planes, rows, columns, planes > 1 ? extent(v.stride(2)) : 0, down, across};
  }
}

template <int C, class View>
auto as_raster(View const& v)
{
  return as_raster_of<C, typename View::value_type>(v);
}

/// The same for reading only; the View is not copied, which would count its owners.
template <int C, class View>
auto as_input_raster(View const& v)
{
  return as_raster_of<C, typename View::const_value_type>(v);
}

/// An image whose planes follow each other, a View of rank 3 (channel, row, column), with its indices in the order that
/// images have here: (row, column, channel).
template <class View>
auto planar(View const& planes)
{
  static_assert(View::rank() == 3, "onepass: planar() takes a View of rank 3 (channel, row, column)");
  Kokkos::LayoutStride const layout(planes.extent(1), planes.stride(1), planes.extent(2), planes.stride(2),
                                    planes.extent(0), planes.stride(0));
  return Kokkos::View<typename View::value_type***, Kokkos::LayoutStride, typename View::device_type,
                      Kokkos::MemoryUnmanaged>(planes.data(), layout);
}

}  // namespace onepass::ONEPASS_ABI
