// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

namespace onepass::ONEPASS_ABI {

// What kokkos::BinSort makes of an operator of bins, as Kokkos defines these. Its members may take references: they get
// variables where Kokkos has them, and constants where Kokkos has those.

/// The bins of keys [first, first + size), a sequence.
template <class Keys, class BinOp>
struct bins_of_keys {
  using value_type = int;

  Keys keys;
  BinOp bins;
  extent first, size;

  ONEPASS_FUNCTION int operator()(extent i) const
  {
    int const key = int(first + i);
    return bins.bin(keys, key);
  }
};

/// The order of two keys of one bin, told by where they are.
template <class Keys, class BinOp>
struct before_in_bin {
  Keys keys;
  BinOp bins;

  template <class Index>
  ONEPASS_FUNCTION bool operator()(Index a, Index b) const
  {
    int i = int(a), j = int(b);
    return bins(keys, i, j);
  }
};

/// How many keys each bin has.
template <class Offsets, class Counts>
struct keys_of_bin {
  Offsets offsets;
  Counts counts;

  ONEPASS_FUNCTION void operator()(extent b) const { counts(b) = int(offsets(b + 1) - offsets(b)); }
};

/// Positions among keys as positions among the values of these keys, a sequence.
template <class Order>
struct order_from {
  using value_type = extent;

  Order order;
  extent first, size;

  ONEPASS_FUNCTION extent operator()(extent i) const { return extent(order(i)) - first; }
};

}  // namespace onepass::ONEPASS_ABI
