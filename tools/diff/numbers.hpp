// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/trace/fingerprint.hpp>

#include <bit>
#include <string>

namespace tools::diff {

using trace_u32 = onepass::trace::u32;
using trace_u64 = onepass::trace::u64;

/// Decimal digits that give the same number back.
std::string text_of(double);
std::string text_of(float);

/// How many numbers of the type lie from one to the other; -0 and +0 are one apart.
inline trace_u64 ulps(double a, double b)
{
  auto const x = onepass::trace::key_of_f64(std::bit_cast<trace_u64>(a)),
             y = onepass::trace::key_of_f64(std::bit_cast<trace_u64>(b));
  return x < y ? y - x : x - y;
}
inline trace_u64 ulps(float a, float b)
{
  auto const x = onepass::trace::key_of_f32(std::bit_cast<trace_u32>(a)),
             y = onepass::trace::key_of_f32(std::bit_cast<trace_u32>(b));
  return x < y ? y - x : x - y;
}

}  // namespace tools::diff
