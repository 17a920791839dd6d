// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/compress.hpp>
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/stream.hpp>

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace onepass::ONEPASS_ABI::backends::host {

/// Packs 64 flags into one word, the first in its lowest bit.
inline std::uint64_t word_of(bool const (&flags)[64])
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

/// The flags of neighbouring items, 64 a word; beyond the last item no flag is set.
template <int Capacity>
class flag_words {
public:
  static_assert(Capacity % 64 == 0);

  /// Evaluates items [first, last) of a program, each once and in order, by loops that a compiler can vectorise.
  template <class Program, class In>
  void raise(Program const& p, In const& in, extent first, extent last)
  {
    size_ = last - first;
    for (extent i = first; i < last; i += 64) word_[(i - first) / 64] = word_at(p, in, i, last);
  }

  /// One word of them: of items from `first` on, 64 or those before `last`.
  template <class Program, class In>
  static std::uint64_t word_at(Program const& p, In const& in, extent first, extent last)
  {
    fetch_pages_ahead(in, first, 64);
    bool const whole = first > 0 && first + 64 <= last;
    return whole ? whole_word(p, in, first) : some_of_word(p, in, first, std::min(first + 64, last));
  }

  /// Sets flag k to flag(k), which is also called for k up to the next multiple of 64.
  template <class F>
  void set(extent size, F const& flag)
  {
    size_ = size;
    for (extent k = 0; k < size; k += 64) {
      alignas(64) bool flags[64];
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
  /// An item that user code makes is made once, so the one before is not read where nobody asks for it.
  template <class Program, class In>
  static bool evaluated_at(Program const& p, In const& in, extent i)
  {
    if constexpr (looks_behind<Program>) return p.evaluate(i, in(i), in(i > 0 ? i - 1 : 0));
    else return p.evaluate(i, in(i));
  }

  /// The bits of those flags from flag k on that exist.
  std::uint64_t real(extent k) const
  {
    return size_ - k < 64 ? (std::uint64_t(1) << (size_ - k)) - 1 : ~std::uint64_t(0);
  }

  template <class Program, class In>
  static std::uint64_t whole_word(Program const& p, In const& in, extent first)
  {
    alignas(64) bool flags[64];
    for (int k = 0; k < 64; ++k) {
      extent const i = first + k;
      ONEPASS_ASSUME(i > 0);  // many programs test whether an item is the first of all
      flags[k] = evaluated_at(p, in, i);
    }
    return word_of(flags);
  }

  template <class Program, class In>
  static std::uint64_t some_of_word(Program const& p, In const& in, extent first, extent last)
  {
    std::uint64_t word = 0;
    for (extent i = first; i < last; ++i) word |= std::uint64_t(evaluated_at(p, in, i)) << (i - first);
    return word;
  }

  std::uint64_t word_[Capacity / 64];
  extent size_ = 0;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
