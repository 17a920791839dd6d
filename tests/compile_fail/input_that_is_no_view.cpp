// expect: onepass: an input must be a View or a sequence (value_type, size, operator())
// SPDX-License-Identifier: Apache-2.0
#include <onepass/reduce.hpp>

#include <vector>

void refused(std::vector<int> const& in, Kokkos::View<int> total)
{
  onepass::reduce(Kokkos::DefaultExecutionSpace{}, in, total);
}
