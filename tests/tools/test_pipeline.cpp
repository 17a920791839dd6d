// SPDX-License-Identifier: Apache-2.0
// Pipelines: every part takes every step, in order and with its places to itself, steps overlap, and what goes wrong is
// what would have gone wrong one after the other.
#include "pipeline.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tools::places_for, tools::run_pipeline;
using step = std::function<void(std::size_t)>;

TEST(pipeline, takes_every_part_through_every_step_in_order)
{
  // The first step's results serve the second, those of the second the third and the fourth.
  for (std::size_t const n : {0, 1, 2, 3, 4, 1000}) {
    std::array<std::size_t, places_for(1)> left;
    std::array<std::size_t, places_for(2)> right;
    std::vector<std::size_t> found;
    std::array<std::size_t, 3> done{};
    auto const read = [&](std::size_t k) {
      EXPECT_EQ(done[0]++, k);
      left[k % left.size()] = 7 * k;
    };
    auto const code = [&](std::size_t k) {
      EXPECT_EQ(done[1]++, k);
      right[k % right.size()] = left[k % left.size()] + 1;
    };
    auto const check = [&](std::size_t k) {
      EXPECT_EQ(done[2]++, k);
      EXPECT_EQ(right[k % right.size()], 7 * k + 1);
    };
    run_pipeline(n, {read, code, check, [&](std::size_t k) { found.push_back(right[k % right.size()]); }}, 1);
    ASSERT_EQ(found.size(), n);
    for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(found[k], 7 * k + 1);
  }
}

TEST(pipeline, keeps_the_step_that_is_named_on_the_calling_thread)
{
  auto const caller = std::this_thread::get_id();
  for (std::size_t here = 0; here < 3; ++here) {
    std::vector<step> steps;
    for (std::size_t s = 0; s < 3; ++s)
      steps.push_back([&, s](std::size_t) { EXPECT_EQ(std::this_thread::get_id() == caller, s == here); });
    run_pipeline(5, steps, here);
  }
  auto const one = [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); };
  run_pipeline(1, {one, one, one}, 1);
}

/// Waits until it is so, a minute at most.
template <class Condition>
bool comes(Condition const& condition)
{
  using clock     = std::chrono::steady_clock;
  auto const last = clock::now() + std::chrono::seconds(60);
  while (!condition() && clock::now() < last) std::this_thread::yield();
  return condition();
}

TEST(pipeline, overlaps_its_steps_as_far_as_there_are_places)
{
  // The last step of the first part ends only when all others have begun with as many parts as may be on their way: one
  // after the other would not end. None begins with more meanwhile.
  std::array<std::atomic<std::size_t>, 4> begun{};
  auto const count = [&](std::size_t s) { return [&, s](std::size_t) { ++begun[s]; }; };
  auto const last  = [&](std::size_t k) {
    ++begun[3];
    if (k > 0) return;
    for (std::size_t s = 0; s < 3; ++s) EXPECT_TRUE(comes([&] { return begun[s] == places_for(3 - s); })) << s;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(begun[s], places_for(3 - s)) << s;
  };
  run_pipeline(9, {count(0), count(1), count(2), last}, 2);
}

TEST(pipeline, throws_what_the_earliest_part_throws)
{
  for (std::size_t bad_step = 0; bad_step < 4; ++bad_step)
    for (std::size_t const bad : {0, 1, 5, 9})
      for (int again = 0; again < 20; ++again) {
        SCOPED_TRACE("step " + std::to_string(bad_step) + ", part " + std::to_string(bad));
        std::array<std::size_t, 4> done{};
        std::vector<step> steps;
        for (std::size_t s = 0; s < 4; ++s)
          steps.push_back([&, s](std::size_t k) {
            if (k == bad && s == bad_step) throw std::runtime_error("part " + std::to_string(k));
            if (k > bad && s < bad_step) throw std::runtime_error("a later part");
            EXPECT_EQ(done[s]++, k);
          });
        try {
          run_pipeline(10, steps, std::size_t(again) % 4);
          ADD_FAILURE() << "nothing was thrown";
        } catch (std::runtime_error const& e) {
          EXPECT_EQ(e.what(), "part " + std::to_string(bad));
        }
        EXPECT_EQ(done[3], bad);
      }
}

}  // namespace
