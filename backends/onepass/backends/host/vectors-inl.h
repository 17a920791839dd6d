// SPDX-License-Identifier: Apache-2.0
// Vectors of one instruction set, and how one is scanned. A file of vector code defines HWY_TARGET_INCLUDE as its own
// name and includes this first: Highway then compiles it once for every instruction set. Those without a gain are left
// out: all with a lower number than AVX3, which are newer, and those between SSE2 and AVX2.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | (HWY_AVX3 - 1))
#endif
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>
#include <onepass/backends/host/vector.hpp>

#include <algorithm>
#include <limits>
#include <tuple>

#if defined(ONEPASS_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)  // once for each
#ifdef ONEPASS_VECTORS_INL_H
#undef ONEPASS_VECTORS_INL_H
#else
#define ONEPASS_VECTORS_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {
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
  static constexpr T identity()
  {
    return std::is_floating_point_v<T> ? T(-0.0) : T(0);
  }
  template <class V>
  static HWY_INLINE V combine(V older, V newer)
  {
    return hn::Add(older, newer);
  }
};

template <fold Fold>
  requires(Fold != fold::sum)
struct folding<Fold> {
  static constexpr bool small = Fold == fold::smallest;

  template <class T>
  static constexpr T identity()
  {
    using of = std::numeric_limits<T>;
    if constexpr (of::has_infinity) return small ? of::infinity() : -of::infinity();
    else return small ? of::max() : of::lowest();
  }
  template <class V>
  static HWY_INLINE V combine(V older, V newer)
  {
    if constexpr (std::is_floating_point_v<hn::TFromV<V>>)  // as the scalar operators treat zeros and NaN
      return hn::IfThenElse(small ? hn::Lt(newer, older) : hn::Lt(older, newer), newer, older);
    else return small ? hn::Min(older, newer) : hn::Max(older, newer);
  }
};

// A vector of zero bits, but for the first Count lanes of every Period, which hold the identity.
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

// Moves every lane up by Count lanes inside its block of 16 bytes; the first lanes become the identity.
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

// Moves every lane up by Count lanes in the whole vector.
template <std::size_t Count, class Fold, class T>
HWY_INLINE vector<T> wide_up(vector<T> v)
{
  vector_tag<T> const d;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (vector_bytes == 64) {  // one shuffle, no mask: masks would be recomputed for every vector
    vector_tag<std::uint32_t> const words;
    auto const before = hn::BitCast(words, hn::Set(d, Fold::template identity<T>()));
    return hn::BitCast(d, hn::Vec512<std::uint32_t>{_mm512_alignr_epi32(hn::BitCast(words, v).raw, before.raw,
                                                                        16 - int(Count * sizeof(T) / 4))});
  }
#endif
  hn::RebindToSigned<decltype(d)> const places;
  auto const place = hn::Iota(places, -hwy::MakeSigned<T>(Count)), first = hn::Zero(places);
  auto const moved = hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::Max(place, first)));
  return hn::IfThenElse(hn::RebindMask(d, hn::Ge(place, first)), moved, hn::Set(d, Fold::template identity<T>()));
}

// The last lane of each block, in all lanes of the block.
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
  vector_tag<std::uint8_t> const bytes;
  return hn::BitCast(vector_tag<T>{}, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::Load(bytes, from.byte)));
}

// The last lane of the vector, in all lanes.
template <class T>
HWY_INLINE vector<T> last_of_all(vector<T> v)
{
  vector_tag<T> const d;
  return hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::Set(hn::RebindToSigned<decltype(d)>{}, lanes<T> - 1)));
}

// Scans one vector. `before` is the same in all lanes, and the next vector waits only for the one combination that
// updates it. Lanes of 32 bits and more move across the whole vector; smaller ones inside their blocks, then whole
// blocks.
//
// Source: Kogge & Stone 1973; see docs/references.md.
template <bool Inclusive, class Fold, class T>
HWY_INLINE vector<T> scanned(vector<T> x, vector<T>& before)
{
  vector<T> const older = before;
  vector<T> all;
  if constexpr (sizeof(T) >= 4 && lanes < T >> block<T>) {
    x = Fold::combine(wide_up<1, Fold, T>(x), x);
    x = Fold::combine(wide_up<2, Fold, T>(x), x);
    if constexpr (lanes < T >> 4) x = Fold::combine(wide_up<4, Fold, T>(x), x);
    if constexpr (lanes < T >> 8) x = Fold::combine(wide_up<8, Fold, T>(x), x);
    all = last_of_all<T>(x);
    if constexpr (!Inclusive) x = wide_up<1, Fold, T>(x);
  } else {
    x = Fold::combine(lanes_up<1, Fold, T>(x), x);
    if constexpr (block < T >> 2) x = Fold::combine(lanes_up<2, Fold, T>(x), x);
    if constexpr (block < T >> 4) x = Fold::combine(lanes_up<4, Fold, T>(x), x);
    if constexpr (block < T >> 8) x = Fold::combine(lanes_up<8, Fold, T>(x), x);
    all = last_of_block<T>(x);
    if constexpr (!Inclusive) x = lanes_up<1, Fold, T>(x);
    if constexpr (constexpr std::size_t blocks = lanes<T> / block<T>; blocks > 1) {
      auto up = blocks_up<1, Fold, T>(all);
      all     = Fold::combine(up, all);
      if constexpr (blocks > 2) {
        all = Fold::combine(blocks_up<2, Fold, T>(all), all);
        up  = blocks_up<1, Fold, T>(all);
      }
      x   = Fold::combine(up, x);
      all = hn::BroadcastBlock<int(blocks - 1)>(all);
    }
  }
  before = Fold::combine(older, all);
  return Fold::combine(older, x);
}

// A table of leaves, each of which put() has filled.
template <class Leaves, class Put>
constexpr Leaves filled_by(Put const& put)
{
  Leaves made{};
  std::apply([&](auto&... leaf) { (put(leaf), ...); }, made);
  return made;
}

}  // namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
