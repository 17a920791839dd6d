// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI::classic {

/// The width of a block: its lanes, which hold one value each, and the lanes of a warp. Both are powers of two.
struct width {
  int lanes = 256, warp = 32;

  ONEPASS_FUNCTION constexpr int warps() const { return lanes / warp; }
  ONEPASS_FUNCTION constexpr int row_of_sums() const { return warps() > warp ? warps() : warp; }
};

/// The number of levels of a tree over n values.
ONEPASS_FUNCTION constexpr int log2_of(int n)
{
  int levels = 0;
  while (n > 1 << levels) ++levels;
  return levels;
}

/// The number of padding words before word i, so that strides of powers of two hit different banks: one per 32 words,
/// and one more per 32 * 32.
ONEPASS_FUNCTION constexpr int padding_before(int i) { return (i >> 5) + (i >> 10); }

/// The default observer of a block, which does nothing. Tests use others to count barriers, inspect memory at them, and
/// choose the order of lanes.
struct unwatched {
  template <class Block>
  ONEPASS_FUNCTION void at_barrier(Block const&) const
  {}
  ONEPASS_FUNCTION int nth_lane(int t, int) const { return t; }
};

/// The lanes of a block, which scan one value each by shared memory and barriers. On devices a lane is a thread of the
/// team (`Threads` is their number, in warps of 32); on hosts, where a team is one thread, that thread executes every
/// lane in turn. A network (networks.hpp) is a series of steps; within a step lanes are independent.
template <int Threads, class Member, class Monoid, class Watch = unwatched>
class block {
public:
  using value = typename Monoid::type;

  static constexpr bool threaded = Threads > 1;

  /// The number of values of memory that a block of this width needs.
  ONEPASS_FUNCTION static constexpr int memory_of(width w) { return 2 * w.lanes + 2 * w.row_of_sums() + 1; }

  ONEPASS_FUNCTION block(Member const& member, Monoid const& monoid, width w, value* memory, Watch watch = {})
      : member_(member)
      , monoid_(monoid)
      , width_(w)
      , memory_(memory)
      , at_(memory)
      , watch_(watch)
  {}

  ONEPASS_FUNCTION int lanes() const { return threaded ? Threads : width_.lanes; }
  ONEPASS_FUNCTION int warp() const { return threaded ? 32 : width_.warp; }
  ONEPASS_FUNCTION int warps() const { return lanes() / warp(); }
  ONEPASS_FUNCTION value combine(value const& older, value const& newer) const { return monoid_.combine(older, newer); }
  ONEPASS_FUNCTION static value identity() { return Monoid::identity(); }

  /// Calls f(lane) for every lane.
  template <class F>
  ONEPASS_FUNCTION void each(F const& f)
  {
    if constexpr (threaded) f(int(member_.team_rank()));
    else
      for (int t = 0; t < lanes(); ++t) f(watch_.nth_lane(t, lanes()));
    settled_ = false;
  }
  /// After it every lane sees what all have written. Does nothing if there was no write since the last barrier.
  ONEPASS_FUNCTION void barrier()
  {
    if (settled_) return;
    if constexpr (threaded) member_.team_barrier();
    watch_.at_barrier(*this);
    settled_ = true;
  }
  /// A barrier, then f(lane) for every lane.
  template <class F>
  ONEPASS_FUNCTION void step(F const& f)
  {
    barrier();
    each(f);
  }
  /// The same for steps whose lanes depend on their own warp only.
  template <class F>
  ONEPASS_FUNCTION void warp_step(F const& f)
  {
    if constexpr (threaded && runs_in_warps()) warp_barrier();
    else if constexpr (threaded) member_.team_barrier();
    each(f);
  }
  /// Bit l is ask(lane l of this lane's warp); warps have 32 lanes at most.
  template <class F>
  ONEPASS_FUNCTION std::uint32_t ballot(int lane, F const& ask) const
  {
    if constexpr (runs_in_warps())
      if (warp() == 32) return warp_ballot(ask(lane));
    std::uint32_t bits = 0;
    for (int l = 0; l < warp(); ++l) bits |= std::uint32_t(ask(lane / warp() * warp() + l)) << l;
    return bits;
  }

  // Positions of values in memory. `at` has the lanes' own values, `spare` is a second row of these; `sums` are two
  // shorter rows, of one value per warp or per lane of a warp.

  ONEPASS_FUNCTION value& at(int lane) const { return at_[padded_ ? lane + padding_before(lane) : lane]; }
  ONEPASS_FUNCTION value& spare(int lane) const { return (at_ == memory_ ? memory_ + lanes() : memory_)[lane]; }
  ONEPASS_FUNCTION value* sums(int row) const { return memory_ + 2 * lanes() + row * row_of_sums(); }
  /// Exchanges the spare row and the lanes' own.
  ONEPASS_FUNCTION void swap_rows() { at_ = at_ == memory_ ? memory_ + lanes() : memory_; }
  ONEPASS_FUNCTION value& root() const { return memory_[2 * lanes() + 2 * row_of_sums()]; }

  /// Begins a network: the lanes put their values.
  ONEPASS_FUNCTION void begin(bool padded, bool exclusive)
  {
    at_        = memory_;
    padded_    = padded;
    exclusive_ = exclusive;
    settled_   = false;
  }

  // The results of a network, after barrier().

  ONEPASS_FUNCTION value before(int lane) const
  {
    if (exclusive_) return at(lane);
    return lane > 0 ? at(lane - 1) : identity();
  }
  ONEPASS_FUNCTION value total() const { return exclusive_ ? root() : at(lanes() - 1); }

private:
  ONEPASS_FUNCTION int row_of_sums() const { return width{lanes(), warp()}.row_of_sums(); }

  Member const& member_;
  Monoid const& monoid_;
  width width_;
  value* memory_;
  value* at_;
  Watch watch_;
  bool padded_ = false, exclusive_ = false, settled_ = false;
};

}  // namespace onepass::ONEPASS_ABI::classic
