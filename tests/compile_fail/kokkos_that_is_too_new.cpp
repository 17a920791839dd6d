// expect: onepass needs Kokkos 4.7 up to, not including, 6
// SPDX-License-Identifier: Apache-2.0
#include <Kokkos_Core.hpp>

// As an enclosing project may bring one.
#undef KOKKOS_VERSION
#define KOKKOS_VERSION 60000
#include <onepass/scan.hpp>
