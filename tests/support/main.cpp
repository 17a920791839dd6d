// SPDX-License-Identifier: Apache-2.0
// The main of every test program, compiled once.
#include "seed.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>

int main(int argc, char** argv)
{
  testing::InitGoogleTest(&argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::printf("ONEPASS_SEED=%" PRIu64 "\n", test::seed());
  return RUN_ALL_TESTS();
}
