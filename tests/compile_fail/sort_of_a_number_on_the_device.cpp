// expect: onepass: first(items, count) does not stand here
// SPDX-License-Identifier: Apache-2.0
#include <onepass/radix_sort.hpp>

void refused(Kokkos::View<int*> keys, Kokkos::View<int*> sorted, Kokkos::View<onepass::extent> count)
{
  onepass::radix_sort(Kokkos::DefaultExecutionSpace{}, onepass::first(keys, count), sorted);
}
