// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/exact_sum.hpp>
#include <onepass/extent.hpp>
#ifdef ONEPASS_HIGHWAY
#include <onepass/backends/host/hold.hpp>
#endif

#include <algorithm>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// Adds floats that lie in host memory, in vector registers as far as they are held there. Calls add(x) for what they
/// hold, and put(x) for items among which some are not.
template <class T, class Add, class Put>
void hold_on_host(T const* in, extent n, Add const& add, [[maybe_unused]] Put const& put)
{
  extent i = 0;
#ifdef ONEPASS_HIGHWAY
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    constexpr extent block = 1024;
    backends::host::held_lanes sums;
    auto const hold  = [&](extent at) { return backends::host::hold_in_lanes(in + at, std::size_t(block), sums); };
    auto const flush = [&] {
      for (int l = 0; l < sums.lanes; ++l) add(sums.high[l]), add(sums.low[l]);
      sums = {};
    };
    for (; i + block <= n; i += block) {
      if (hold(i)) continue;
      flush();  // lanes may have become too large for what is small
      if (!hold(i))
        for (extent k = i; k < i + block; ++k) put(double(in[k]));
    }
    flush();
  }
#endif
  for (; i < n; ++i) add(double(in[i]));
}

}  // namespace onepass::ONEPASS_ABI
