// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>
#include <onepass/require.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace onepass::ONEPASS_ABI {

namespace detail {

// Memory that kernels of a space write and the host reads: pinned memory of the host for devices, where Kokkos has it.
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
template <class Exec>
inline constexpr bool has_pinned_memory =
    !on_host<Exec> && Kokkos::SpaceAccessibility<Exec, Kokkos::SharedHostPinnedSpace>::accessible;
template <class Exec>
using read_by_host =
    std::conditional_t<has_pinned_memory<Exec>, Kokkos::SharedHostPinnedSpace, typename Exec::memory_space>;
#else
template <class Exec>
inline constexpr bool has_pinned_memory = false;
template <class Exec>
using read_by_host = typename Exec::memory_space;
#endif

/// Memory of the heap, of which Kokkos Tools are told as of Kokkos' own. That waits for the kernels of all instances
/// before it is freed, and so for one that the caller is in. Without a label they are not told.
template <class Space>
std::shared_ptr<void> heap_memory(std::string const& label, std::size_t bytes)
{
  static constexpr std::align_val_t line{64};
  std::shared_ptr<void> const all(::operator new(bytes, line), [](void* memory) { ::operator delete(memory, line); });
  if (label.empty()) return all;
  auto const tell = [=](auto const& what, void* memory) {
    if (Kokkos::Profiling::profileLibraryLoaded())
      what(Kokkos::Profiling::make_space_handle(Space::name()), label, memory, bytes);
  };
  tell(Kokkos::Profiling::allocateData, all.get());
  return {all.get(), [owner = all, tell](void* memory) { tell(Kokkos::Profiling::deallocateData, memory); }};
}

/// Says that Kokkos Tools are not told what a workspace allocates.
struct untold {};

}  // namespace detail

/// Scratch memory for the calls queued on one execution space instance, one call after another. Made once and used by
/// calls of any algorithm and size: nothing is reset between them. It grows when a call needs more than it has, and
/// growing allocates; a call that fits allocates nothing and can be captured in a CUDA graph.
///
/// It has two parts: descriptor words, and plain memory for items between two passes. They are kept apart, since a word
/// must never hold anything but a descriptor or zero. In memory given by the user, plain memory is taken from the end
/// and is not returned to the words. Memory given by the user never grows: a call that needs more throws
/// precondition_error.
///
/// Two calls may share a workspace only if one is queued behind the other; on another instance than the one that it was
/// made on, the first is queued behind its making too. A captured call holds addresses: as long as
/// its graph is replayed, no call may make the workspace grow, or take more plain memory from its end than it had.
template <class Exec>
class workspace {
public:
  using memory_space = typename Exec::memory_space;
  using words_view   = Kokkos::View<std::uint64_t*, memory_space>;

  /// Its allocations are labelled by `label`; those of a call that has no workspace, by the call's.
  explicit workspace(Exec const& exec, std::size_t bytes = 0, std::string label = "onepass::workspace")
      : exec_(exec)
      , label_(std::move(label))
  {
    reserve(bytes);
  }

  /// Calls of two workspaces may run at the same time, and those of a copy would meet in its words.
  workspace(workspace const&)            = delete;
  workspace& operator=(workspace const&) = delete;
  workspace(workspace&&)                 = default;
  workspace& operator=(workspace&&)      = default;

  /// For one call by a thread inside of a parallel region of a host: threads would tell what they allocate in any
  /// order.
  workspace(Exec const& exec, detail::untold) requires runs_at_once<Exec> : exec_(exec), tells_(false) {}

  /// In `memory` of the user (a rank-1 View of any integral type, without gaps); its old content does not matter.
  template <class View>
    requires(Kokkos::is_view_v<View>)
  workspace(Exec const& exec, View const& memory)
      : exec_(exec)
      , fixed_(true)
  {
    static_assert(View::rank() == 1
                      && std::is_integral_v<typename View::value_type> && !std::is_const_v<typename View::value_type>,
                  "onepass: a workspace is made in a View of rank 1 of integers that can be written");
    static_assert(Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible,
                  "onepass: the execution space cannot reach the memory given for a workspace");
    require(memory.span_is_contiguous(),
            "workspace: the memory given has gaps between its items; give neighbouring ones");
    auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
    auto const skipped = (alignof(std::uint64_t) - address % alignof(std::uint64_t)) % alignof(std::uint64_t);
    auto const bytes   = memory.size() * sizeof(typename View::value_type);
    require(bytes >= skipped + least_bytes, "workspace: the memory has ", bytes, " bytes; give at least ",
            least_bytes + sizeof(std::uint64_t));
    words_ = words_view(reinterpret_cast<std::uint64_t*>(address + skipped), (bytes - skipped) / sizeof(std::uint64_t));
    begin_anew();
  }

  /// Bytes that it holds: words and plain memory.
  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t) + plain_.size(); }

  /// Whether it allocates what a call needs: memory of the user is all there is.
  bool grows() const { return !fixed_; }

  void reserve(std::size_t bytes)
  {
    auto const wanted = (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    if (wanted <= words_.size()) return;
    require(!fixed_, "workspace: the call needs ", bytes + plain_.size(), " bytes and the memory given has ",
            this->bytes(), "; give more, or let the workspace allocate");
    words_ = allocated<words_view>(" (words)", wanted, words_memory_);
    begin_anew();
  }

  /// A board of `words` descriptor words.
  template <class Memory>
  board<Memory> make_board(extent words)
  {
    reserve(std::size_t(control_words + words) * sizeof(std::uint64_t));
    return {words_.data(), words_.data() + control_words, extent(words_.size()) - control_words};
  }

  /// Plain memory of `bytes` bytes, 256-byte aligned, with any content. Valid until the next call.
  std::byte* plain(std::size_t bytes)
  {
    if (bytes == 0) return nullptr;
    if (bytes + padding_to_alignment(plain_.data()) > plain_.size()) {
      if (fixed_) take_from_the_end(bytes);
      else plain_ = allocated<bytes_view>(" (plain)", bytes + plain_alignment, plain_memory_);
    }
    return plain_.data() + padding_to_alignment(plain_.data());
  }

  /// The same for n items, or nothing for none.
  template <class T>
  T* plain_of(extent n)
  {
    return reinterpret_cast<T*>(plain(std::size_t(n) * sizeof(T)));
  }

  /// Memory for a result on its way to a variable of the host: one of two slots, which stay where they are while the
  /// call's other memory grows. The first call that asks allocates them, even beside memory given by the user. Where
  /// Kokkos has memory that a device and the host reach, they lie in it, and a result needs no copy behind its kernel.
  static constexpr bool results_are_read    = detail::has_pinned_memory<Exec>;
  static constexpr std::size_t result_bytes = 64;
  std::byte* result(int slot)
  {
    if (results_.size() == 0)
      results_ =
          results_view(Kokkos::view_alloc(exec_, Kokkos::WithoutInitializing, label_ + " (results)"), 2 * result_bytes);
    return results_.data() + std::size_t(slot) * result_bytes;
  }

  /// Allocations that follow are labelled so.
  void relabel(std::string const& label) { label_ = label; }

  /// A call on this instance begins: what it allocates is initialised there, where its kernels follow.
  void serve([[maybe_unused]] Exec const& exec)
  {
    if constexpr (!on_host<Exec>)
      if (!(exec_ == exec)) exec_ = exec;
  }

  /// As if no call had used it: for what a launch leaves that does not end.
  void begin_anew()
  {
    fill(words_.size(), 0);
    set_epoch(1);
  }

  /// For tests: the next launch gets this epoch.
  void set_epoch(std::uint32_t epoch) { fill(1, std::uint64_t(epoch) << 32); }

private:
  using bytes_view   = Kokkos::View<std::byte*, memory_space>;
  using results_view = Kokkos::View<std::byte*, detail::read_by_host<Exec>>;

  /// The control word has 128 bytes to itself. So descriptors begin at a line: a warp's 32 words are two lines, not
  /// three, and teams that look back do not touch the line at which others draw tickets.
  static constexpr extent control_words        = 16;
  static constexpr std::size_t least_bytes     = (control_words + 1) * sizeof(std::uint64_t);
  static constexpr std::size_t plain_alignment = 256;

  static std::size_t padding_to_alignment(void const* p)
  {
    return (plain_alignment - reinterpret_cast<std::uintptr_t>(p) % plain_alignment) % plain_alignment;
  }

  /// Memory that `held` keeps, if it is none of Kokkos': where nothing queued can still be using what it kept before.
  template <class View>
  View allocated(char const* what, std::size_t size, [[maybe_unused]] std::shared_ptr<void>& held)
  {
    if constexpr (runs_at_once<Exec>) {
      using item = typename View::value_type;
      held       = detail::heap_memory<memory_space>(tells_ ? label_ + what : "", size * sizeof(item));
      return View(static_cast<item*>(held.get()), size);
    } else return View(Kokkos::view_alloc(exec_, Kokkos::WithoutInitializing, label_ + what), size);
  }

  void take_from_the_end(std::size_t bytes)
  {
    auto const wanted = (bytes + plain_alignment - plain_.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    require(wanted * sizeof(std::uint64_t) + least_bytes <= words_.size() * sizeof(std::uint64_t),
            "workspace: the call needs ", bytes + plain_alignment + least_bytes, " bytes and the memory given has ",
            this->bytes(), "; give more, or let the workspace allocate");
    auto const left = words_.size() - wanted;
    plain_ =
        bytes_view(reinterpret_cast<std::byte*>(words_.data() + left), wanted * sizeof(std::uint64_t) + plain_.size());
    words_ = words_view(words_.data(), left);
  }

  /// Sets the first words, if there are any; on hosts without a kernel, whose threads would have to be woken for a few
  /// lines.
  void fill(std::size_t words, std::uint64_t value)
  {
    words = std::min(words, words_.size());
    if constexpr (on_host<Exec>) std::fill_n(words_.data(), words, value);
    else Kokkos::deep_copy(exec_, Kokkos::subview(words_, std::pair<std::size_t, std::size_t>(0, words)), value);
  }

  Exec exec_;
  std::string label_;
  words_view words_;
  bytes_view plain_;
  results_view results_;
  std::shared_ptr<void> words_memory_{}, plain_memory_{};  ///< of the heap
  bool fixed_ = false, tells_ = true;
};

}  // namespace onepass::ONEPASS_ABI
