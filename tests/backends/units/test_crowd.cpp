// SPDX-License-Identifier: Apache-2.0
// Whether the machine is crowded: what regions tell, how long it is believed, and what is work for all threads anyway.
#include <onepass/backends/host/crowd.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace {

using onepass::backends::host::crowd, onepass::backends::host::crowd_tuning;
using namespace std::chrono_literals;

int calls_alone(crowd& all, onepass::extent bytes = 1000)
{
  int calls = 0;
  while (calls < 100'000 && all.keeps_alone(bytes)) ++calls;
  return calls;
}

TEST(crowd, threads_that_come_in_time_are_taken)
{
  crowd all;
  EXPECT_FALSE(all.keeps_alone(1000));
  all.saw(100us, 300us, 200us);
  all.saw(crowd_tuning.late, 10ms, 10ms);  // an uneven share of much work
  EXPECT_FALSE(all.keeps_alone(1000));
}

TEST(crowd, late_threads_and_long_waits_are_done_without_for_some_calls)
{
  crowd late, waiting;
  late.saw(4ms, 1ms, 0ms);
  waiting.saw(0ms, 1ms, 4ms);
  EXPECT_EQ(calls_alone(late), crowd_tuning.least_calls);
  EXPECT_EQ(calls_alone(waiting), crowd_tuning.least_calls);
}

TEST(crowd, each_disappointment_lasts_longer_and_a_good_region_ends_that)
{
  crowd all;
  int before = 0;
  for (int k = 0; k < 20; ++k) {
    all.saw(4ms, 1ms, 0ms);
    int const now = calls_alone(all);
    EXPECT_EQ(now, k == 0 ? crowd_tuning.least_calls : std::min(2 * before, crowd_tuning.most_calls));
    before = now;
  }
  for (int k = 0; k < 20; ++k) all.saw(10us, 1ms, 0ms);
  all.saw(4ms, 1ms, 0ms);
  EXPECT_EQ(calls_alone(all), crowd_tuning.least_calls);
}

TEST(crowd, work_of_many_bytes_is_done_alone_for_fewer_calls)
{
  crowd all;
  auto const bytes = crowd_tuning.alone_to;
  int const counts = int(1 + bytes / crowd_tuning.call_bytes);  // as so many calls
  ASSERT_GT(counts, crowd_tuning.least_calls);
  all.saw(4ms, 1ms, 0ms);
  EXPECT_EQ(calls_alone(all, bytes), 1);
  for (int k = 0; k < 20; ++k) all.saw(4ms, 1ms, 0ms);
  EXPECT_EQ(calls_alone(all, bytes), (crowd_tuning.most_calls + counts - 1) / counts);
  all.saw(4ms, 1ms, 0ms);
  EXPECT_TRUE(all.keeps_alone(bytes));
  EXPECT_EQ(calls_alone(all), crowd_tuning.most_calls - counts);
}

TEST(crowd, much_work_gets_all_threads)
{
  crowd all;
  all.saw(4ms, 1ms, 0ms);
  EXPECT_FALSE(all.keeps_alone(crowd_tuning.alone_to + 1));
  EXPECT_TRUE(all.keeps_alone(crowd_tuning.alone_to));
}

TEST(crowd, at_rest_takes_all_threads)
{
  auto& all = crowd::here();
  calls_alone(all);
  all.saw(4ms, 1ms, 0ms);
  {
    crowd::rest const rest;
    EXPECT_FALSE(all.keeps_alone(1000));
  }
  EXPECT_EQ(calls_alone(all), crowd_tuning.least_calls);
}

TEST(crowd, a_watch_tells_of_its_region)
{
  auto& all = crowd::here();
  calls_alone(all);
  {
    crowd::watch watch;
    watch.ends(0, watch.begins());
  }
  EXPECT_FALSE(all.keeps_alone(1000));
  {
    crowd::watch watch;  // of uneven work
    watch.ends(0, watch.begins());
    auto const began = watch.begins();
    std::this_thread::sleep_for(8 * crowd_tuning.late);
    watch.ends(1, began);
  }
  EXPECT_FALSE(all.keeps_alone(1000));
  {
    crowd::watch watch;
    watch.ends(0, watch.begins());
    std::this_thread::sleep_for(8 * crowd_tuning.late);  // all have ended
  }
  EXPECT_TRUE(all.keeps_alone(1000));
  calls_alone(all);
  {
    crowd::watch watch;
    watch.ends(0, watch.begins());
    std::this_thread::sleep_for(4 * crowd_tuning.late);
    watch.begins();
  }
  EXPECT_TRUE(all.keeps_alone(1000));
}

}  // namespace
