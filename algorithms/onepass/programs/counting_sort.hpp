// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/registers.hpp>
#include <onepass/key_codec.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

// Sorting by counting, for keys without values whose code determines all their bits: equal keys are indistinguishable,
// so it is enough to count the keys of every value and to write each key that often.

/// The bin of a key: its rank among all possible keys.
template <coded_key Key>
struct bin_of_key {
  static constexpr extent bins = extent(1) << key_bits<Key>;
  bool descending;

  ONEPASS_FUNCTION int operator()(Key const& key) const
  {
    return descending ? int(bins - 1) - int(onepass::key_code(key)) : int(onepass::key_code(key));
  }
  ONEPASS_FUNCTION Key key_of(extent bin) const
  {
    return key_of_code<Key>(unsigned_of<sizeof(Key)>(descending ? bins - 1 - bin : bin));
  }
};

/// Writes n keys in order, the first of which has this rank, given where each bin ends among all. A part is what one
/// thread writes: on devices a few packs, spaced so that at every step writes of neighbouring threads are coalesced.
template <class Key, class Out, bool OnHost>
struct fill_bins {
  static constexpr extent chunk  = OnHost ? extent(1) << 14 : extent(sizeof(pack) / sizeof(Key));  ///< contiguous items
  static constexpr extent chunks = OnHost ? 1 : 8, apart = OnHost ? 1 : 32;

  bin_of_key<Key> bin_of;
  std::uint64_t const* ends;
  Out out;
  extent rank, n;

  extent parts() const { return div_up(n, chunk * chunks * apart) * apart; }

  ONEPASS_FUNCTION void operator()(extent part) const
  {
    extent bin = 0, end = 0;  // the bin written last
    for (extent c = 0; c < chunks; ++c) {
      extent first      = ((part / apart * chunks + c) * apart + part % apart) * chunk;
      extent const last = first + chunk < n ? first + chunk : n;
      while (first < last) {
        if (end <= first) {
          bin = bin_at(std::uint64_t(first + rank));
          end = extent(ends[bin]) - rank;
        }
        Key const key = bin_of.key_of(bin);
        if (end >= last && fills_pack(first, last, key)) break;
        for (extent const stop = end < last ? end : last; first < stop; ++first) out(first) = key;
      }
    }
  }

private:
  /// The first bin that ends after rank p.
  ONEPASS_FUNCTION extent bin_at(std::uint64_t p) const
  {
    extent low = 0;
    for (extent step = bin_of.bins / 2; step > 0; step /= 2)
      if (ends[low + step - 1] <= p) low += step;
    return low;
  }

  /// Writes the key to positions [first, last) if they are an aligned pack in memory; returns whether they are.
  ONEPASS_FUNCTION bool fills_pack(extent first, extent last, Key const& key) const
  {
    if constexpr (OnHost || !is_contiguous<Out>::value) return false;
    else {
      using bits = unsigned_of<sizeof(Key)>;
      if (last - first < chunk || reinterpret_cast<std::uintptr_t>(out.data) % sizeof(pack) != 0) return false;
      register_items<bits, int(chunk)> keys;
      bits one;
      std::memcpy(&one, &key, sizeof(Key));
      ONEPASS_UNROLL for (int k = 0; k < int(chunk); ++k) keys.set(k, one);
      keys.store(reinterpret_cast<bits*>(out.data + first));
      return true;
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
