// SPDX-License-Identifier: Apache-2.0
#include "kernel_log.hpp"
#include "refusal.hpp"

#include <onepass/backends/kokkos/board.hpp>
#include <onepass/backends/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <thread>

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

using words = onepass::backends::kokkos::shared_words;

bool is_first_launch(onepass::board<words> const& board)
{
  return *board.control == std::uint64_t(1) << 32
         && std::count(board.words, board.words + board.capacity, 0u) == board.capacity;
}

TEST(workspace, begins_with_the_first_epoch_and_cleared_words)
{
  onepass::workspace<exec_space> own(exec_space{});
  for (onepass::extent const many : {3, 1000}) EXPECT_TRUE(is_first_launch(own.make_board<words>(many))) << many;
  bytes_view const memory("memory", 4096);
  Kokkos::deep_copy(memory, char(0xff));
  onepass::workspace<exec_space> given(exec_space{}, memory);
  EXPECT_TRUE(is_first_launch(given.make_board<words>(100)));
}

TEST(workspace, of_the_user_begins_anew_after_a_call_that_throws)
{
  onepass::workspace<exec_space> scratch(exec_space{});
  auto const failing = [](auto const&, auto& memory) {
    (void)memory.template make_board<words>(100).draw(3, 3);
    throw std::runtime_error("half way");
  };
  auto const call = [&] { onepass::with_workspace(onepass::on(exec_space{}).with(scratch), "call", failing); };
  EXPECT_THROW(call(), std::runtime_error);
  EXPECT_TRUE(is_first_launch(scratch.make_board<words>(100)));
}

TEST(workspace, keeps_words_and_plain_memory_apart_and_inside_of_the_users)
{
  for (std::size_t const shift : {0u, 8u, 72u, 200u})
    for (std::size_t const more : {0u, 1u, 100u, 255u, 256u, 257u, 1000u}) {
      bytes_view const all("memory", 8192);
      auto const memory = Kokkos::subview(all, std::pair(shift, all.size()));
      onepass::workspace<exec_space> scratch(exec_space{}, memory);
      auto const begin = memory.data(), end = begin + memory.size();
      for (std::size_t const bytes : {std::size_t(1), 256 + more, 512 + more, std::size_t(300)}) {
        auto* const plain = reinterpret_cast<char*>(scratch.plain(bytes));
        auto const board  = scratch.make_board<words>(16);
        auto* const last  = reinterpret_cast<char*>(board.words + board.capacity);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plain) % 256, 0u);
        EXPECT_LE(begin, reinterpret_cast<char*>(board.control));
        EXPECT_LT(board.control, board.words);
        EXPECT_GE(board.capacity, 16);
        EXPECT_LE(last, plain) << bytes << " bytes, shift " << shift;
        EXPECT_LE(plain + bytes, end) << bytes << " bytes, shift " << shift;
      }
    }
}

TEST(workspace, in_memory_of_the_user_says_what_it_lacks)
{
  auto const said = refusal_of(bytes_view("memory", 160), 1000);
  for (char const* part : {"1000", "160", "bytes"}) EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_EQ(refusal_of(bytes_view("memory", 160), 160), "");
}

TEST(workspace, refuses_memory_with_gaps)
{
  Kokkos::View<char**, Kokkos::LayoutLeft, exec_space> const table("memory", 4, 10000);
  auto const said =
      test::refusal([&] { onepass::workspace<exec_space>(exec_space{}, Kokkos::subview(table, 1, Kokkos::ALL)); });
  EXPECT_NE(said.find("gaps"), std::string::npos) << said;
}

TEST(workspace, refuses_memory_that_holds_nothing)
{
  for (std::size_t const bytes : {0u, 1u, 7u, 64u, 135u}) {
    auto const said = refusal_of(bytes_view("memory", bytes), 0);
    EXPECT_NE(said.find("bytes"), std::string::npos) << "took " << bytes << " bytes";
  }
}

/// Calls that hold no workspace.
class kept_workspaces : public testing::Test {
protected:
  static constexpr std::size_t mebibyte = 1 << 20;

  kept_workspaces()
  {
    onepass::keep_workspaces(64 * mebibyte);  // main.cpp keeps none where the address sanitizer looks
    onepass::release_workspaces();
  }

  /// A call, for a while the owner of as much plain memory.
  static void call(std::size_t bytes, char const* label = "call", std::function<void(std::byte*)> const& body = {},
                   exec_space const& exec = {})
  {
    onepass::with_workspace(exec, label, [&](auto const&, auto& scratch) {
      auto* const memory = scratch.plain(bytes);
      if (body) body(memory);
    });
  }

  /// Expects what Kokkos allocates and frees while this runs, by labels.
  using labels = std::vector<std::string>;
  static void expect(std::function<void()> const& body, labels const& allocations, labels const& frees)
  {
    test::kernel_log const log;
    body();
    EXPECT_EQ(log.allocations, allocations);
    EXPECT_EQ(log.frees, frees);
  }

  std::string const plain = "onepass::call (plain)";
};

TEST_F(kept_workspaces, serve_the_next_call_and_carry_the_label_of_the_one_that_made_them)
{
  std::string const other = "onepass::other (plain)";
  expect([] { call(1000); }, {plain}, {});
  expect([] { call(1000, "other"); }, {}, {});
  expect([] { call(5000, "other"); }, {other}, {plain});
}

TEST_F(kept_workspaces, are_freed_on_demand)
{
  call(1000);
  expect(onepass::release_workspaces, {}, {plain});
  expect(onepass::release_workspaces, {}, {});
  expect([] { call(1000); }, {plain}, {});
}

template <class Exec>
void with_another_instance(std::function<void(Exec const&)> const& f)
{
  if constexpr (std::is_constructible_v<Exec, int>) f(Exec(1));
}

TEST_F(kept_workspaces, serve_the_default_instance_alone)
{
  call(1000);
  with_another_instance<exec_space>([&](exec_space const& other) {
    for (int repetition = 0; repetition < 2; ++repetition)
      expect([&] { call(1000, "call", {}, other); }, {plain}, {plain});
  });
  expect([] { call(1000); }, {}, {});
}

TEST_F(kept_workspaces, are_freed_after_a_call_that_makes_them_too_large)
{
  expect([] { call(mebibyte); }, {plain}, {});
  expect([] { call(64 * mebibyte); }, {plain}, {plain, plain});
  onepass::keep_workspaces(1000);
  expect([] { call(1001); }, {plain}, {plain});
  expect([] { call(500); }, {plain}, {});
  onepass::keep_workspaces(0);
  expect([] { call(500); }, {plain}, {plain});
}

TEST_F(kept_workspaces, are_freed_after_a_call_that_throws)
{
  auto const failing = [] {
    try {
      call(1000, "call", [](std::byte*) { throw std::runtime_error("half way"); });
    } catch (std::runtime_error const&) {}
  };
  for (int repetition = 0; repetition < 2; ++repetition) expect(failing, {plain}, {plain});
  expect([] { call(1000); }, {plain}, {});
}

/// A space that at times cannot be copied.
struct failing_space : exec_space {
  using execution_space        = failing_space;
  static inline bool may_throw = false;

  failing_space() = default;
  failing_space(failing_space const& other)
      : exec_space(other)
  {
    if (may_throw) throw std::runtime_error("no copy");
  }
};

TEST_F(kept_workspaces, stay_free_if_a_call_can_not_begin)
{
  auto& pool               = onepass::detail::workspace_pool<failing_space>::here();
  auto const begin         = [] { onepass::lent_workspace<failing_space> const scratch(failing_space(), "call"); };
  failing_space::may_throw = true;
  EXPECT_THROW(begin(), std::runtime_error);
  failing_space::may_throw = false;
  std::vector<decltype(pool.take())> all;
  while (auto slot = pool.take()) all.push_back(std::move(slot));
  EXPECT_EQ(all.size(), onepass::detail::most_kept_workspaces);
}

/// Fills the memory, gives others the time to spoil it, and says whether they did.
void fill_and_look(std::byte* memory, std::size_t bytes, std::byte mine, std::function<void()> const& meanwhile)
{
  std::fill_n(memory, bytes, mine);
  meanwhile();
  EXPECT_EQ(std::count(memory, memory + bytes, mine), std::ptrdiff_t(bytes));
}

TEST_F(kept_workspaces, serve_one_call_at_a_time_if_one_is_made_inside_of_another)
{
  std::function<void(int)> const nested = [&](int depth) {
    call(256, "call", [&](std::byte* memory) {
      fill_and_look(memory, 256, std::byte(depth), [&] {
        if (depth > 0) nested(depth - 1);
      });
    });
  };
  nested(1);
  expect([&] { nested(1); }, {}, {});
  nested(20);  // more than are kept
}

TEST_F(kept_workspaces, serve_one_call_at_a_time_if_many_threads_call)
{
  std::vector<std::thread> threads;
  for (int t = 0; t < 12; ++t)
    threads.emplace_back([t] {
      for (int repetition = 0; repetition < 200; ++repetition)
        call(4096, "call",
             [&](std::byte* memory) { fill_and_look(memory, 4096, std::byte(t), std::this_thread::yield); });
    });
  for (auto& thread : threads) thread.join();
}

/// In a process of its own. Hooks run in reverse: the first after the pool's, the second before it.
TEST_F(kept_workspaces, are_freed_when_Kokkos_is_finalized)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto const finalize = [&] {
    test::kernel_log const log;
    Kokkos::push_finalize_hook([] { call(500); });
    call(1000);
    Kokkos::push_finalize_hook([] { call(2000); });
    Kokkos::finalize();
    std::exit(int(std::count(log.frees.begin(), log.frees.end(), plain)));
  };
  EXPECT_EXIT(finalize(), testing::ExitedWithCode(3), "");
}

}  // namespace
