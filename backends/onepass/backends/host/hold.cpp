// SPDX-License-Identifier: Apache-2.0
// Compiled once for every instruction set, as vector.cpp is; the compiler makes vectors of the loops over lanes.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | (HWY_AVX3 - 1))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/hold.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>
#include <onepass/backends/host/hold.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int lanes = held_lanes::lanes, parts = held_lanes::parts;

/// log2 of how many items a lane may add.
constexpr int room = 14;
/// Exponent of the unit of part k: sums of as many items as there is room for are less than 2^53 units.
constexpr int unit(int top, int k) { return top + (k + 1) * (room - 53) + (k == 0); }

/// A normal power of two.
HWY_INLINE double power(int e)
{
  std::uint64_t const bits = std::uint64_t(e + 1023) << 52;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// The largest item, and the smallest that is not zero; NaNs may be overlooked.
template <class T>
HWY_INLINE void find_range(T const* in, std::size_t n, T& most, T& least)
{
  constexpr T infinity = std::numeric_limits<T>::infinity();
  T large[lanes], small[lanes];
  for (int l = 0; l < lanes; ++l) large[l] = 0, small[l] = infinity;
  for (std::size_t i = 0; i < n; i += lanes)
    for (int l = 0; l < lanes; ++l) {
      T const size = std::fabs(in[i + std::size_t(l)]), some = size == 0 ? infinity : size;
      large[l] = large[l] < size ? size : large[l];
      small[l] = some < small[l] ? some : small[l];
    }
  most = 0, least = infinity;
  for (int l = 0; l < lanes; ++l) most = std::max(most, large[l]), least = std::min(least, small[l]);
}

using tag    = hn::FixedTag<double, HWY_HAVE_SCALABLE ? 2 : std::min(HWY_MAX_BYTES, 64) / 8>;
using vector = hn::Vec<tag>;

HWY_INLINE vector load(double const* in) { return hn::LoadU(tag(), in); }
HWY_INLINE vector load(float const* in) { return hn::PromoteTo(tag(), hn::LoadU(hn::Rebind<float, tag>(), in)); }

/// Moves what is a multiple of a unit from x to `part`: as adding a number with this unit rounds x.
HWY_INLINE void move(vector& x, vector number, vector& part)
{
  auto const some = hn::Sub(hn::Add(x, number), number);
  part            = hn::Add(part, some);
  x               = hn::Sub(x, some);
}

/// Adds items that the first Parts parts can hold.
template <int Parts, class T>
HWY_INLINE bool add(T const* in, std::size_t n, held_lanes& sums)
{
  tag const d;
  constexpr std::size_t width = hn::MaxLanes(tag());
  auto const first            = hn::Set(d, 1.5 * power(unit(sums.top, 0) + 52)),
             second           = hn::Set(d, 1.5 * power(unit(sums.top, 1) + 52));
  auto made                   = sums;
  made.added += n;
  bool held = true;
  for (std::size_t l = 0; l < lanes;
       l += 2 * width) {  // two vectors abreast, since an addition waits for the one before
    std::size_t const m = l + width;
    auto a = load(sums.part[0] + l), b = load(sums.part[0] + m), c = load(sums.part[1] + l), e = load(sums.part[1] + m),
         f = load(sums.part[2] + l), g = load(sums.part[2] + m);
    for (std::size_t i = 0; i < n; i += lanes) {
      auto x = load(in + i + l), y = load(in + i + m);
      move(x, first, a), move(y, first, b);
      if constexpr (Parts == 2) c = hn::Add(c, x), e = hn::Add(e, y);
      else move(x, second, c), move(y, second, e), f = hn::Add(f, x), g = hn::Add(g, y);
    }
    hn::StoreU(a, d, made.part[0] + l), hn::StoreU(b, d, made.part[0] + m);
    hn::StoreU(c, d, made.part[1] + l), hn::StoreU(e, d, made.part[1] + m);
    hn::StoreU(f, d, made.part[2] + l), hn::StoreU(g, d, made.part[2] + m);
  }
  for (auto const& part : made.part)
    for (double const x : part) held = held && x == x;
  if (held) sums = made;
  return held;  // else there is a NaN
}

/// Source: Demmel & Nguyen 2013; see docs/references.md.
template <class T>
bool hold(T const* in, std::size_t n, held_lanes& sums)
{
  constexpr int lowest_top = -900, highest_top = 1000;  // all units are floats, and so is what rounds to them
  T most, least;
  find_range(in, n, most, least);
  if (sums.added == 0) {
    if (!(most < power(highest_top - 2))) return false;
    sums.top = std::max(most > 0 ? std::ilogb(most) + 2 : 0, lowest_top);
  }
  if (sums.added + n > std::size_t(lanes) << room || !(double(most) < power(sums.top))) return false;
  auto const fits = [&](int k) {
    return double(least) >= power(unit(sums.top, k - 1) + std::numeric_limits<T>::digits - 1);
  };
  return fits(2) ? add<2>(in, n, sums) : fits(3) && add<3>(in, n, sums);
}

bool hold_f32(float const* in, std::size_t n, held_lanes& sums) { return hold(in, n, sums); }
bool hold_f64(double const* in, std::size_t n, held_lanes& sums) { return hold(in, n, sums); }

}  // namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace onepass::ONEPASS_ABI::backends::host {

HWY_EXPORT(hold_f32);
HWY_EXPORT(hold_f64);

bool hold_in_lanes(float const* in, std::size_t n, held_lanes& sums)
{
  return HWY_DYNAMIC_DISPATCH(hold_f32)(in, n, sums);
}
bool hold_in_lanes(double const* in, std::size_t n, held_lanes& sums)
{
  return HWY_DYNAMIC_DISPATCH(hold_f64)(in, n, sums);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
#endif
