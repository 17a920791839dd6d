// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/descriptor.hpp>
#include <onepass/execution/workspace_pool.hpp>
#include <onepass/ranks/programs/exchange.hpp>
#include <onepass/ranks/programs/over_transport.hpp>

#include <algorithm>
#include <bit>
#include <exception>
#include <limits>
#include <optional>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// Payloads through windows: memory of each rank that all others read. Who sends puts a piece's next part into its own
/// window, and tells that it is there; who receives gets it from there. So no rank opens memory that another one may
/// free, and it does not matter how pieces were allocated.
///
/// A window has three slots, and parts go through them in turns. Between two exchanges of a word a rank's gets of one
/// part run, those of the part before may still run, and its puts of the part behind. The word of part k says that
/// part k has been put, and that the parts before k - 1 have been got here: so the next part, which takes the slot of
/// part k - 2, may be put as soon as all have said it.
///
/// A `Window` is made with a number of slots and their bytes. It knows get() and put(), which may return before they
/// are done, marks behind those of a slot, and waits for the last such mark; and copy(), with marks by number. Beside
/// that share() gives memory of any size of one of two kinds, in place of what it gave before, and reach() the memory
/// of another rank; clear() makes it zero. are_apart() tells whether kernels of all ranks run at once.
template <class Window>
class through_windows : public over_transport {
public:
  through_windows(transport& base, std::size_t slot_bytes)
      : over_transport(base)
  {
    auto const others = std::size_t(std::max(1, base.size() - 1));
    // A slot is shared out among the ranks that read it, in lines of 256 bytes.
    share_ = std::max(slot_bytes / others / 256, std::size_t(1)) * 256;
    try {
      auto const handles = told(base, [&] {
        window_.emplace(slots, base.size() > 1 ? share_ * others : 256);
        return window_->told();
      });
      are_apart_         = Window::are_apart(handles);
      told(base, [&] {
        for (int r = 0; r < base.size(); ++r)
          if (r != base.rank()) window_->open(r, base.size(), handles[std::size_t(r)]);
        return true;
      });
    } catch (precondition_error const&) {
      leave();  // all ranks come here, or none
      throw;
    }
  }
  ~through_windows() override
  {
    if (std::uncaught_exceptions() > 0) return;  // others may never come
    try {
      leave();
    } catch (...) {  // they have left
    }
  }

  void exchange_payloads(std::span<piece<std::byte const> const> to, std::span<piece<std::byte> const> from,
                         residence lie) override
  {
    if (Window::of_devices != (lie == residence::device)) return base().exchange_payloads(to, from, lie);
    auto const me    = std::size_t(rank());
    std::size_t most = 0;
    for (std::size_t r = 0; r < to.size(); ++r)
      if (r != me) most = std::max(most, to[r].bytes);
    // This exchange also says that all gets of the call before are done.
    auto const parts = (most_of_all(most) + share_ - 1) / share_;
    // What stays here is copied in between, as it would hold up the first part.
    auto const keep = [&, turns = std::max(parts, std::size_t(1))](std::size_t k) {
      auto const begin = to[me].bytes / turns * k, end = k + 1 < turns ? to[me].bytes / turns * (k + 1) : to[me].bytes;
      window_->copy(to[me].data + begin, from[me].data + begin, end - begin);
    };
    if (parts > 0) put(0, to);
    else keep(0);
    for (std::size_t k = 0; k < parts; ++k) {
      window_->await_put(k % slots);
      if (k >= 2) window_->await_got((k - 2) % slots);
      base().meet();
      get(k, from);
      if (k + 1 < parts) put(k + 1, to);
      keep(k);
    }
    window_->finish();
  }

  shared_memory share(std::size_t bytes, residence lie) override
  {
    if (Window::of_devices != (lie == residence::device)) return {};
    // A rank that does not keep so much says more than there is.
    constexpr auto too_much = std::numeric_limits<std::uint64_t>::max();
    auto const most         = most_of_all(keeps_workspace(bytes) ? bytes : too_much);
    if (most == too_much) return {};
    if (most > items_.bytes) share_anew(items_, most);
    return {items_.of_rank, share_};
  }
  common_words share_words(std::size_t words, residence lie) override
  {
    if (Window::of_devices != (lie == residence::device) || !are_apart_) return {};
    // Words of a call are known by its number. Before numbers begin again, the words of all calls are dropped.
    if (words * sizeof(std::uint64_t) > words_.bytes || calls_ == epoch::last) {
      calls_ = 0;
      share_anew(words_, std::bit_ceil(words) * sizeof(std::uint64_t));
    }
    common_words common{{}, ++calls_};
    for (auto* each : words_.of_rank) common.of_rank.push_back(reinterpret_cast<std::uint64_t*>(each));
    return common;
  }
  std::unique_ptr<copies_under_way> begin_copies(turns_of_copies const& turns) override
  {
    auto begun = std::make_unique<copies>(*window_);
    for (std::size_t turn = 0; turn < turns.size(); ++turn) {
      for (auto const& each : turns[turn]) window_->copy(each.from, each.to, each.bytes);
      window_->mark_copy(turn);
    }
    return begun;
  }

private:
  static constexpr std::size_t slots = 3;

  struct copies final : copies_under_way {
    explicit copies(Window& of)
        : window(of)
    {}
    ~copies() override
    {
      try {
        window.finish();
      } catch (...) {  // wait() has said so, or an exception is under way
      }
    }
    void wait(std::size_t turn) override { window.await_copy(turn); }
    Window& window;
  };

  /// Memory of all ranks, of one of the two kinds that a window has.
  struct shared {
    int kind;
    std::vector<std::byte*> of_rank;
    std::uint64_t bytes = 0;
  };

  /// Each rank gives this much memory, in place of what it gave before. Words are zero then.
  void share_anew(shared& memory, std::uint64_t bytes)
  {
    memory.bytes = 0;
    memory.of_rank.clear();
    window_->close_shared(memory.kind);
    base().meet();
    auto const handles = told(base(), [&] {
      auto const made = window_->share(memory.kind, bytes);
      if (&memory == &words_) window_->clear(memory.kind, bytes);
      return made;
    });
    told(base(), [&] {
      for (int r = 0; r < size(); ++r)
        memory.of_rank.push_back(r == rank() ? window_->shared(memory.kind)
                                             : window_->reach(memory.kind, handles[std::size_t(r)]));
      return true;
    });
    memory.bytes = bytes;
  }

  std::uint64_t most_of_all(std::uint64_t mine)
  {
    std::vector<std::uint64_t> theirs(static_cast<std::size_t>(size()));
    exchange_words({&mine, 1}, theirs);
    return *std::max_element(theirs.begin(), theirs.end());
  }

  /// Where a reader's share begins in each slot of a writer's window.
  std::size_t place(std::size_t writer, std::size_t reader) const
  {
    return (reader < writer ? reader : reader - 1) * share_;
  }
  /// The bytes of part k of a piece.
  std::size_t part(std::size_t k, std::size_t bytes) const
  {
    return bytes <= k * share_ ? 0 : std::min(share_, bytes - k * share_);
  }

  void put(std::size_t k, std::span<piece<std::byte const> const> to)
  {
    auto const me = std::size_t(rank());
    for (std::size_t r = 0; r < to.size(); ++r)
      if (auto const n = part(k, to[r].bytes); n > 0 && r != me)
        window_->put(k % slots, place(me, r), to[r].data + k * share_, n);
    window_->mark_put(k % slots);
  }
  void get(std::size_t k, std::span<piece<std::byte> const> from)
  {
    auto const me = std::size_t(rank());
    for (std::size_t step = 1; step < from.size(); ++step) {  // so that not all read from the same
      auto const r = (me + step) % from.size();
      if (auto const n = part(k, from[r].bytes); n > 0)
        window_->get(int(r), k % slots, place(r, me), from[r].data + k * share_, n);
    }
    window_->mark_got(k % slots);
  }

  /// Windows are given back once nobody has them open.
  void leave()
  {
    if (!window_) return base().meet();
    window_->close();
    base().meet();
    window_.reset();
  }

  std::size_t share_;
  std::optional<Window> window_;
  bool are_apart_ = false;
  shared items_{0, {}}, words_{1, {}};
  std::uint32_t calls_ = 0;  // that were given words
};

}  // namespace onepass::ONEPASS_ABI::ranks::detail
