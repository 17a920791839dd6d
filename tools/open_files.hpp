// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "files.hpp"

#include <poll.h>
#include <unistd.h>

namespace tools {

// What files that are read and files that are written have in common.

/// Calls read() or write() until it does not fail for a file's being busy: who has opened a pipe may have said that
/// nothing waits for it.
template <class Call>
auto when_ready(int file, short to, Call const& call)
{
  for (;;) {
    auto const n = again(call);
    pollfd ready{file, to, 0};
    if (n >= 0 || errno != EAGAIN || again([&] { return ::poll(&ready, 1, -1); }) < 0) return n;
  }
}

/// Writes all bytes. False, with errno, where the file takes no more.
inline bool write_all(int file, std::span<std::uint8_t const> b)
{
  while (!b.empty()) {
    auto const n = when_ready(file, POLLOUT, [&] { return ::write(file, b.data(), b.size()); });
    if (n < 0) return false;
    b = b.subspan(std::size_t(n));
  }
  return true;
}

inline bool is_same(struct stat const& a, struct stat const& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

}  // namespace tools
