// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/grids.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI {

/// A square, computed in the type of the sums: 255 squared does not fit u8.
template <class Sum>
struct squared {
  template <class T>
  ONEPASS_FUNCTION Sum operator()(T const& x) const
  {
    return static_cast<Sum>(x) * static_cast<Sum>(x);
  }
};

template <class In, class Out, int C, class Transform>
struct summed_area_table_program {
  using item_type  = pixel<In, C>;
  using value_type = pixel<Out, C>;

  static constexpr bool plain = std::is_same_v<Transform, unchanged>;

  raster<In const, C> in;
  raster<Out, C> out;
  Transform transform;

  ONEPASS_FUNCTION raster<In const, C> const& input() const { return in; }
  ONEPASS_FUNCTION raster<Out, C> const& output() const { return out; }

  summed_area_table_program transposed() const { return {in.transposed(), out.transposed(), transform}; }

  ONEPASS_FUNCTION value_type value(item_type const& item) const
  {
    if constexpr (C == 1) return static_cast<Out>(transform(item));
    else {
      value_type v;
      ONEPASS_UNROLL for (int c = 0; c < C; ++c) v.of[c] = static_cast<Out>(transform(item.of[c]));
      return v;
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
