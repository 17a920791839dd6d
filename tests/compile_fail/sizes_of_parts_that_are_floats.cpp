// expect: onepass: the counts of partition_three_way must be integers that can be written
// SPDX-License-Identifier: Apache-2.0
#include <onepass/partition.hpp>

struct sign {
  KOKKOS_FUNCTION int operator()(int x) const { return x < 0 ? 0 : x == 0 ? 1 : 2; }
};
void refused(Kokkos::View<int*> in, Kokkos::View<int*> out, Kokkos::View<float*> counts)
{
  onepass::partition_three_way(Kokkos::DefaultExecutionSpace{}, in, out, out, out, counts, sign{});
}
