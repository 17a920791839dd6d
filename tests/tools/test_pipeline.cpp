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

using tools::parts_between, tools::run_pipeline;

TEST(pipeline, takes_every_part_through_every_step_in_order)
{
  for (std::size_t const n : {0, 1, 2, 3, 1000}) {
    std::array<std::size_t, parts_between> left, right;
    std::vector<std::size_t> found;
    std::size_t read = 0, coded = 0;
    auto const read_one = [&](std::size_t k) {
      EXPECT_EQ(read++, k);
      left[k % parts_between] = 7 * k;
    };
    auto const code_one = [&](std::size_t k) {
      EXPECT_EQ(coded++, k);
      right[k % parts_between] = left[k % parts_between] + 1;
    };
    run_pipeline(n, read_one, code_one, [&](std::size_t k) { found.push_back(right[k % parts_between]); });
    ASSERT_EQ(found.size(), n);
    for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(found[k], 7 * k + 1);
  }
}

TEST(pipeline, keeps_the_middle_step_on_the_calling_thread)
{
  auto const here = std::this_thread::get_id();
  run_pipeline(
      5, [&](std::size_t) { EXPECT_NE(std::this_thread::get_id(), here); },
      [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), here); },
      [&](std::size_t) { EXPECT_NE(std::this_thread::get_id(), here); });
  auto const one = [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), here); };
  run_pipeline(1, one, one, one);
}

TEST(pipeline, overlaps_its_steps)
{
  // Each step of a part ends only when another step has begun with another part: one after the other would not end.
  using clock = std::chrono::steady_clock;
  std::array<std::atomic<std::size_t>, 3> begun{};
  auto const wait_for = [&](int step, std::size_t parts) {
    auto const last = clock::now() + std::chrono::seconds(60);
    while (begun[std::size_t(step)] < parts && clock::now() < last) std::this_thread::yield();
    EXPECT_GE(begun[std::size_t(step)], parts);
  };
  run_pipeline(
      4, [&](std::size_t) { ++begun[0]; },
      [&](std::size_t k) {
        ++begun[1];
        if (k == 0) wait_for(0, 2);
      },
      [&](std::size_t k) {
        ++begun[2];
        if (k == 0) wait_for(0, 3), wait_for(1, 2);
      });
}

TEST(pipeline, throws_what_the_earliest_part_throws)
{
  for (int bad_step = 0; bad_step < 3; ++bad_step)
    for (std::size_t const bad : {0, 1, 5, 9})
      for (int again = 0; again < 20; ++again) {
        SCOPED_TRACE("step " + std::to_string(bad_step) + ", part " + std::to_string(bad));
        std::array<std::size_t, 3> done{};
        auto const step = [&](int s) {
          return [&, s](std::size_t k) {
            if (k == bad && s == bad_step) throw std::runtime_error("part " + std::to_string(k));
            if (k > bad && s < bad_step) throw std::runtime_error("a later part");
            EXPECT_EQ(done[std::size_t(s)]++, k);
          };
        };
        try {
          run_pipeline(10, step(0), step(1), step(2));
          ADD_FAILURE() << "nothing was thrown";
        } catch (std::runtime_error const& e) {
          EXPECT_EQ(e.what(), "part " + std::to_string(bad));
        }
        EXPECT_EQ(done[2], bad);
      }
}

}  // namespace
