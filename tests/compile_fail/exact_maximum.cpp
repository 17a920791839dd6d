// expect: onepass: exactly() is for sums
// SPDX-License-Identifier: Apache-2.0
#include <onepass/reduce.hpp>

void refused(Kokkos::View<float*> in, Kokkos::View<float> total)
{
  onepass::reduce(onepass::exactly(Kokkos::DefaultExecutionSpace{}), in, total, onepass::maximum{});
}
