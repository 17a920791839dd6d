// SPDX-License-Identifier: Apache-2.0
// Compiled once for every instruction set, as vector.cpp is; the compiler makes vectors of the loops over lanes.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | (HWY_AVX3 - 1))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/hold.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>
#include <onepass/backends/host/hold.hpp>

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {

/// What a + b lacks when it is rounded to s, as core/onepass/exact_sum.hpp has it.
HWY_INLINE double error_of_sum(double a, double b, double& s)
{
  s              = a + b;
  double const v = s - a;
  return (a - (s - v)) + (b - v);
}

template <class T>
bool hold(T const* in, std::size_t n, held_lanes& sums)
{
  constexpr int lanes = held_lanes::lanes;
  double high[lanes], low[lanes], left[lanes];
  for (int l = 0; l < lanes; ++l) high[l] = sums.high[l], low[l] = sums.low[l], left[l] = 0;
  for (std::size_t i = 0; i < n; i += lanes)
    for (int l = 0; l < lanes; ++l) {
      double const error = error_of_sum(high[l], double(in[i + std::size_t(l)]), high[l]);
      left[l] += std::fabs(error_of_sum(low[l], error, low[l]));
    }
  double all = 0;
  for (int l = 0; l < lanes; ++l) all += left[l];
  if (!(all == 0)) return false;  // NaN too
  for (int l = 0; l < lanes; ++l) sums.high[l] = high[l], sums.low[l] = low[l];
  return true;
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
