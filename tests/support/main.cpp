// SPDX-License-Identifier: Apache-2.0
// The main of every test program, compiled once.
#include "seed.hpp"

#include <onepass/execution/workspace_pool.hpp>

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

// g++ tells by a macro whether addresses are checked, clang by a feature.
#ifdef __has_feature
#define ONEPASS_TEST_HAS_FEATURE(what) __has_feature(what)
#else
#define ONEPASS_TEST_HAS_FEATURE(what) 0
#endif

namespace {

// A program may be made of several files; a run takes the tests of the one that ONEPASS_TEST_FILE names. It takes all
// without it, and does as a filter says where one is given, as a death test does to its child. False if none is there.
bool keep_tests_of_file()
{
  char const* const stem = std::getenv("ONEPASS_TEST_FILE");
  if (!stem || GTEST_FLAG_GET(filter) != "*") return true;
  std::string const end = "/" + std::string(stem) + ".cpp";
  std::string kept;
  auto const& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    auto const& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      auto const& one        = *suite.GetTestInfo(t);
      std::string const file = one.file();
      if (file.size() < end.size() || file.compare(file.size() - end.size(), end.size(), end) != 0) continue;
      kept += (kept.empty() ? "" : ":") + std::string(suite.name()) + "." + one.name();
    }
  }
  if (kept.empty()) std::fprintf(stderr, "ONEPASS_TEST_FILE=%s: this program has no test of that file\n", stem);
  GTEST_FLAG_SET(filter, kept);
  return !kept.empty();
}

}  // namespace

int main(int argc, char** argv)
{
  testing::InitGoogleTest(&argc, argv);
  if (!keep_tests_of_file()) return 2;
  Kokkos::ScopeGuard const kokkos(argc, argv);
#if defined(__SANITIZE_ADDRESS__) || ONEPASS_TEST_HAS_FEATURE(address_sanitizer)
  bool const guarded = true;
#else
  bool const guarded = std::getenv("ONEPASS_FENCE") != nullptr;  // tests/trust/fence.cpp
#endif
  if (guarded) onepass::keep_workspaces(0);  // a kept one may be larger than its call needs, and hide what is beyond
  std::printf("ONEPASS_SEED=%" PRIu64 "\n", test::seed());
  return RUN_ALL_TESTS();
}
