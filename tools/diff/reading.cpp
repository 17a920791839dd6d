// SPDX-License-Identifier: Apache-2.0
#include "reading.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tools::diff {

using onepass::trace::added;
using onepass::trace::exact_sum;
using onepass::trace::extreme;

namespace {

template <class T>
std::string shortest(T x)
{
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

trace_u64 sum_of(fingerprint const& f, added what) { return f.found.sum[int(what)]; }

double from_f64_key(trace_u64 key) { return std::bit_cast<double>(key >> 63 ? key & ~(trace_u64(1) << 63) : ~key); }
double from_f32_key(trace_u64 key)
{
  auto const k = trace_u32(key);
  return double(std::bit_cast<float>(k >> 31 ? k & ~(1u << 31) : ~k));
}
double from_i64_key(trace_u64 key) { return double(std::int64_t(key ^ trace_u64(1) << 63)); }
double from_i32_key(trace_u64 key) { return double(std::int32_t(trace_u32(key) ^ 1u << 31)); }

/// The exact sum of integers, as high and low word of 128 bits.
__int128 integers(fingerprint const& f, reading as)
{
  if (as == reading::i32) return std::int64_t(sum_of(f, added::i32_sum));
  return (__int128(std::int64_t(sum_of(f, added::i64_high))) << 32) + __int128(sum_of(f, added::i64_low));
}

/// Magnitudes that numbers of a program usually have.
bool usual(double magnitude) { return magnitude > 1e-30 && magnitude < 1e30; }

}  // namespace

std::string text_of(double x) { return shortest(x); }
std::string text_of(float x) { return shortest(x); }

char const* name_of(reading r)
{
  static constexpr char const* names[] = {"f64", "f32", "i64", "i32"};
  return names[int(r)];
}
std::optional<reading> reading_named(std::string const& name)
{
  for (auto const r : {reading::f64, reading::f32, reading::i64, reading::i32})
    if (name == name_of(r)) return r;
  return std::nullopt;
}
char const* name_of(relation r)
{
  static constexpr char const* names[] = {"equal", "same words elsewhere", "within tolerance", "different"};
  return names[int(r)];
}

summary summary_of(fingerprint const& f, reading as)
{
  summary s;
  s.unwritten      = sum_of(f, added::unwritten);
  auto const least = [&](extreme e) { return f.found.least[int(e)]; };
  auto const most  = [&](extreme e) { return f.found.most[int(e)]; };
  auto const range = [&](extreme e, auto const& from_key) {
    s.empty = least(e) > most(e);
    if (s.empty) return;
    s.least = from_key(least(e));
    s.most  = from_key(most(e));
  };
  switch (as) {
  case reading::f64:
    range(extreme::f64, from_f64_key);
    s.nans       = sum_of(f, added::f64_nan);
    s.infinities = sum_of(f, added::f64_infinite);
    s.sum        = f.f64.rounded();
    break;
  case reading::f32:
    range(extreme::f32, from_f32_key);
    s.nans       = sum_of(f, added::f32_nan);
    s.infinities = sum_of(f, added::f32_infinite);
    s.sum        = f.f32.rounded();
    break;
  case reading::i64:
    range(extreme::i64, from_i64_key), s.sum = double(integers(f, as));
    break;
  case reading::i32:
    range(extreme::i32, from_i32_key), s.sum = double(integers(f, as));
    break;
  }
  return s;
}

reading guess(fingerprint const& a, fingerprint const& b, trace_u64 bytes)
{
  auto const magnitude = [&](reading r) {
    double m = 0;
    for (auto const* f : {&a, &b}) {
      auto const s = summary_of(*f, r);
      if (!s.empty) m = std::max({m, std::fabs(s.least), std::fabs(s.most)});
    }
    return m;
  };
  auto const tiny = [&](extreme e, bool wide) {
    auto const bits = std::min(a.found.least[int(e)], b.found.least[int(e)]);
    if (bits == ~trace_u64(0)) return 1.;  // no number but zero
    return wide ? std::bit_cast<double>(bits) : double(std::bit_cast<float>(trace_u32(bits)));
  };
  auto const total = [&](added what) { return sum_of(a, what) + sum_of(b, what); };
  auto const words = std::max<trace_u64>(bytes / 8, 1) * 2;
  bool const wide  = bytes % 8 == 0;
  // Integers have small magnitudes, which as floats would be next to nothing.
  if (magnitude(reading::i32) < 1 << 28)
    return wide && total(added::high_zero) > words / 4 ? reading::i64 : reading::i32;
  if (wide && magnitude(reading::i64) < 1e15) return reading::i64;
  bool const as_f32 =
      magnitude(reading::f32) < 1e18 && tiny(extreme::f32_tiny, false) > 1e-18 && total(added::f32_nan) == 0;
  bool const as_f64 =
      wide && (usual(magnitude(reading::f64)) || total(added::f64_nan) > 0) && total(added::low_zero) > words / 4;
  if (as_f32 && !as_f64) {
    // Two f32 read as one f64 have eight times the range of exponents; the lower half of an f64 may have any.
    bool const narrower = wide && usual(magnitude(reading::f64)) && usual(tiny(extreme::f64_tiny, true))
                          && magnitude(reading::f64) / tiny(extreme::f64_tiny, true)
                                 < magnitude(reading::f32) / tiny(extreme::f32_tiny, false);
    return narrower ? reading::f64 : reading::f32;
  }
  return wide ? reading::f64 : reading::f32;
}

distance distance_of(fingerprint const& a, fingerprint const& b, trace_u64 bytes, double tolerance,
                     std::optional<reading> as)
{
  auto const r = as ? *as : guess(a, b, bytes);
  distance d{relation::different, r, summary_of(a, r), summary_of(b, r), 0, 0};
  if (r == reading::f64) d.sums = exact_sum::difference(b.f64, a.f64).rounded();
  else if (r == reading::f32) d.sums = exact_sum::difference(b.f32, a.f32).rounded();
  else d.sums = double(integers(b, r) - integers(a, r));
  d.sums_ulps = r == reading::f32 ? ulps(float(d.a.sum), float(d.b.sum)) : ulps(d.a.sum, d.b.sum);

  auto const same = [&](auto... what) { return ((sum_of(a, what) == sum_of(b, what)) && ...); };
  if (a == b) d.is = relation::equal;
  else if (same(added::unwritten) && (same(added::words8) || same(added::words4) || same(added::bytes, added::squares)))
    d.is = relation::moved;
  else if (tolerance > 0 && d.a.nans == d.b.nans && d.a.infinities == d.b.infinities && d.a.unwritten == d.b.unwritten
           && d.a.empty == d.b.empty) {
    auto const largest =
        std::max({std::fabs(d.a.least), std::fabs(d.a.most), std::fabs(d.b.least), std::fabs(d.b.most)});
    auto const limit = tolerance * largest;
    auto const items = double(bytes / (r == reading::f64 || r == reading::i64 ? 8 : 4));
    if (std::fabs(d.a.least - d.b.least) <= limit && std::fabs(d.a.most - d.b.most) <= limit
        && std::fabs(d.sums) <= limit * items)
      d.is = relation::near;
  }
  return d;
}

nlohmann::json json_of(summary const& s)
{
  nlohmann::json j{{"nan", s.nans}, {"infinite", s.infinities}, {"unwritten", s.unwritten}, {"sum", s.sum}};
  if (!s.empty) j["least"] = s.least, j["most"] = s.most;
  return j;
}
nlohmann::json json_of(distance const& d)
{
  return {{"relation", name_of(d.is)}, {"as", name_of(d.as)},      {"a", json_of(d.a)},
          {"b", json_of(d.b)},         {"sum_difference", d.sums}, {"sum_ulps", d.sums_ulps}};
}

}  // namespace tools::diff
