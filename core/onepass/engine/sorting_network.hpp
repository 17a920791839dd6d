// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

#include <type_traits>
#include <utility>

namespace onepass::ONEPASS_ABI {

namespace detail {

/// What the network for N items compares, in order: of each pair the smaller item goes to `first`.
template <int N>
struct network_pairs {
  int count = 0, first[N * 4] = {}, second[N * 4] = {};

  constexpr network_pairs()
  {
    for (int run = 1; run < N; run *= 2)  // sorted runs become twice as long
      for (int apart = run; apart > 0; apart /= 2)
        for (int from = apart % run; from + apart < N; from += 2 * apart)
          for (int i = from; i < from + apart && i + apart < N; ++i)
            if (i / (2 * run) == (i + apart) / (2 * run)) {
              first[count]    = i;
              second[count++] = i + apart;
            }
  }
};

template <int N>
inline constexpr network_pairs<N> network{};

template <class T>
ONEPASS_FUNCTION void put_in_order(T& first, T& second)
{
  T const a = first, b = second;
  first  = b < a ? b : a;
  second = b < a ? a : b;
}

template <class T, int N, int... Pair>
ONEPASS_FUNCTION void sort_by_network(T (&x)[N], std::integer_sequence<int, Pair...>)
{
  (put_in_order(x[std::integral_constant<int, network<N>.first[Pair]>()],
                x[std::integral_constant<int, network<N>.second[Pair]>()]),
   ...);
}

}  // namespace detail

/// Sorts a thread's own few numbers, of which no address depends on any: they can stay in registers.
///
/// Source: odd-even merge sort, Batcher 1968; see docs/references.md.
template <class T, int N>
ONEPASS_FUNCTION void sort_by_network(T (&x)[N])
{
  static_assert(N <= 16, "a network of more items has more pairs than there is room for");
  detail::sort_by_network(x, std::make_integer_sequence<int, detail::network<N>.count>{});
}

}  // namespace onepass::ONEPASS_ABI
