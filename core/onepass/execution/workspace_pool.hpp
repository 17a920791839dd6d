// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/workspace.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace onepass::ONEPASS_ABI {

/// Whether what is queued on an instance is recorded now, to run later and any number of times, as in a CUDA graph.
/// backends/select.hpp names the spaces that can be asked.
template <class Exec>
bool is_captured(Exec const&)
{
  return false;
}

namespace detail {

/// How many workspaces are kept for a space, and how large each may be, unless keep_workspaces() says otherwise. One
/// call at a time needs one; more are for calls of several host threads, and for calls inside of calls.
inline constexpr std::size_t most_kept_workspaces = 8, most_kept_bytes = std::size_t(64) << 20;

/// A pool as far as its space does not matter.
class releasable {
public:
  /// Frees what no call is using. For good: nothing is kept any more.
  virtual void release(bool for_good) = 0;

protected:
  ~releasable() = default;
};

/// The pools of all spaces. Neither this nor a pool is ever destroyed: nobody knows whether Kokkos or static objects
/// end first. What they keep is freed when Kokkos is finalized.
class workspace_pools {
public:
  std::atomic<std::size_t> most_bytes = most_kept_bytes;

  static workspace_pools& here()
  {
    static auto& all = *new workspace_pools;
    return all;
  }

  void add(releasable& pool)
  {
    std::lock_guard const alone(mutex_);
    if (pools_.empty()) Kokkos::push_finalize_hook([] { here().release(true); });
    pools_.push_back(&pool);
    if (finalized_) pool.release(true);  // a hook that runs after ours has called
  }

  void release(bool for_good)
  {
    std::lock_guard const alone(mutex_);
    finalized_ |= for_good;
    for (auto* pool : pools_) pool->release(for_good);
  }

private:
  std::mutex mutex_;
  std::vector<releasable*> pools_;
  bool finalized_ = false;
};

/// The workspaces that are kept for the default instance of a space. Calls of any host threads take them without a
/// lock. Whoever takes one that another call has left may find that call's kernels still running: they are on the same
/// instance, and so before its own. Other instances are not served: a pool would keep a user's stream alive, or take a
/// new one for an old one.
template <class Exec>
class workspace_pool final : public releasable {
public:
  struct slot {
    std::atomic<bool> taken = false;
    std::optional<workspace<Exec>> kept;
  };

  static workspace_pool& here()
  {
    static auto& pool = *new workspace_pool;
    return pool;
  }

  struct give_back {
    void operator()(slot* s) const { s->taken.store(false, std::memory_order_release); }
  };
  using taken_slot = std::unique_ptr<slot, give_back>;

  /// A slot that no other call uses as long as it is held; none if all are in use.
  taken_slot take()
  {
    for (auto& s : slots_)
      if (!s.taken.load(std::memory_order_relaxed) && !s.taken.exchange(true, std::memory_order_acquire))
        return taken_slot(&s);
    return nullptr;
  }

  void release(bool for_good) override
  {
    for (auto& s : slots_)
      if (!s.taken.exchange(true, std::memory_order_acquire)) {
        s.kept.reset();
        s.taken.store(for_good, std::memory_order_release);
      }
  }

private:
  workspace_pool() { workspace_pools::here().add(*this); }

  std::array<slot, most_kept_workspaces> slots_;
};

}  // namespace detail

/// Whether a workspace of so many bytes is kept between calls.
inline bool keeps_workspace(std::size_t bytes) { return bytes <= detail::workspace_pools::here().most_bytes; }

/// The workspace of a call that was given none, for as long as this exists: one that is kept for the space, if `space`
/// is its default instance, nothing is captured and not all are in use; else one for this call alone. What the call
/// allocates is labelled by `label`. It is not kept if an exception ends the call, since a kernel may not have left it
/// as the next one needs it, or if it has become too large. A thread `inside` of a
/// parallel region of a host is lent one of its own.
template <class Exec>
class lent_workspace {
public:
  lent_workspace(Exec const& space, std::string const& label, bool inside = false)
      : slot_(inside ? nullptr : take(space))
  {
    if constexpr (runs_at_once<Exec>)
      if (inside) {
        own_.emplace(space, detail::untold{});
        return;
      }
    auto& mine = slot_ ? slot_->kept : own_;
    if (mine) mine->relabel(label);
    else mine.emplace(space, 0, label);
  }
  ~lent_workspace()
  {
    if (slot_ && (std::uncaught_exceptions() > exceptions_ || !keeps_workspace(slot_->kept->bytes())))
      slot_->kept.reset();
  }
  lent_workspace(lent_workspace const&)            = delete;
  lent_workspace& operator=(lent_workspace const&) = delete;

  workspace<Exec>& operator*() { return slot_ ? *slot_->kept : *own_; }

private:
  using pool = detail::workspace_pool<Exec>;

  static typename pool::taken_slot take(Exec const& space)
  {
    bool const keeps = detail::workspace_pools::here().most_bytes > 0 && space == Exec() && !is_captured(space);
    return keeps ? pool::here().take() : nullptr;
  }

  typename pool::taken_slot slot_;  ///< given back even if there is no memory for the label
  std::optional<workspace<Exec>> own_;
  int exceptions_ = std::uncaught_exceptions();
};

/// Frees the workspaces that are kept between calls that hold none (all spaces'), but for those that other host threads
/// are using. The next such call allocates again. Kokkos::finalize() does this by itself. Freeing memory of a device
/// waits for the device; if nothing is kept, this waits for nothing.
inline void release_workspaces() { detail::workspace_pools::here().release(false); }

/// From now on calls that hold no workspace keep theirs if it has at most so many bytes (64 MiB unless told, at most 8
/// a space). 0: none is kept, every such call allocates and frees. What is kept already is freed by
/// release_workspaces(). Waits for nothing.
inline void keep_workspaces(std::size_t most_bytes) { detail::workspace_pools::here().most_bytes = most_bytes; }

}  // namespace onepass::ONEPASS_ABI
