// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

namespace perf {

/// Queues one of CUB's algorithms, run(storage, bytes, stream), with temporary storage allocated before: CUB's first
/// call, without storage, returns the size it needs.
template <class Run>
call cub_call(Run const& run)
{
  auto const stream = space().cuda_stream();
  std::size_t bytes = 0;
  run(nullptr, bytes, stream);
  Kokkos::View<char*, space> const storage("cub", bytes);
  return [=] {
    std::size_t given = bytes;
    run(storage.data(), given, stream);
  };
}

}  // namespace perf
