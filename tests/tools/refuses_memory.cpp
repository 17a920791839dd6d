// SPDX-License-Identifier: Apache-2.0
// A library of tools for Kokkos (KOKKOS_TOOLS_LIBS): the second rank of MPI is refused memory for the items of a check.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

struct SpaceHandle {
  char name[64];
};

extern "C" void kokkosp_allocate_data(SpaceHandle, char const* label, void const*, std::uint64_t)
{
  for (char const* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (char const* const rank = std::getenv(name))
      if (std::strcmp(rank, "1") == 0 && std::strcmp(label, "onepass check: items") == 0) throw std::bad_alloc();
}
