// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <Kokkos_Core.hpp>

namespace onepass::ONEPASS_ABI {

/// A host's list, copied to memory that the execution space reaches. Allocates, and waits until the copy is there.
template <class T, class Exec, class List>
Kokkos::View<T*, typename Exec::memory_space> uploaded(Exec const& exec, List const& list, char const* label)
{
  Kokkos::View<T*, typename Exec::memory_space> made(
      Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, std::string(label)), list.size());
  Kokkos::deep_copy(exec, made,
                    Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(list.data(), list.size()));
  exec.fence(std::string(label) + ": the host's list may go out of scope");
  return made;
}

}  // namespace onepass::ONEPASS_ABI
