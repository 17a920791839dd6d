// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <unistd.h>

namespace tools {

/// On a terminal, a line that shows how far a command is, how fast, and when it will be done.
class progress {
public:
  explicit progress(std::uint64_t bytes, bool quiet = false)
      : bytes_(bytes)
      , on_terminal_(!quiet && isatty(STDERR_FILENO))
  {}
  ~progress() { clear(); }

  void reached(std::uint64_t done)
  {
    auto const seconds = this->seconds();
    if (!on_terminal_ || seconds < shown_ + 0.1) return;
    shown_ = seconds;
    std::fprintf(stderr, "\r\033[K%3.0f %%  %.2f GB/s  %.0f s left",
                 bytes_ ? 100.0 * double(done) / double(bytes_) : 100.0, double(done) / seconds * 1e-9,
                 done ? seconds * double(bytes_ - done) / double(done) : 0.0);
  }
  void clear() const
  {
    if (on_terminal_ && shown_ > 0) std::fputs("\r\033[K", stderr);
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

private:
  std::uint64_t bytes_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double shown_                                = 0;
  bool on_terminal_;
};

}  // namespace tools
