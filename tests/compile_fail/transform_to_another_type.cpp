// expect: onepass: the transformed items do not convert to the accumulator
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

struct text_of {
  ONEPASS_FUNCTION char const* operator()(int) const { return ""; }
};

void refused(Kokkos::View<int*> in, Kokkos::View<int*> out)
{
  onepass::transform_exclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out, text_of{});
}
