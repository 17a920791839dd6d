// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/sorting_network.hpp>

namespace onepass::ONEPASS_ABI {

namespace detail {

template <class T>
ONEPASS_FUNCTION T lesser_or_greater(T a, T b, bool greater)
{
  return (b < a) == greater ? a : b;
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
    bool const behind = (warp.lane & half) != 0;
    ONEPASS_UNROLL for (int i = 0; i < N / 2; ++i)  // with the mirror image of both halves
    {
      T const last = warp.exchange(x[N - 1 - i], 2 * half - 1), first = warp.exchange(x[i], 2 * half - 1);
      x[i]         = detail::lesser_or_greater(x[i], last, behind);
      x[N - 1 - i] = detail::lesser_or_greater(x[N - 1 - i], first, behind);
    }
    if constexpr (N == 1) x[0] = detail::lesser_or_greater(x[0], warp.exchange(x[0], 2 * half - 1), behind);
    ONEPASS_NO_UNROLL for (int apart = half / 2; apart > 0; apart /= 2)
    {
      bool const greater = (warp.lane & apart) != 0;
      ONEPASS_UNROLL for (int i = 0; i < N; ++i) x[i] =
          detail::lesser_or_greater(x[i], warp.exchange(x[i], apart), greater);
    }
    detail::merge_own(x);
  }
}

/// The same of codes, by all lanes of a warp, as code without a loop. Kernels that sort segments have no registers for
/// it.
template <class Warp, class Code, int N>
ONEPASS_FUNCTION void sort_codes_by_lanes(Warp const& warp, Code (&x)[N])
{
  auto const compared = [](Code a, Code b, bool greater) { return greater ? (a < b ? b : a) : (b < a ? b : a); };
  sort_by_network(x);
  ONEPASS_UNROLL for (int half = 1; half < Warp::lanes; half *= 2)
  {
    bool const behind = (warp.lane & half) != 0;
    Code mirrored[N];
    ONEPASS_UNROLL for (int i = 0; i < N; ++i) mirrored[i] = warp.exchange(x[N - 1 - i], 2 * half - 1);
    ONEPASS_UNROLL for (int i = 0; i < N; ++i) x[i]        = compared(x[i], mirrored[i], behind);
    ONEPASS_UNROLL for (int apart = half / 2; apart > 0; apart /= 2)
    {
      bool const greater                              = (warp.lane & apart) != 0;
      ONEPASS_UNROLL for (int i = 0; i < N; ++i) x[i] = compared(x[i], warp.exchange(x[i], apart), greater);
    }
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
