// SPDX-License-Identifier: Apache-2.0
#include "refusal.hpp"

#include <onepass/execution/workspace.hpp>

#include <gtest/gtest.h>

using exec_space = Kokkos::DefaultHostExecutionSpace;
using bytes_view = Kokkos::View<char*, exec_space::memory_space>;

namespace {

std::string refusal_of(bytes_view const& given, std::size_t wanted)
{
  return test::refusal([&] { onepass::workspace<exec_space>(exec_space{}, given).reserve(wanted); });
}

TEST(workspace, grows_when_asked_and_never_shrinks)
{
  onepass::workspace<exec_space> scratch(exec_space{});
  scratch.reserve(1000);
  auto const bytes = scratch.bytes();
  EXPECT_GE(bytes, 1000u);
  scratch.reserve(10);
  EXPECT_EQ(scratch.bytes(), bytes);
  scratch.reserve(5000);
  EXPECT_GE(scratch.bytes(), 5000u);
}

TEST(workspace, uses_no_byte_outside_the_users_memory)
{
  for (std::size_t const size : {144u, 145u, 151u, 152u, 200u})
    for (std::size_t const shift : {0u, 1u, 5u}) {
      bytes_view const all("memory", 384);
      Kokkos::deep_copy(all, 'x');
      onepass::workspace<exec_space> scratch(exec_space{},
                                             Kokkos::subview(all, std::pair(64 + shift, 64 + shift + size)));
      exec_space{}.fence();
      for (std::size_t b = 0; b < 384; ++b)
        if (b < 64 + shift || b >= 64 + shift + size) { ASSERT_EQ(all(b), 'x') << "byte " << b << ", size " << size; }
      EXPECT_LE(scratch.bytes(), size);
    }
}

TEST(workspace, in_memory_of_the_user_says_what_it_lacks)
{
  auto const said = refusal_of(bytes_view("memory", 160), 1000);
  for (char const* part : {"1000", "160", "bytes"}) EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_EQ(refusal_of(bytes_view("memory", 160), 160), "");
}

TEST(workspace, refuses_memory_that_holds_nothing)
{
  for (std::size_t const bytes : {0u, 1u, 7u, 64u, 135u}) {
    auto const said = refusal_of(bytes_view("memory", bytes), 0);
    EXPECT_NE(said.find("bytes"), std::string::npos) << "took " << bytes << " bytes";
  }
}

}  // namespace
