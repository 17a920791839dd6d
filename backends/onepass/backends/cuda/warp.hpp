// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/operators.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

// Functions of a full warp. Values of any trivially copyable type are moved as 32-bit words.

inline constexpr unsigned all_lanes = 0xffffffffu;

namespace detail {
template <class T, class Shuffle>
__device__ __forceinline__ T shuffled(T const& x, Shuffle const& shuffle)
{
  using form = word_form<T>;
  std::uint32_t w[form::words];
  form::put(x, w);
#pragma unroll
  for (int i = 0; i < form::words; ++i) w[i] = shuffle(settled(w[i]));
  return form::get(w);
}
}  // namespace detail

template <class T>
__device__ __forceinline__ T shuffle_up(T const& x, int by)
{
  return detail::shuffled(x, [by](unsigned w) { return __shfl_up_sync(all_lanes, w, by); });
}
template <class T>
__device__ __forceinline__ T shuffle_down(T const& x, int by)
{
  return detail::shuffled(x, [by](unsigned w) { return __shfl_down_sync(all_lanes, w, by); });
}
template <int Lanes = 32, class T>  // from that lane of each Lanes
__device__ __forceinline__ T broadcast(T const& x, int from)
{
  return detail::shuffled(x, [from](unsigned w) { return __shfl_sync(all_lanes, w, from, Lanes); });
}

/// What may be missing, and what is left of it where it is not, as is usual: flags then neither travel nor are asked.
template <class T>
struct present {
  static constexpr bool may_miss = false;
};
template <class T>
struct present<maybe<T>> {
  static constexpr bool may_miss = true;

  __device__ static bool is(maybe<T> const& x) { return x.present; }
  __device__ static T of(maybe<T> const& x) { return x.value; }
  __device__ static maybe<T> whole(T const& x) { return {x, true}; }
};
template <class T>
struct present<since_flag<maybe<T>>> {
  static constexpr bool may_miss = true;

  __device__ static bool is(since_flag<maybe<T>> const& x) { return x.sum.present; }
  __device__ static since_flag<T> of(since_flag<maybe<T>> const& x) { return {x.flags, x.sum.value}; }
  __device__ static since_flag<maybe<T>> whole(since_flag<T> const& x) { return {x.flags, {x.sum, true}}; }
};

/// Combines what is left so of aggregates of type T.
template <class Algebra, class T>
struct of_present {
  using aggregate = present<T>;
  Algebra const& algebra;

  template <class Value>
  __device__ Value combine(Value const& older, Value const& newer) const
  {
    return aggregate::of(algebra.combine(aggregate::whole(older), aggregate::whole(newer)));
  }
};

/// Lane l gets x(l - reach) · … · x(l), by its own reach. Source: Kogge & Stone 1973; see docs/references.md.
template <class Algebra, class T>
__device__ __forceinline__ T warp_scan_within(Algebra const& algebra, T x, int reach)
{
  using values = present<T>;
  if constexpr (values::may_miss)
    if (__all_sync(all_lanes, values::is(x)))
      return values::whole(warp_scan_within(of_present<Algebra, T>{algebra}, values::of(x), reach));
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    T const older = shuffle_up(x, d);
    if (d <= reach) x = algebra.combine(older, x);
  }
  return x;
}

/// Lane l gets x(0) · … · x(l).
template <class Algebra, class T>
__device__ __forceinline__ T warp_inclusive_scan(Algebra const& algebra, T const& x, int lane)
{
  return warp_scan_within(algebra, x, lane);
}

/// The same for sums by flags, which are passed as one ballot: a lane adds the sums of earlier lanes up to the last
/// flag.
template <flagged_sums Algebra, class T>
__device__ __forceinline__ T warp_inclusive_scan(Algebra const& algebra, T x, int lane)
{
  unsigned const flagged = __ballot_sync(all_lanes, x.flags != 0) & (2u << lane) - 1;
  int const reach        = lane - (flagged ? 31 - __clz(int(flagged)) : 0);
  x.sum                  = warp_scan_within(algebra.sums, x.sum, reach);
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    auto const count = __shfl_up_sync(all_lanes, x.flags, d);
    if (d <= lane) x.flags += count;
  }
  return x;
}

/// Lane 0 gets x(0) · … · x(31), or x(31) · … · x(0) if Backwards. Lanes without a partner do not combine: the user's
/// operator is never called for a result that is not used.
template <bool Backwards = false, class Program, class T>
__device__ __forceinline__ T warp_reduce(Program const& program, T x, int lane)
{
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    T const other = shuffle_down(x, d);
    if (lane + d < 32) x = Backwards ? program.combine(other, x) : program.combine(x, other);
  }
  return x;
}

/// The same, from lane 0 on, and where no value is missing without flags.
template <class Algebra, class T>
__device__ __forceinline__ T warp_reduce_present(Algebra const& algebra, T const& x, int lane)
{
  using values = present<T>;
  if constexpr (values::may_miss)
    if (__all_sync(all_lanes, values::is(x)))
      return values::whole(warp_reduce(of_present<Algebra, T>{algebra}, values::of(x), lane));
  return warp_reduce(algebra, x, lane);
}

/// The combination of the sums of a block's warps: of those before one of them, and of all.
template <class T>
struct warp_sums {
  T before, all;
};

template <int Warps, class Program, class T>
__device__ __forceinline__ warp_sums<T> combine_warps(Program const& program, T const (&sums)[Warps], int warp)
{
  using values = present<T>;
  if constexpr (values::may_miss) {
    bool none_misses = true;
#pragma unroll
    for (int w = 0; w < Warps; ++w) none_misses = none_misses & values::is(sums[w]);
    if (none_misses) {
      of_present<Program, T> const of_values{program};
      auto all = values::of(sums[0]), before = all;
#pragma unroll
      for (int w = 1; w < Warps; ++w) {
        if (w == warp) before = all;
        all = of_values.combine(all, values::of(sums[w]));
      }
      return {warp > 0 ? values::whole(before) : Program::identity(), values::whole(all)};
    }
  }
  warp_sums<T> sum{Program::identity(), Program::identity()};
#pragma unroll
  for (int w = 0; w < Warps; ++w) {
    if (w == warp) sum.before = sum.all;
    sum.all = program.combine(sum.all, sums[w]);
  }
  return sum;
}

template <class Program>
__device__ __forceinline__ flag_tally warp_reduce(flag_counts::algebra<Program> const&, flag_tally x, int)
{
#if __CUDA_ARCH__ >= 800
  return flag_tally::of(int(__reduce_add_sync(all_lanes, unsigned(x.count()))),
                        int(__reduce_max_sync(all_lanes, unsigned(x.latest() + 1))) - 1);
#else
  return x;
#endif
}

/// The calling warp, with the members that engine/items/inside.hpp requires, and those for a team of warps
/// (programs/stretch_sums.hpp).
struct whole_warp {
  static constexpr int lanes = 32;

  int lane;

  __device__ bool first() const { return lane == 0; }
  __device__ void sync() const { __syncwarp(); }
#if __CUDA_ARCH__ >= 800
  __device__ unsigned sum(unsigned x) const { return __reduce_add_sync(all_lanes, x); }
  __device__ unsigned max(unsigned x) const { return __reduce_max_sync(all_lanes, x); }
#endif
  template <class Algebra, class T>
  __device__ T reduce(Algebra const& algebra, T const& x) const
  {
    return warp_reduce_present(algebra, x, lane);
  }
  __device__ std::uint32_t exchange(std::uint32_t x, int bits) const { return __shfl_xor_sync(all_lanes, x, bits); }
  __device__ std::uint64_t exchange(std::uint64_t x, int bits) const { return __shfl_xor_sync(all_lanes, x, bits); }
  template <class T>
  __device__ T exchange(T const& x, int bits) const
  {
    return detail::shuffled(x, [bits](unsigned w) { return __shfl_xor_sync(all_lanes, w, bits); });
  }
  __device__ unsigned scan(unsigned x) const { return warp_inclusive_scan(sum_of<unsigned>{}, x, lane); }
  __device__ unsigned those(bool x) const { return __ballot_sync(all_lanes, x); }
  __device__ int count(bool x) const { return __popc(those(x)); }
  /// The lanes with the same x, as bits.
  __device__ unsigned match(unsigned x) const { return __match_any_sync(all_lanes, x); }
  template <class T>
  __device__ T broadcast(T const& x, int from = 0) const
  {
    return cuda::broadcast(x, from);
  }
};

/// Neighbouring lanes of a warp that work on their own: others may be elsewhere.
template <int Lanes>
struct part_of_warp {
  static constexpr int lanes = Lanes;

  int lane;  ///< in the part

  __device__ explicit part_of_warp(int lane_of_warp)
      : lane(lane_of_warp % Lanes)
      , own_(((1u << Lanes) - 1u) << (lane_of_warp - lane_of_warp % Lanes))
  {
    static_assert(Lanes < 32 && 32 % Lanes == 0);
  }

  template <class Algebra, class T>
  __device__ T reduce(Algebra const& algebra, T x) const
  {
#pragma unroll
    for (int d = 1; d < Lanes; d *= 2) {
      T const newer = detail::shuffled(x, [&](unsigned w) { return __shfl_down_sync(own_, w, d, Lanes); });
      if (lane + d < Lanes) x = algebra.combine(x, newer);
    }
    return x;
  }

private:
  unsigned own_;
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
