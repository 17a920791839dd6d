// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "machines.hpp"
#include "pieces.hpp"
#include "pipeline.hpp"

#include <onepass/packed/frame.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <sys/mman.h>
#include <vector>

// Parts of a file on their way through the pipeline of pack, verify and unpack.
namespace tools {

/// Neighbouring frames, which go through the pipeline together.
struct part {
  std::size_t first, end;
};

/// A frame on its way, and its bytes: contents or payload.
struct held_frame {
  onepass::packed::frame_header header;
  std::span<std::uint8_t> bytes;
  onepass::packed::byte_view front{}, rest{};  ///< pieces of `bytes` that are the payload, once it is encoded
};

/// The frames of a part in memory that serves part after part, since fresh memory costs more than what is done in it:
/// it has room for any part, is not cleared, and comes in large pages where the system has them.
class held_frames {
public:
  explicit held_frames(std::size_t most)
      : most_(most)
      , memory_(new (large_page) std::uint8_t[most])
  {
#ifdef MADV_HUGEPAGE
    ::madvise(memory_.get(), most, MADV_HUGEPAGE);  // pages stay small where it fails
#endif
  }

  std::vector<held_frame> frames;

  /// Gives frame k bytes_of(k) bytes, aligned to 16.
  template <class BytesOf>
  void make_room(BytesOf const& bytes_of)
  {
    std::size_t at = 0;
    for (std::size_t k = 0; k < frames.size(); ++k) {
      frames[k].bytes = std::span(memory_.get() + at, bytes_of(k));
      at += onepass::packed::padded(bytes_of(k));
    }
    onepass::require(at <= most_, "a part takes ", at, " bytes and has room for ", most_);
  }

  /// Keeps the memory where a GPU reaches it.
  void pin()
  {
    if (!std::exchange(is_pinned_, true)) pinned_ = pinned_memory(memory_.get(), most_);
  }

  /// Asks for the memory's pages, which else come when they are first written.
  void populate([[maybe_unused]] std::stop_token const& stop) const
  {
#ifdef MADV_POPULATE_WRITE
    auto const step = std::size_t(large_page);
    for (std::size_t at = 0; at < most_ && !stop.stop_requested(); at += step)
      ::madvise(memory_.get() + at, std::min(step, most_ - at), MADV_POPULATE_WRITE);
#endif
  }

private:
  static constexpr std::align_val_t large_page{std::size_t(2) << 20};
  struct deleted {
    void operator()(std::uint8_t* memory) const { ::operator delete[](memory, large_page); }
  };

  std::size_t most_;
  std::unique_ptr<std::uint8_t[], deleted> memory_;
  pinned_memory pinned_;
  bool is_pinned_ = false;
};

/// Memory for parts on their way from the step that makes them to the one that uses them last. On many threads its
/// pages are asked for by one that has nothing else to do, while Kokkos starts.
class held_parts {
public:
  /// Frame f has at most bytes_of(f) bytes, and `steps` steps behind the one that makes a part use it.
  template <class BytesOf>
  held_parts(std::vector<part> const& parts, std::size_t steps, BytesOf const& bytes_of)
  {
    std::size_t most = 0;
    for (auto const& p : parts) {
      std::size_t bytes = 0;
      for (auto f = p.first; f < p.end; ++f) bytes += onepass::packed::padded(bytes_of(f));
      most = std::max(most, bytes);
    }
    auto const places = std::min(parts.size(), places_for(steps));
    places_.reserve(places);
    while (places_.size() < places) places_.emplace_back(most);
    if (std::thread::hardware_concurrency() < many_threads) return;
    populating_ = helper([this](std::stop_token const& stop) {
      for (auto const& place : places_) place.populate(stop);
    });
  }

  held_frames& operator[](std::size_t p) { return places_[p % places_.size()]; }

private:
  std::vector<held_frames> places_;
  std::jthread populating_;  // the last member: it ends before what it uses
};

}  // namespace tools
