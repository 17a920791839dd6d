// expect: onepass: a result goes to a View of rank 0 or to a variable
// SPDX-License-Identifier: Apache-2.0
#include <onepass/reduce.hpp>

void refused(Kokkos::View<int*> in) { onepass::reduce(Kokkos::DefaultExecutionSpace{}, in, 0); }
