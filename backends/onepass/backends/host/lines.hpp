// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// Memory that is fetched into the second-level cache line by line while something else is done; none where `read` or
/// `written` is null. What lies behind an array may be named, since fetching does no harm.
struct lines_ahead {
  char const* read;  ///< to be read
  char* written;     ///< to be written: no other core keeps its lines

  [[gnu::always_inline]] void fetch()
  {
    constexpr int line = 64;
    if (read) {
      __builtin_prefetch(read, 0, 2);
      read += line;
    }
    if (written) {
#if defined(__x86_64__)
      asm volatile("prefetchw %0" : : "m"(*written));  // the compiler would need an option for it
#else
      __builtin_prefetch(written, 1, 2);
#endif
      written += line;
    }
  }
};

}  // namespace onepass::ONEPASS_ABI::backends::host
