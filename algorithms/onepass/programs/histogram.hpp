// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/bins.hpp>
#include <onepass/operators.hpp>
#include <onepass/programs/search.hpp>

namespace onepass {

/// Bins of equal width: bin b holds low + b width <= x < low + (b + 1) width. Floats are multiplied by `scale`, which
/// is bins / (high - low) rounded once: a division per item would take longer than reading the item.
template <class T>
struct even_bins {
  T low, high;
  extent bins;
  T scale;

  ONEPASS_FUNCTION extent operator()(T const& x) const
  {
    if (!(x >= low && x < high)) return -1;  // also for NaN
    if constexpr (std::is_integral_v<T>) {
      using wide        = std::make_unsigned_t<T>;
      auto const offset = std::uint64_t(static_cast<wide>(static_cast<wide>(x) - static_cast<wide>(low)));
      auto const range  = std::uint64_t(static_cast<wide>(static_cast<wide>(high) - static_cast<wide>(low)));
      if (range == std::uint64_t(bins)) return extent(offset);
      if (offset >> 44 == 0) return extent(offset * std::uint64_t(bins) / range);  // bins have at most 20 bits
      return extent(static_cast<unsigned __int128>(offset) * std::uint64_t(bins) / range);
    } else {
      auto const b = extent(std::int32_t((x - low) * scale));
      return b < bins ? b : bins - 1;  // the product may round up to `bins`
    }
  }
};

/// Bins between levels: bin b holds levels(b) <= x < levels(b + 1).
template <class T, class Levels>
struct level_bins {
  Levels levels;

  ONEPASS_FUNCTION extent operator()(T const& x) const
  {
    extent const above = partition_point(levels.size, [&](extent l) { return !(x < levels(l)); });
    return x == x && above < levels.size ? above - 1 : -1;
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
  ONEPASS_FUNCTION extent bin(item_type const& item) const { return static_cast<extent>(bin_of(item)); }
};

}  // namespace onepass
