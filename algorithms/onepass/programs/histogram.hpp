// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/bins.hpp>
#include <onepass/key_codec.hpp>
#include <onepass/operators.hpp>
#include <onepass/programs/search.hpp>

#include <bit>
#include <limits>

namespace onepass::ONEPASS_ABI {

/// Bins of equal width: bin b holds low + b width <= x < low + (b + 1) width. Floats are multiplied by bins / (high -
/// low), rounded once: a division per item would take longer than reading the item.
template <class T>
struct even_bins {
  T low, high, scale;
  std::int32_t last;

  even_bins(T const& from, T const& to, extent bins)
      : low(from)
      , high(to)
      , scale(T(bins) / (to - from))
      , last(std::int32_t(bins) - 1)
  {}

  ONEPASS_FUNCTION std::uint32_t operator()(T const& x) const
  {
    if constexpr (sizeof(T) <= 8) { KOKKOS_IF_ON_HOST((return masked(x);)) }
    bool const inside = x >= low && x < high;  // NaN is not
    auto const b      = std::int32_t(inside ? (x - low) * scale : T(0));
    return inside ? std::uint32_t(b < last ? b : last) : no_bin;  // the product may round up to the number of bins
  }

private:
  /// The same without a branch on floats, of which GCC makes vectors. Doubles have the numbers of all bins, so theirs
  /// are ready before the conversion: masks as wide as they are would have to be narrowed.
  std::uint32_t masked(T const& x) const
  {
    T const product = (x - low) * scale;
    if constexpr (sizeof(T) == 8) {
      T const b = T(last) < product ? T(last) : product, below = x < high ? b : T(-1);
      return std::uint32_t(std::int32_t(x >= low ? below : T(-1)));
    } else {
      using bits        = unsigned_of<sizeof(T)>;
      bits const inside = bits((x >= low ? ~bits(0) : bits(0)) & (x < high ? ~bits(0) : bits(0)));
      auto const b      = std::int32_t(std::bit_cast<T>(bits(std::bit_cast<bits>(product) & inside)));
      return std::uint32_t(b < last ? b : last) | ~std::uint32_t(inside);
    }
  }
};

/// Integers are multiplied as well. With words of W bits, range = high - low < 2^W, and bins = whole range + r, the bin
/// of an offset is whole offset + floor(offset r / range). The fraction r / range is rounded up to 2 W bits, by which
/// the product grows by less than 2^W 2^-2W <= 1 / range: too little to reach the next integer. Offsets of at most half
/// a word need W bits of it alone, for the same reason.
///
/// Source: division by an invariant integer, Granlund & Montgomery 1994; see docs/references.md.
template <std::integral T>
struct even_bins<T> {
  using offset_type = std::make_unsigned_t<T>;
  using word        = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
  using two_words   = std::conditional_t<sizeof(T) <= 4, std::uint64_t, unsigned_128>;

  static constexpr int word_bits = 8 * int(sizeof(word));
  static constexpr bool is_half  = 2 * sizeof(T) <= sizeof(word);

  offset_type low, range;
  std::uint32_t whole;
  word upper, lower = 0;  ///< of the fraction

  even_bins(T const& from, T const& to, extent bins)
      : low(static_cast<offset_type>(from))
      , range(static_cast<offset_type>(static_cast<offset_type>(to) - low))
      , whole(std::uint64_t(bins) < range ? 0 : std::uint32_t(std::uint64_t(bins) / range))
  {
    auto const left         = std::uint64_t(bins) - std::uint64_t(whole) * range;
    two_words const divisor = range, first = two_words(left) << word_bits;
    if constexpr (is_half) upper = static_cast<word>((first + divisor - 1) / divisor);
    else {
      two_words const second = first % divisor << word_bits;
      upper                  = static_cast<word>(first / divisor);
      lower                  = static_cast<word>(second / divisor);
      if (second % divisor != 0 && ++lower == 0) ++upper;
    }
  }

  ONEPASS_FUNCTION std::uint32_t operator()(T const& x) const
  {
    auto const offset = static_cast<offset_type>(static_cast<offset_type>(x) - low);
    if (offset >= range) return no_bin;
    two_words const times = offset, parts = times * upper + (is_half ? 0 : times * lower >> word_bits);
    return std::uint32_t(offset) * whole + std::uint32_t(parts >> word_bits);
  }
};

/// Bins between levels: bin b holds levels(b) <= x < levels(b + 1).
template <class T, class Levels>
struct level_bins {
  Levels levels;

  ONEPASS_FUNCTION std::uint32_t operator()(T const& x) const
  {
    extent const above = partition_point(levels.size, [&](extent l) { return !is_less(x, levels(l)); });
    return x == x && above < levels.size ? std::uint32_t(above - 1) : no_bin;
  }

private:
  /// Integers of which f64 does not have all; the least, and one more than the last, as floats have them.
  template <class I>
  static constexpr bool is_wide = std::is_integral_v<I> && (sizeof(I) > 4);
  template <class I, class Float>
  static constexpr Float least = static_cast<Float>(std::numeric_limits<I>::min());
  template <class I, class Float>
  static constexpr Float end = 2 * static_cast<Float>(std::numeric_limits<I>::max() / 2 + 1);

  /// Whether x is less than y, by their values: of integers one alone may have a sign, and one may be a float.
  template <class U>
  ONEPASS_FUNCTION static constexpr bool is_less(T const& x, U const& y)
  {
    if constexpr (std::is_integral_v<T> && std::is_integral_v<U> && std::is_signed_v<T> != std::is_signed_v<U>) {
      if constexpr (std::is_signed_v<T>) return x < 0 || std::make_unsigned_t<T>(x) < y;
      else return y >= 0 && x < std::make_unsigned_t<U>(y);
    } else if constexpr (is_wide<T> && std::is_floating_point_v<U>) {
      U const above = Kokkos::ceil(y);
      return above >= end<T, U> || (above > least<T, U> && x < static_cast<T>(above));
    } else if constexpr (std::is_floating_point_v<T> && is_wide<U>) {
      T const below = Kokkos::floor(x);
      return below < least<U, T> || (below < end<U, T> && static_cast<U>(below) < y);
    } else if constexpr (std::is_integral_v<T> && std::is_floating_point_v<U>) return static_cast<double>(x) < y;
    else if constexpr (std::is_floating_point_v<T> && std::is_integral_v<U>) return x < static_cast<double>(y);
    else return x < y;
  }
};

template <class In, class Counts, class BinOf>
struct histogram_program {
  using item_type = typename In::value_type;

  In in;
  Counts bin_counts;
  BinOf bin_of;

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION Counts counts() const { return bin_counts; }
  ONEPASS_FUNCTION extent bins() const { return bin_counts.size; }
  ONEPASS_FUNCTION std::uint32_t bin(item_type const& item) const
  {
    auto const b = bin_of(item);
    if constexpr (sizeof(b) > sizeof(std::uint32_t))
      return static_cast<std::uint64_t>(b) >> 32 ? no_bin : static_cast<std::uint32_t>(b);
    else return static_cast<std::uint32_t>(b);  // -1 is not below any number of bins
  }
};

}  // namespace onepass::ONEPASS_ABI
