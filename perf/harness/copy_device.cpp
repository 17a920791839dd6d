// SPDX-License-Identifier: Apache-2.0
// The reference of speed on a device: a Kokkos copy that moves the same number of bytes, by cudaMemcpyAsync.
#include "race.hpp"

namespace perf {

namespace {

entry const copy{"copy", [](race const& r) -> call {
                   auto const n = r.bytes / 2;
                   Kokkos::View<char const*, space, Kokkos::MemoryUnmanaged> const in(static_cast<char const*>(r.in[0]),
                                                                                      n);
                   Kokkos::View<char*, space, Kokkos::MemoryUnmanaged> const out(static_cast<char*>(r.out[0]), n);
                   return [=] { Kokkos::deep_copy(space(), out, in); };
                 }};

}  // namespace

}  // namespace perf
