// expect: onepass: the classic forms count in integers of at least 4 bytes
// SPDX-License-Identifier: Apache-2.0
#include <onepass/classic/compaction.hpp>

void refused(Kokkos::View<int*> in, Kokkos::View<int*> symbols, Kokkos::View<int*> lengths, Kokkos::View<short> runs)
{
  onepass::classic::encode_by_blocks(Kokkos::DefaultExecutionSpace{}, in, symbols, lengths, runs);
}
