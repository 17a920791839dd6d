// SPDX-License-Identifier: Apache-2.0
// The yardstick on a device: Kokkos' copy that moves as many bytes, which is cudaMemcpyAsync.
#include "../race.hpp"

namespace perf {

namespace {

const entry copy{"copy", [](race const& r) -> call {
  const auto n = r.bytes / 2;
  const Kokkos::View<char const*, space, Kokkos::MemoryUnmanaged> in(static_cast<char const*>(r.in[0]), n);
  const Kokkos::View<char*, space, Kokkos::MemoryUnmanaged>       out(static_cast<char*>(r.out[0]), n);
  return [=] { Kokkos::deep_copy(space(), out, in); };
}};

}  // namespace

}  // namespace perf
