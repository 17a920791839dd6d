# SPDX-License-Identifier: Apache-2.0
# KOKKOS_ROOT of the environment names an installed Kokkos, as Kokkos_ROOT does.
if(NOT DEFINED Kokkos_ROOT AND NOT DEFINED ENV{Kokkos_ROOT} AND DEFINED ENV{KOKKOS_ROOT})
    set(Kokkos_ROOT $ENV{KOKKOS_ROOT})
endif()
