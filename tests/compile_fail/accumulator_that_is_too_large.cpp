// expect: onepass: an accumulator (with its flag, where the operator has no identity) may have at most 64 bytes
// SPDX-License-Identifier: Apache-2.0
#include <onepass/scan.hpp>

struct large {
  char bytes[65];
};
struct newest {
  ONEPASS_FUNCTION large operator()(large const&, large const& newer) const { return newer; }
};

void refused(Kokkos::View<large*> in, Kokkos::View<large*> out)
{
  onepass::inclusive_scan(Kokkos::DefaultExecutionSpace{}, in, out, newest{});
}
