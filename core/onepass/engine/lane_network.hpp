// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/sorting_network.hpp>

namespace onepass::ONEPASS_ABI {

namespace detail {

template <class T>
ONEPASS_FUNCTION T lesser_or_greater(T const& a, T const& b, bool greater)
{
  if constexpr (std::is_arithmetic_v<T>) return greater ? (a < b ? b : a) : (b < a ? b : a);
  else return (b < a) == greater ? a : b;
}

/// The last steps of a merge, between a lane's own numbers.
template <class T, int N>
ONEPASS_FUNCTION void merge_own(T (&x)[N])
{
  ONEPASS_UNROLL for (int apart = N / 2; apart > 0; apart /= 2)
      ONEPASS_UNROLL for (int i = 0; i < N; ++i) if ((i & apart) == 0) put_in_order(x[i], x[i + apart]);
}

}  // namespace detail

/// Of N numbers and of M <= N more, the N first; both are in order, as is what is left.
///
/// Source: a bitonic merge of which the better half is kept, Batcher 1968; see docs/references.md.
template <class T, int N, int M>
ONEPASS_FUNCTION void keep_first_of_both(T (&x)[N], T const (&more)[M])
{
  static_assert(M <= N && (N & (N - 1)) == 0);
  ONEPASS_UNROLL for (int i = 0; i < M; ++i) if (more[i] < x[N - 1 - i]) x[N - 1 - i] = more[i];
  detail::merge_own(x);
}

namespace detail {

/// Compares numbers of 2 half lanes with the mirror image of theirs.
template <class Warp, class T, int N>
ONEPASS_FUNCTION void compare_mirrored(Warp const& warp, T (&x)[N], int half)
{
  bool const behind = (warp.lane & half) != 0;
  ONEPASS_UNROLL for (int i = 0; i < N / 2; ++i)
  {
    T const last = warp.exchange(x[N - 1 - i], 2 * half - 1), first = warp.exchange(x[i], 2 * half - 1);
    x[i]         = detail::lesser_or_greater(x[i], last, behind);
    x[N - 1 - i] = detail::lesser_or_greater(x[N - 1 - i], first, behind);
  }
  if constexpr (N == 1) x[0] = detail::lesser_or_greater(x[0], warp.exchange(x[0], 2 * half - 1), behind);
}

/// Compares numbers of lanes that lie so far apart.
template <class Warp, class T, int N>
ONEPASS_FUNCTION void compare_apart(Warp const& warp, T (&x)[N], int apart)
{
  bool const greater = (warp.lane & apart) != 0;
  ONEPASS_UNROLL for (int i = 0; i < N; ++i) x[i] =
      detail::lesser_or_greater(x[i], warp.exchange(x[i], apart), greater);
}

}  // namespace detail

/// Sorts the numbers of neighbouring lanes, N of each, of so many lanes together (a power of two): the first lane gets
/// the least N. Greatest numbers behind all others, which stand for what is not there, do not move. All lanes of the
/// warp call it.
///
/// Source: bitonic merges whose comparators all point the same way, Batcher 1968; see docs/references.md.
template <class Warp, class T, int N>
ONEPASS_FUNCTION void sort_by_lanes(Warp const& warp, T (&x)[N], int lanes)
{
  sort_by_network(x);
  ONEPASS_NO_UNROLL for (int half = 1; half < lanes; half *= 2)
  {
    detail::compare_mirrored(warp, x, half);
    ONEPASS_NO_UNROLL for (int apart = half / 2; apart > 0; apart /= 2) detail::compare_apart(warp, x, apart);
    detail::merge_own(x);
  }
}

/// The same of a whole warp, as code without a loop.
template <class Warp, class T, int N>
ONEPASS_FUNCTION void sort_by_lanes(Warp const& warp, T (&x)[N])
{
  sort_by_network(x);
  ONEPASS_UNROLL for (int half = 1; half < Warp::lanes; half *= 2)
  {
    detail::compare_mirrored(warp, x, half);
    ONEPASS_UNROLL for (int apart = half / 2; apart > 0; apart /= 2) detail::compare_apart(warp, x, apart);
    detail::merge_own(x);
  }
}

/// x[i] becomes what x[(i + by) % N] was, by no address that depends on `by`.
template <class T, int N>
ONEPASS_FUNCTION void rotate(T (&x)[N], int by)
{
  ONEPASS_UNROLL for (int bit = 1; bit < N; bit *= 2)
  {
    T before[N];
    ONEPASS_UNROLL for (int i = 0; i < N; ++i) before[i] = x[i];
    ONEPASS_UNROLL for (int i = 0; i < N; ++i) x[i]      = (by & bit) != 0 ? before[(i + bit) % N] : before[i];
  }
}

}  // namespace onepass::ONEPASS_ABI
