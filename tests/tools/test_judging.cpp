// SPDX-License-Identifier: Apache-2.0
// What `onepass check --ranks` calls equal: every item is right, and none is missing.
#include "judging.hpp"

#include <gtest/gtest.h>

namespace {

using tools::fault_of;

TEST(judging, finds_nothing_where_all_is_right)
{
  EXPECT_EQ(fault_of({{-1, 0, 3, 7, 7}, {-1, 3, 0, 7, 7}, {-1, 3, 4, 7, 7}}, true), "");
  EXPECT_EQ(fault_of({{-1, 0, 2, 0, 2}, {-1, 0, 2, 0, 2}}, false), "");
  EXPECT_EQ(fault_of({{-1, 0, 2, 0, 2}, {-1, 0, 1, 0, 1}}, false), "");  // what is dealt
  EXPECT_EQ(fault_of({{-1, 0, 0, 0, 0}}, true), "");
}

TEST(judging, finds_items_that_differ)
{
  EXPECT_EQ(fault_of({{-1, 0, 3, 7, 7}, {5, 3, 4, 7, 7}}, true), "differs on rank 1 from item 5 on");
  EXPECT_EQ(fault_of({{0, 0, 1, 0, 1}, {-1, 0, 1, 0, 1}}, false), "differs on rank 0 from item 0 on");
}

TEST(judging, finds_items_that_are_missing)
{
  EXPECT_EQ(fault_of({{-1, 0, 0, 7, 7}, {-1, 0, 0, 7, 7}}, true), "all ranks have 0 items, not 7");           // empty
  EXPECT_EQ(fault_of({{-1, 0, 3, 7, 7}, {-1, 3, 3, 7, 7}}, true), "all ranks have 6 items, not 7");           // short
  EXPECT_EQ(fault_of({{-1, 0, 3, 7, 7}, {-1, 4, 3, 7, 7}}, true), "rank 1 has items from 4 on, not from 3");  // gapped
  EXPECT_EQ(fault_of({{-1, 0, 3, 7, 7}, {-1, 2, 5, 7, 7}}, true), "rank 1 has items from 2 on, not from 3");  // twice
  EXPECT_EQ(fault_of({{-1, 0, 3, 7, 7}, {-1, 3, 4, 6, 7}}, true), "rank 1 says that there are 6 items, not 7");
  EXPECT_EQ(fault_of({{-1, 0, 1, 0, 1}, {-1, 0, 0, 0, 1}}, false), "rank 1 has 0 items, not 1");
}

}  // namespace
