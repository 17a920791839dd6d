// SPDX-License-Identifier: Apache-2.0
// Compiled once for every instruction set: Highway includes this file again and again. Those that would gain nothing
// are left out: whatever has a lower number than AVX3, which is newer, and the steps between SSE2 and AVX2.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | (HWY_AVX3 - 1))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/vector.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>
#include <onepass/backends/host/vector.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace onepass::backends::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t line         = 64;  // bytes of a cache line
constexpr std::size_t vector_bytes = HWY_HAVE_SCALABLE ? 16 : std::min<std::size_t>(HWY_MAX_BYTES, line);

template <class T>
using vector_tag = hn::FixedTag<T, vector_bytes / sizeof(T)>;
template <class T>
using vector = hn::Vec<vector_tag<T>>;
template <class T>
constexpr std::size_t lanes = vector_bytes / sizeof(T);
template <class T>
constexpr std::size_t block = 16 / sizeof(T);  // lanes among which shuffles are cheap

template <fold Fold>
struct folding;

template <>
struct folding<fold::sum> {
  template <class T>
  static constexpr T identity() { return std::is_floating_point_v<T> ? T(-0.0) : T(0); }
  template <class V>
  static HWY_INLINE V combine(V older, V newer) { return hn::Add(older, newer); }
};

template <>
struct folding<fold::smallest> {
  template <class T>
  static constexpr T identity()
  {
    using of = std::numeric_limits<T>;
    return of::has_infinity ? of::infinity() : of::max();
  }
  template <class V>
  static HWY_INLINE V combine(V older, V newer)
  {
    if constexpr (std::is_integral_v<hn::TFromV<V>>) return hn::Min(older, newer);
    else return hn::IfThenElse(hn::Lt(newer, older), newer, older);  // as the scalar operator does
  }
};

template <>
struct folding<fold::largest> {
  template <class T>
  static constexpr T identity()
  {
    using of = std::numeric_limits<T>;
    return of::has_infinity ? -of::infinity() : of::lowest();
  }
  template <class V>
  static HWY_INLINE V combine(V older, V newer)
  {
    if constexpr (std::is_integral_v<hn::TFromV<V>>) return hn::Max(older, newer);
    else return hn::IfThenElse(hn::Lt(older, newer), newer, older);
  }
};

// Lanes of zero bits, but for the first Count of every Period, which hold the identity.
template <class Fold, class T, std::size_t Count, std::size_t Period>
HWY_INLINE vector<T> filler()
{
  struct made {
    alignas(line) T lane[lanes<T>] = {};
    constexpr made()
    {
      for (std::size_t i = 0; i < lanes<T>; ++i)
        if (i % Period < Count) lane[i] = Fold::template identity<T>();
    }
  };
  static constexpr made filled{};
  return hn::Load(vector_tag<T>{}, filled.lane);
}

template <class Fold, class T, std::size_t Count, std::size_t Period>
HWY_INLINE vector<T> fill(vector<T> shifted)
{
  if constexpr (std::is_integral_v<T> && Fold::template identity<T>() == T(0)) return shifted;
  else return hn::Or(shifted, filler<Fold, T, Count, Period>());
}

// Every lane gets the one Count before it, of its own block.
template <std::size_t Count, class Fold, class T>
HWY_INLINE vector<T> lanes_up(vector<T> v)
{
  return fill<Fold, T, Count, block<T>>(hn::ShiftLeftLanes<int(Count)>(vector_tag<T>{}, v));
}

template <std::size_t Count, class Fold, class T>
HWY_INLINE vector<T> blocks_up(vector<T> v)
{
  return fill<Fold, T, Count * block<T>, lanes<T>>(hn::SlideUpBlocks<int(Count)>(vector_tag<T>{}, v));
}

template <std::size_t Count, class Fold, class T>
HWY_INLINE void add_lanes_up(vector<T>& x, vector<T>& y)
{
  x = Fold::combine(lanes_up<Count, Fold, T>(x), x);
  y = Fold::combine(lanes_up<Count, Fold, T>(y), y);
}

// Every lane gets the one Count before it, of the whole vector.
template <std::size_t Count, class Fold, class T>
HWY_INLINE vector<T> wide_up(vector<T> v)
{
  const vector_tag<T>                         d;
  const hn::Repartition<hwy::MakeSigned<T>, vector_tag<T>> places;
  const auto place = hn::Iota(places, -hwy::MakeSigned<T>(Count)), first = hn::Zero(places);
  const auto from  = hn::IndicesFromVec(d, hn::Max(place, first));
  return hn::IfThenElse(hn::RebindMask(d, hn::Ge(place, first)), hn::TableLookupLanes(v, from), hn::Set(d, Fold::template identity<T>()));
}

template <std::size_t Count, class Fold, class T>
HWY_INLINE void add_wide_up(vector<T>& x, vector<T>& y)
{
  x = Fold::combine(wide_up<Count, Fold, T>(x), x);
  y = Fold::combine(wide_up<Count, Fold, T>(y), y);
}

// The last lane of each block, in all of its lanes.
template <class T>
HWY_INLINE vector<T> last_of_block(vector<T> v)
{
  struct made {
    alignas(line) std::uint8_t byte[vector_bytes] = {};
    constexpr made()
    {
      for (std::size_t i = 0; i < vector_bytes; ++i) byte[i] = std::uint8_t(16 - sizeof(T) + i % sizeof(T));
    }
  };
  static constexpr made from{};
  const vector_tag<std::uint8_t> bytes;
  return hn::BitCast(vector_tag<T>{}, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::Load(bytes, from.byte)));
}

// x and then y, scanned: first the lanes of each block, then the blocks. `before` stays the same in all lanes. The two
// go side by side, since one alone waits for itself more than the processor can look ahead.
template <bool Inclusive, class Fold, class T>
HWY_INLINE void scan_pair(vector<T>& x, vector<T>& y, vector<T>& before)
{
  vector<T> all_x, all_y;
  if constexpr (sizeof(T) >= 4 && lanes<T> > block<T>) {
    const auto last = hn::IndicesFromVec(vector_tag<T>{}, hn::Set(hn::Repartition<hwy::MakeSigned<T>, vector_tag<T>>{}, lanes<T> - 1));
    add_wide_up<1, Fold, T>(x, y);
    add_wide_up<2, Fold, T>(x, y);
    if constexpr (lanes<T> > 4) add_wide_up<4, Fold, T>(x, y);
    if constexpr (lanes<T> > 8) add_wide_up<8, Fold, T>(x, y);
    all_x = hn::TableLookupLanes(x, last);
    all_y = hn::TableLookupLanes(y, last);
    if constexpr (!Inclusive) {
      x = wide_up<1, Fold, T>(x);
      y = wide_up<1, Fold, T>(y);
    }
  } else {
    add_lanes_up<1, Fold, T>(x, y);
    if constexpr (block<T> > 2) add_lanes_up<2, Fold, T>(x, y);
    if constexpr (block<T> > 4) add_lanes_up<4, Fold, T>(x, y);
    if constexpr (block<T> > 8) add_lanes_up<8, Fold, T>(x, y);
    all_x = last_of_block<T>(x);
    all_y = last_of_block<T>(y);
    if constexpr (!Inclusive) {
      x = lanes_up<1, Fold, T>(x);
      y = lanes_up<1, Fold, T>(y);
    }
    if constexpr (lanes<T> > block<T>) {
      constexpr std::size_t blocks = lanes<T> / block<T>;
      vector<T>             up_x = blocks_up<1, Fold, T>(all_x), up_y = blocks_up<1, Fold, T>(all_y);
      all_x = Fold::combine(up_x, all_x);
      all_y = Fold::combine(up_y, all_y);
      if constexpr (blocks > 2) {
        all_x = Fold::combine(blocks_up<2, Fold, T>(all_x), all_x);
        all_y = Fold::combine(blocks_up<2, Fold, T>(all_y), all_y);
        up_x  = blocks_up<1, Fold, T>(all_x);
        up_y  = blocks_up<1, Fold, T>(all_y);
      }
      x     = Fold::combine(up_x, x);
      y     = Fold::combine(up_y, y);
      all_x = hn::BroadcastBlock<int(blocks - 1)>(all_x);
      all_y = hn::BroadcastBlock<int(blocks - 1)>(all_y);
    }
  }
  const vector<T> between = Fold::combine(before, all_x);
  x                       = Fold::combine(before, x);
  y                       = Fold::combine(between, y);
  before                  = Fold::combine(between, all_y);
}

template <bool Inclusive, class Fold, class T>
HWY_INLINE void scan_some(T const* in, T* out, std::size_t n, vector<T>& before)
{
  const vector_tag<T> d;
  const auto          none = hn::Set(d, Fold::template identity<T>());
  for (std::size_t i = 0; i < n; i += 2 * lanes<T>) {
    const std::size_t first = std::min(n - i, lanes<T>), second = std::min(n - i - first, lanes<T>);
    auto x = hn::LoadNOr(none, d, in + i, first), y = hn::LoadNOr(none, d, in + i + first, second);
    scan_pair<Inclusive, Fold, T>(x, y, before);
    hn::StoreN(x, d, out + i, first);
    hn::StoreN(y, d, out + i + first, second);
  }
}

// Scans whole lines and returns how many items they have; meanwhile adds as many of next[0, limit) to a and b, which
// are asked for well ahead into the second-level cache.
template <bool Stream, bool Inclusive, class Fold, class T>
HWY_INLINE std::size_t scan_lines(T const* in, T* out, std::size_t n, vector<T>& before, T const* next, std::size_t limit,
                                  vector<T>& a, vector<T>& b)
{
  const vector_tag<T>   d;
  constexpr std::size_t in_line = line / sizeof(T), pair = 2 * lanes<T>, step = std::max(pair, in_line), lead = 8192 / sizeof(T);
  std::size_t           i = 0;
  for (std::size_t j = 0; j < std::min(lead, limit); j += in_line) __builtin_prefetch(next + j, 0, 2);
  for (; i + step <= n; i += step) {
    for (std::size_t j = i; j < i + step; j += in_line) __builtin_prefetch(next + std::min(j + lead, limit - 1), 0, 2);
    for (std::size_t j = i; j < i + step; j += pair) {
      auto x = hn::LoadU(d, in + j), y = hn::LoadU(d, in + j + lanes<T>);
      a      = Fold::combine(a, hn::LoadU(d, next + j));
      b      = Fold::combine(b, hn::LoadU(d, next + j + lanes<T>));
      scan_pair<Inclusive, Fold, T>(x, y, before);
      if constexpr (Stream) {
        hn::Stream(x, d, out + j);
        hn::Stream(y, d, out + j + lanes<T>);
      } else {
        hn::StoreU(x, d, out + j);
        hn::StoreU(y, d, out + j + lanes<T>);
      }
    }
  }
  return i;
}

// The items of a, of b and of in[0, n), combined.
template <class Fold, class T>
HWY_INLINE T combined(vector<T> a, vector<T> b, T const* in, std::size_t n)
{
  const vector_tag<T>   d;
  constexpr std::size_t step = 4 * lanes<T>;
  const auto            none = hn::Set(d, Fold::template identity<T>());
  auto                  c = none, e = none;
  std::size_t           i = 0;
  for (; i + step <= n; i += step) {
    a = Fold::combine(a, hn::LoadU(d, in + i));
    b = Fold::combine(b, hn::LoadU(d, in + i + lanes<T>));
    c = Fold::combine(c, hn::LoadU(d, in + i + 2 * lanes<T>));
    e = Fold::combine(e, hn::LoadU(d, in + i + 3 * lanes<T>));
  }
  for (; i < n; i += lanes<T>) a = Fold::combine(a, hn::LoadNOr(none, d, in + i, n - i));
  auto all = none;
  a        = Fold::combine(a, b);
  c        = Fold::combine(c, e);
  scan_pair<true, Fold, T>(a, c, all);
  return hn::GetLane(all);
}

template <bool Inclusive, fold Fold, class T>
T scan(T const* in, T* out, std::size_t n, T& before, T const* next, bool stream)
{
  using folds = folding<Fold>;
  const vector_tag<T> d;
  auto                carry = hn::Set(d, before), a = hn::Set(d, folds::template identity<T>()), b = a;
  const std::size_t   skewed = (line - reinterpret_cast<std::uintptr_t>(out) % line) % line / sizeof(T);
  const std::size_t   head   = stream ? std::min(n, skewed) : 0;
  scan_some<Inclusive, folds>(in, out, head, carry);
  const std::size_t body =
      stream ? scan_lines<true, Inclusive, folds>(in + head, out + head, n - head, carry, next, n, a, b)
             : scan_lines<false, Inclusive, folds>(in, out, n, carry, next, n, a, b);
  const std::size_t done = head + body;
  scan_some<Inclusive, folds>(in + done, out + done, n - done, carry);
  before = hn::GetLane(carry);
  return combined<folds>(a, b, next + body, n - body);
}

template <fold Fold, class T>
T reduce(T const* in, std::size_t n)
{
  using folds     = folding<Fold>;
  const auto none = hn::Set(vector_tag<T>{}, folds::template identity<T>());
  return combined<folds>(none, none, in, n);
}

template <fold Fold, class T>
constexpr void put(vector_leaf<Fold, T>& leaf)
{
  leaf = {reduce<Fold, T>, scan<true, Fold, T>, scan<false, Fold, T>};
}

vector_leaves const* leaves()
{
  static constexpr vector_leaves all = [] {
    vector_leaves made{};
    std::apply([](auto&... leaf) { (put(leaf), ...); }, made);
    return made;
  }();
  return &all;
}

}  // namespace onepass::backends::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace onepass::backends::host {

HWY_EXPORT(leaves);

vector_leaves const& leaves_of_this_machine()
{
  static vector_leaves const& all = [&]() -> vector_leaves const& {
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());  // else every look-up asks the processor what it is
    return *HWY_DYNAMIC_DISPATCH(leaves)();
  }();
  return all;
}

char const* instruction_set()
{
  const auto usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

}  // namespace onepass::backends::host
#endif
