// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tools {

/// From so many hardware threads on, several help to read and to write a file; on fewer, one does it as fast and the
/// rest have other work.
inline constexpr unsigned many_threads = 8;

/// Bytes that a thread reads, checks or copies at a time, so that they stay in a cache.
inline constexpr std::size_t piece_bytes = std::size_t(256) << 10;

/// How many pieces so many bytes are, and piece k of them.
constexpr std::size_t pieces_of(std::size_t bytes) { return (bytes + piece_bytes - 1) / piece_bytes; }
template <class Byte>
std::span<Byte> piece_of(std::span<Byte> bytes, std::size_t k)
{
  auto const begin = k * piece_bytes;
  return bytes.subspan(begin, std::min(piece_bytes, bytes.size() - begin));
}

/// Calls use(piece) for one piece after the other.
template <class Byte, class Use>
void by_pieces(std::span<Byte> bytes, Use const& use)
{
  for (std::size_t k = 0; k < pieces_of(bytes.size()); ++k) use(piece_of(bytes, k));
}

/// A thread that does some work and is not missed: where there are no more threads, there is none.
template <class Work>
std::jthread helper(Work&& work)
{
  try {
    return std::jthread(std::forward<Work>(work));
  } catch (std::system_error const&) {
    return {};
  }
}

/// Calls work(k), which does not throw, for each k < n: on threads that help, and on the one that calls take().
class shared_pieces {
public:
  shared_pieces(std::size_t n, std::size_t helpers, std::function<void(std::size_t)> work)
      : n_(n)
      , work_(std::move(work))
  {
    while (helpers_.size() < helpers)
      helpers_.push_back(helper([this] {
        while (take()) {}
      }));
  }
  ~shared_pieces() { next_ = n_; }
  shared_pieces(shared_pieces const&) = delete;

  /// Does the next piece; false if none is left to begin.
  bool take()
  {
    auto const k = next_++;
    if (k < n_) work_(k);
    return k < n_;
  }

private:
  std::size_t n_;
  std::function<void(std::size_t)> work_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::jthread> helpers_;  // the last member: they end before what they use
};

}  // namespace tools
