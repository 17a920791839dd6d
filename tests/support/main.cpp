// SPDX-License-Identifier: Apache-2.0
// The main of every test program, compiled once.
#include "seed.hpp"

#include <onepass/execution/workspace_pool.hpp>

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv)
{
  testing::InitGoogleTest(&argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
#ifdef __SANITIZE_ADDRESS__
  bool const guarded = true;
#else
  bool const guarded = std::getenv("ONEPASS_FENCE") != nullptr;  // tests/trust/fence.cpp
#endif
  if (guarded) onepass::keep_workspaces(0);  // a kept one may be larger than its call needs, and hide what is beyond
  std::printf("ONEPASS_SEED=%" PRIu64 "\n", test::seed());
  return RUN_ALL_TESTS();
}
