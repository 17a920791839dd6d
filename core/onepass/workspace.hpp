// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>
#include <onepass/require.hpp>

#include <string>

namespace onepass {

/// Scratch memory for the calls queued on one execution space instance, one call after another. Made once, used by
/// calls of any algorithm and size: nothing is reset between them. It grows when a call needs more than it has, and
/// growing allocates; a call that fits allocates nothing and can be captured in a CUDA graph.
/// Memory given by the user never grows: a call that needs more throws precondition_error.
/// Two calls may share a workspace only if one is queued behind the other.
template <class Exec>
class workspace {
public:
  using memory_space = typename Exec::memory_space;
  using words_view   = Kokkos::View<std::uint64_t*, memory_space>;

  explicit workspace(Exec const& exec, std::size_t bytes = 0) : exec_(exec) { reserve(bytes); }

  /// In `memory` of the user (any rank-1 View of an integral type); its old content does not matter.
  template <class View>
    requires Kokkos::is_view_v<View>
  workspace(Exec const& exec, View const& memory) : exec_(exec), fixed_(true)
  {
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    const auto skipped = (alignof(std::uint64_t) - address % alignof(std::uint64_t)) % alignof(std::uint64_t);
    const auto bytes   = memory.size() * sizeof(typename View::value_type);
    require(bytes >= skipped + sizeof(std::uint64_t), "workspace: the memory has ", bytes, " bytes; give at least 16");
    words_ = words_view(reinterpret_cast<std::uint64_t*>(address + skipped), (bytes - skipped) / sizeof(std::uint64_t));
    initialise();
  }

  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

  void reserve(std::size_t bytes)
  {
    const auto wanted = (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    if (wanted <= words_.size()) return;
    require(!fixed_, "workspace: the call needs ", bytes, " bytes and the memory given has ", this->bytes(),
            "; give more, or let the workspace allocate");
    words_ = words_view(Kokkos::view_alloc(exec_, Kokkos::WithoutInitializing, "onepass::workspace"), wanted);
    initialise();
  }

  /// A board of `words` descriptor words.
  template <class Memory>
  board<Memory> make_board(extent words)
  {
    reserve(std::size_t(words + 1) * sizeof(std::uint64_t));
    return {words_.data(), words_.data() + 1, extent(words_.size()) - 1};
  }

  /// Memory for `items` of T, beside the board, for what one kernel of a call leaves to the next. It holds until the next
  /// call that asks; its content is anything.
  template <class T>
  T* memory(extent items)
  {
    static_assert(alignof(T) <= alignof(std::uint64_t), "onepass: a workspace's memory is aligned to 8 bytes");
    const auto wanted = (std::size_t(items) * sizeof(T) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    if (wanted > memory_.size()) {
      require(!fixed_, "workspace: the call keeps ", wanted * sizeof(std::uint64_t), " bytes between its kernels, for which memory that was given has "
              "no room beside the board; let the workspace allocate");
      memory_ = words_view(Kokkos::view_alloc(exec_, Kokkos::WithoutInitializing, "onepass::workspace::memory"), wanted);
    }
    return reinterpret_cast<T*>(memory_.data());
  }

  /// For tests: the next launch gets this epoch.
  void set_epoch(std::uint32_t epoch)
  {
    Kokkos::deep_copy(exec_, Kokkos::subview(words_, std::pair<int, int>(0, 1)), std::uint64_t(epoch) << 32);
  }

private:
  void initialise()
  {
    Kokkos::deep_copy(exec_, words_, std::uint64_t(0));
    set_epoch(1);
  }

  Exec       exec_;
  words_view words_, memory_;
  bool       fixed_ = false;
};

}  // namespace onepass
