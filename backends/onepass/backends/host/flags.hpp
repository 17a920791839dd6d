// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/compress.hpp>
#include <onepass/backends/host/wide.hpp>
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/stream.hpp>

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace onepass::ONEPASS_ABI::backends::host {

/// Packs 64 flags into one word, the first in its lowest bit.
inline std::uint64_t word_of(std::uint8_t const (&flags)[64])
{
  std::uint64_t word = 0;
#if defined(__x86_64__)
  for (int k = 0; k < 64; k += 16) {
    auto const bytes =
        _mm_slli_epi16(_mm_loadu_si128(reinterpret_cast<__m128i const*>(flags + k)), 7);  // to the bytes' highest bits
    word |= std::uint64_t(std::uint32_t(_mm_movemask_epi8(bytes))) << k;
  }
#else
  for (int k = 0; k < 64; k += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, flags + k, 8);
    word |= (eight * 0x0102040810204080 >> 56) << k;  // bit 8 i goes to bit 56 + i
  }
#endif
  return word;
}

/// What a loop over items first puts a program's flags in: g++ 12 makes no vectors of a loop that shortens (item & 1)
/// to a byte, which is what "is odd" and "is even" become, and then takes up to ten times as long; of structs it takes
/// three times. Of floats bytes take less, and of flags of bytes a third.
template <class Program, class Item = typename what_decides<Program>::type>
using lane_of_flag = std::conditional_t<!looks_behind<Program> && !std::is_floating_point_v<Item> && of_few_words<Item>,
                                        as_wide_as<Item>, std::uint8_t>;

/// A program whose flags are found in vectors.
template <class Program>
concept compares_in_vectors = flags_changes<Program> && requires(Program const& p)
{
  requires is_contiguous<decltype(changing_items(p))>::value;
  requires compared_in_vectors<typename decltype(changing_items(p))::value_type>;
};

/// Bytes of the widest items of which lines are asked for ahead: where fewer than eight share a line, to make its
/// address takes as long as what is done with them.
inline constexpr std::size_t widest_fetched = 8;

/// The flags of neighbouring items, 64 a word; beyond the last item no flag is set.
template <int Capacity>
class flag_words {
public:
  static_assert(Capacity % 64 == 0);

  /// Evaluates items [first, last) of a program, each once and in order, by loops that a compiler can vectorise.
  template <class Program, class In>
  void raise(Program const& p, In const& in, extent first, extent last)
  {
    size_    = last - first;
    extent i = first;
    if constexpr (compares_in_vectors<Program>) {  // but the first of all, and the last few
      if (i == 0 && i < last) word_[0] = word_at(p, in, 0, last, 0), i = 64;
      if (extent const whole = i < last ? (last - i) / 64 * 64 : 0; whole > 0) {
        auto const all = changing_items(p);
        fetch_pages_ahead(all, i, whole);
        changes(all.data + i, std::size_t(whole), word_ + (i - first) / 64);
        i += whole;
      }
    }
    if (i < last)
      in_wide_vectors([&, words = word_ + (i - first) / 64 ]()
                          __attribute__((always_inline)) { each_word(p, in, i, last, first, words); });
  }

  /// One word of them: of items from `first` on, 64 or those before `last`. Those from `begin` on may be read again.
  /// `wanted`: where flags are apart from the items, these are asked for ahead.
  template <class Program, class In>
  [[gnu::always_inline]] static std::uint64_t word_at(Program const& p, In const& in, extent first, extent last,
                                                      extent begin, bool wanted = true)
  {
    using item                = typename Program::item_type;
    constexpr bool decides    = std::is_same_v<typename what_decides<Program>::type, item>;
    constexpr bool is_fetched = sizeof(item) <= widest_fetched;
    if (is_fetched && (decides || wanted)) fetch_pages_ahead(in, first, 64);
    extent const items = std::min<extent>(last - first, 64);
    if constexpr (compares_in_vectors<Program>)  // 64 that end with these; of the first of all, those behind it
      if (extent const at = first > 0 ? first + items - 64 : 1; at >= std::max<extent>(begin, 1) && at + 64 <= last) {
        std::uint64_t word;
        changes(changing_items(p).data + at, 64, &word);
        return first > 0 ? word >> (first - at) : word << 1 | std::uint64_t(evaluated_at(p, in, 0));
      }
    if constexpr (looks_behind<Program>)
      if (first == 0) return std::uint64_t(evaluated_at(p, in, 0)) | word_of_items<1>(p, in, 0, items);
    return items == 64 ? word_of_items<0>(p, in, first) : word_of_items<0>(p, in, first, items);
  }

  /// Sets flag k to flag(k), which is also called for k up to the next multiple of 64.
  template <class F>
  void set(extent size, F const& flag)
  {
    size_ = size;
    for (extent k = 0; k < size; k += 64) {
      alignas(64) std::uint8_t flags[64];
      for (int j = 0; j < 64; ++j) flags[j] = flag(k + j);
      word_[k / 64] = word_of(flags) & real(k);
    }
  }

  /// Inverts all flags.
  void flip()
  {
    for (extent k = 0; k < size_; k += 64) word_[k / 64] = ~word_[k / 64] & real(k);
  }

  std::uint64_t const* words() const { return word_; }

  /// The position of the last set flag, or -1.
  extent latest() const
  {
    for (extent w = (size_ + 63) / 64 - 1; w >= 0; --w)
      if (word_[w]) return 64 * w + 63 - std::countl_zero(word_[w]);
    return -1;
  }

private:
  /// The words of items [i, last).
  template <class Program, class In>
  [[gnu::always_inline]] static void each_word(Program const& given, In const& of, extent i, extent last, extent begin,
                                               std::uint64_t* words)
  {
    Program const p    = given;  // copies, which no store can change
    auto const in      = of;
    std::uint64_t word = 1;
    for (; i < last; i += 64) *words++ = word = word_at(p, in, i, last, begin, word != 0);
  }

  /// An item that user code makes is made once, so the one before is not read where nobody asks for it.
  template <class Program, class In>
  [[gnu::always_inline]] static bool evaluated_at(Program const& p, In const& in, extent i)
  {
    if constexpr (looks_behind<Program>) return p.evaluate(i, in(i), in(i > 0 ? i - 1 : 0));
    else return p.evaluate(i, in(i));
  }

  /// The bits of those flags from flag k on that exist.
  std::uint64_t real(extent k) const
  {
    return size_ - k < 64 ? (std::uint64_t(1) << (size_ - k)) - 1 : ~std::uint64_t(0);
  }

  /// Of items `Begin` to `end` of a word; programs that look behind have none of them at the beginning of all.
  template <int Begin, class Program, class In>
  [[gnu::always_inline]] static std::uint64_t word_of_items(Program const& p, In const& in, extent first,
                                                            extent end = 64)
  {
    using lane = lane_of_flag<Program>;
    alignas(64) lane flags[64];
    if constexpr (looks_behind<Program>) ONEPASS_ASSUME(first + Begin > 0);  // most of these test it
    for (extent k = Begin; k < end; ++k) flags[k] = lane(evaluated_at(p, in, first + k));
    alignas(64) std::uint8_t bytes[64] = {};
    for (extent k = Begin; k < end; ++k) bytes[k] = std::uint8_t(flags[k]);
    return word_of(bytes);
  }

  std::uint64_t word_[Capacity / 64];
  extent size_ = 0;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
