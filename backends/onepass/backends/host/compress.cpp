// SPDX-License-Identifier: Apache-2.0
// Compiled once for every instruction set: Highway includes this file again for each. AVX3_DL compresses bytes and
// words; SSE4, AVX2 and AVX3 move eight of them by a table; other instruction sets would gain nothing.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | (HWY_AVX3_DL - 1))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/compress.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>
#include <onepass/backends/host/compress.hpp>
#include <onepass/backends/host/vector.hpp>

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most 64 flags.
template <class T>
using flagged_tag = hn::CappedTag<T, 64 / sizeof(T)>;

#if HWY_TARGET > HWY_AVX3_DL
// For each byte of flags, the places of those that are set.
struct places_of_eight {
  alignas(64) std::uint8_t of[256][8] = {};

  constexpr places_of_eight()
  {
    for (unsigned flags = 0; flags < 256; ++flags)
      for (unsigned k = 0, set = 0; k < 8; ++k)
        if (flags >> k & 1u) of[flags][set++] = std::uint8_t(k);
  }
};
constexpr places_of_eight places;

// Vectors that are compressed.
template <class T>
using compressed_tag = hn::CappedTag<T, sizeof(T) <= 2 ? 8 : 64 / sizeof(T)>;
#else
template <class T>
using compressed_tag = flagged_tag<T>;
#endif

// Appends the items of v whose flags are set to `out`, by one store of a whole vector: stores of the flagged lanes
// alone are slow.
template <class T>
HWY_INLINE T* put_flagged(hn::Vec<compressed_tag<T>> v, std::uint64_t flags, T* out)
{
  compressed_tag<T> const d;
  std::size_t const lanes = hn::Lanes(d);
  flags                   = lanes < 64 ? flags & ((std::uint64_t(1) << lanes) - 1) : flags;
#if HWY_TARGET > HWY_AVX3_DL
  if constexpr (sizeof(T) == 1) hn::StoreU(hn::TableLookupBytes(v, hn::Load(d, places.of[flags])), d, out);
  else
#endif
  {
    std::uint8_t bits[8];
    hwy::CopyBytes<8>(&flags, bits);
    hn::StoreU(hn::CompressBits(v, bits), d, out);
  }
  return out + hwy::PopCount(flags);
}

// Calls put(whole, i, flags, out) for all vectors that have set flags; the last, which is not known to be whole, may
// begin less than its lanes before n. Where few of 64 flags are set, it stores one(i) of each, always as often, since
// no branch then asks how many there are; where all are, of all.
template <class T, class Put, class One>
HWY_INLINE std::size_t each_vector(std::uint64_t const* flags, std::size_t n, T* out, Put const& put, One const& one)
{
  std::size_t const lanes  = hn::Lanes(compressed_tag<T>{});
  constexpr int most_lanes = HWY_MAX_LANES_D(compressed_tag<T>), few = most_lanes <= 4 ? 8 : most_lanes <= 8 ? 4 : 0;
  T* to         = out;
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    std::uint64_t word = flags[i / 64];
    if (word == 0) continue;
    auto const set = hwy::PopCount(word);
    if (set <= few) {
      for (int k = 0; k < few; ++k, word &= word - 1)
        to[k] = one(i + hwy::Num0BitsBelowLS1Bit_Nonzero64(word | std::uint64_t(1) << 63));
      to += set;
    } else if (set == 64) {
      for (std::size_t k = 0; k < 64; ++k) to[k] = one(i + k);
      to += 64;
    } else
      for (std::size_t j = 0; j < 64; j += lanes) to = put(std::true_type{}, i + j, word >> j, to);
  }
  if (i < n)
    for (std::uint64_t word = flags[i / 64]; word != 0; i += lanes, word = lanes < 64 ? word >> lanes : 0)
      to = put(std::false_type{}, i, word, to);
  return std::size_t(to - out);
}

template <class T>
std::size_t compress_here(T const* in, std::uint64_t const* flags, std::size_t n, T* out)
{
  compressed_tag<T> const d;
  return each_vector<T>(
      flags, n, out,
      [&](auto whole, std::size_t i, std::uint64_t set, T* to) HWY_ATTR {
        auto const items = whole || i + hn::Lanes(d) <= n ? hn::LoadU(d, in + i) : hn::LoadN(d, in + i, n - i);
        return put_flagged<T>(items, set, to);
      },
      [in](std::size_t i) { return in[i]; });
}

std::size_t positions_here(std::uint64_t const* flags, std::size_t n, std::int32_t first, std::int32_t* out)
{
  using T = std::int32_t;
  compressed_tag<T> const d;
  auto const lane = hn::Iota(d, first);
  return each_vector<T>(
      flags, n, out,
      [&](auto, std::size_t i, std::uint64_t set, T* to)
          HWY_ATTR { return put_flagged<T>(hn::Add(lane, hn::Set(d, T(i))), set, to); },
      [first](std::size_t i) { return first + T(i); });
}

// The bits of a mask, by a number of as many bytes as were stored.
template <class T>
HWY_INLINE std::uint64_t bits_of(hn::Mask<flagged_tag<T>> mask)
{
  constexpr std::size_t lanes = HWY_MAX_LANES_D(flagged_tag<T>);
  using part                  = std::conditional_t<
      lanes <= 8, std::uint8_t,
      std::conditional_t<lanes <= 16, std::uint16_t, std::conditional_t<lanes <= 32, std::uint32_t, std::uint64_t>>>;
  std::uint8_t bits[8];
  hn::StoreMaskBits(flagged_tag<T>{}, mask, bits);
  part all;
  hwy::CopyBytes<sizeof(part)>(bits, &all);
  return all;
}

template <class T>
void changes_here(T const* in, std::size_t n, std::uint64_t* flags)
{
  flagged_tag<T> const d;
  std::size_t const lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < n; i += 64) {
    std::uint64_t word = 0;
    for (std::size_t j = 0; j < 64; j += lanes)
      word |= bits_of<T>(hn::Eq(hn::LoadU(d, in + i + j), hn::LoadU(d, in + i + j - 1))) << j;
    flags[i / 64] = ~word;  // Ne says that a NaN does not differ
  }
}

vector_lists const* lists()
{
  static constexpr vector_lists all{{compress_here<std::uint8_t>, compress_here<std::uint16_t>,
                                     compress_here<std::uint32_t>, compress_here<std::uint64_t>},
                                    positions_here,
                                    {changes_here<std::uint8_t>, changes_here<std::uint16_t>,
                                     changes_here<std::uint32_t>, changes_here<std::uint64_t>, changes_here<float>,
                                     changes_here<double>}};
  return &all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace onepass::ONEPASS_ABI::backends::host {

HWY_EXPORT(lists);

vector_lists const& lists_of_this_machine()
{
  static vector_lists const& all = of_this_machine([] { return HWY_DYNAMIC_DISPATCH(lists)(); });
  return all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host
#endif
