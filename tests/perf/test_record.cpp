// SPDX-License-Identifier: Apache-2.0
// Results of measurements: a run replaces what it measured and nothing else, and however it ends, the files are whole.
#include "harness/record.hpp"
#include "harness/table.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using perf::record;
using perf::row;

namespace {

using lines = std::vector<std::string>;

class records : public testing::Test {
protected:
  void SetUp() override
  {
    std::string name = (fs::temp_directory_path() / "onepass_record_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top     = name;
    machine = top / "some_machine";
  }
  void TearDown() override { fs::remove_all(top); }

  record run(std::string const& commit, std::string const& problem = "scan") const
  {
    return record(machine, problem, [=] {
      return perf::stamp_fields{{"date", "2026-11-22T12:00Z"}, {"commit", commit}, {"device", "one, or two"}};
    });
  }

  lines read(std::string const& file) const
  {
    std::ifstream in(machine / file);
    lines all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

  fs::path top, machine;
};

/// A race of these contenders; each took so long.
std::vector<row> race(std::int64_t items, double seconds, lines const& contenders = {"copy", "cub", "onepass"})
{
  std::vector<row> rows;
  for (auto const& name : contenders)
    rows.push_back({"exclusive_scan", "u32", items, name, seconds, seconds, .01, 30, std::size_t(8 * items), seconds});
  return rows;
}

lines fields(std::string const& line)
{
  lines all{""};
  for (char const c : line)
    if (c == ',') all.emplace_back();
    else all.back().push_back(c);
  return all;
}

TEST_F(records, are_sorted_lines_below_a_header)
{
  auto first = run("abc1234");
  first.keep(race(1024, 1.25e-6));
  first.keep(race(512, 2e-6));
  EXPECT_EQ(read("scan.csv"),
            (lines{"primitive,type,items,contender,seconds,fastest,spread,repetitions,bytes,copy,run",
                   "exclusive_scan,u32,512,copy,2e-06,2e-06,0.01,30,4096,2e-06,abc1234.1",
                   "exclusive_scan,u32,512,cub,2e-06,2e-06,0.01,30,4096,2e-06,abc1234.1",
                   "exclusive_scan,u32,512,onepass,2e-06,2e-06,0.01,30,4096,2e-06,abc1234.1",
                   "exclusive_scan,u32,1024,copy,1.25e-06,1.25e-06,0.01,30,8192,1.25e-06,abc1234.1",
                   "exclusive_scan,u32,1024,cub,1.25e-06,1.25e-06,0.01,30,8192,1.25e-06,abc1234.1",
                   "exclusive_scan,u32,1024,onepass,1.25e-06,1.25e-06,0.01,30,8192,1.25e-06,abc1234.1"}));
  EXPECT_EQ(read("stamps.csv"),
            (lines{"run,machine,date,commit,device", "abc1234.1,some_machine,2026-11-22T12:00Z,abc1234,one  or two"}));
}

TEST_F(records, of_a_second_run_replace_exactly_what_it_measured)
{
  run("abc1234").keep(race(1024, 1e-6));
  auto first = run("abc1234");
  first.keep(race(2048, 2e-6));
  auto const before = read("scan.csv");

  run("def5678").keep(race(1024, 3e-6, {"copy", "onepass", "thrust"}));
  auto const after = read("scan.csv");
  std::set<std::string> const old(before.begin(), before.end());
  lines changed, kept;
  for (auto const& line : after) (old.contains(line) ? kept : changed).push_back(line);

  EXPECT_EQ(changed, (lines{"exclusive_scan,u32,1024,copy,3e-06,3e-06,0.01,30,8192,3e-06,def5678.1",
                            "exclusive_scan,u32,1024,onepass,3e-06,3e-06,0.01,30,8192,3e-06,def5678.1",
                            "exclusive_scan,u32,1024,thrust,3e-06,3e-06,0.01,30,8192,3e-06,def5678.1"}));
  EXPECT_EQ(kept.size(), before.size() - 2);  // copy and onepass of 1024 items went
  EXPECT_EQ(after.size(), before.size() + 1);
}

TEST_F(records, keep_the_stamps_that_a_row_refers_to)
{
  auto const runs = [&] {
    lines all;
    for (auto const& line : read("stamps.csv")) all.push_back(fields(line).front());
    return all;
  };
  run("abc1234").keep(race(1024, 1e-6));
  run("abc1234", "reduce").keep(race(1024, 1e-6));
  run("def5678").keep(race(1024, 1e-6, {"copy", "onepass"}));
  EXPECT_EQ(runs(), (lines{"run", "abc1234.1", "abc1234.2", "def5678.1"}));
  run("def5678").keep(race(1024, 1e-6));  // leaves nothing of the first and the third; the second is of another problem
  EXPECT_EQ(runs(), (lines{"run", "abc1234.2", "def5678.2"}));
}

/// What the files must be at any time: whole races, every run with its stamp.
void expect_whole(lines const& rows, lines const& stamps, std::size_t most)
{
  std::set<std::string> known;
  for (auto const& line : stamps) known.insert(fields(line).front());
  EXPECT_TRUE(known.contains("run"));
  ASSERT_EQ(rows.size(), most + 1);
  std::map<std::string, std::set<std::string>> seconds, runs;  // of each size
  for (std::size_t k = 1; k < rows.size(); ++k) {
    auto const row = fields(rows[k]);
    ASSERT_EQ(row.size(), 11u) << rows[k];
    EXPECT_TRUE(known.contains(row[10])) << rows[k];
    seconds[row[2]].insert(row[4]);
    runs[row[2]].insert(row[10]);
  }
  for (auto const& [items, all] : seconds) EXPECT_EQ(all.size(), 1u) << items << " items: half a race";
  for (auto const& [items, all] : runs) EXPECT_EQ(all.size(), 1u) << items << " items: half a race";
}

TEST_F(records, are_whole_whenever_a_run_is_killed)
{
  constexpr int sizes = 100;
  {
    auto first = run("abc1234");
    for (int k = 1; k <= sizes; ++k) first.keep(race(k, 1e-6));
  }
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    auto const child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto mine = run("commit" + std::to_string(round));
      if (write(ready[1], "", 1) != 1) _exit(1);
      for (int k = 0;; ++k) mine.keep(race(1 + k % sizes, 1e-6 * (k + 2)));
    }
    char byte;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    usleep(std::uniform_int_distribution<useconds_t>(0, 4000)(random));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ready[0]), close(ready[1]);
    expect_whole(read("scan.csv"), read("stamps.csv"), 3 * sizes);
    if (HasFailure()) FAIL() << "in round " << round;
  }
}

TEST_F(records, of_two_that_measure_at_once_are_all_there)
{
  constexpr int races = 60;
  std::vector<pid_t> children;
  for (int who = 0; who < 2; ++who) {
    children.push_back(fork());
    ASSERT_GE(children.back(), 0);
    if (children.back() != 0) continue;
    auto mine = run("abc1234");
    for (int k = 0; k < races; ++k) mine.keep(race(2 * k + who + 1, 1e-6 * (who + 1)));
    _exit(0);
  }
  for (auto const child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  expect_whole(read("scan.csv"), read("stamps.csv"), 3 * 2 * races);
  EXPECT_EQ(read("stamps.csv").size(), 3u);
}

TEST_F(records, of_other_columns_stand_beside_those_of_races_and_are_found_again)
{
  auto const hunt = [&](std::string const& commit, std::string const& date) {
    return record(machine, "hunt", {"seed", "case", "verdict"}, 2, [=] {
      return perf::stamp_fields{{"date", date}, {"commit", commit}, {"device", "one, or two"}};
    });
  };
  run("abc1234").keep(race(1024, 1e-6));
  auto const before = read("scan.csv");
  hunt("abc1234", "monday").keep(std::vector<lines>{{"1", "7", "right"}, {"1", "10", "right"}});
  hunt("def5678-dirty", "monday").keep(std::vector<lines>{{"1", "8", "wrong"}});
  EXPECT_EQ(read("hunt.csv"), (lines{"seed,case,verdict,run", "1,7,right,abc1234.2", "1,8,wrong,def5678-dirty.1",
                                     "1,10,right,abc1234.2"}));
  EXPECT_EQ(read("scan.csv"), before);
  EXPECT_EQ(read("stamps.csv").size(), 4u);

  EXPECT_EQ(hunt("abc1234", "tuesday").of_runs_like_this(),
            (std::vector<lines>{{"1", "7", "right", "abc1234.2"}, {"1", "10", "right", "abc1234.2"}}));
  EXPECT_TRUE(hunt("abc9999", "tuesday").of_runs_like_this().empty());
  EXPECT_TRUE(hunt("def5678-dirty", "monday").of_runs_like_this().empty());
}

TEST_F(records, are_not_added_to_a_file_that_is_damaged)
{
  auto const refusal = [&](std::string const& file, std::string const& text) -> std::string {
    fs::create_directories(machine);
    std::ofstream(machine / file) << text;
    try {
      run("abc1234");
    } catch (std::runtime_error const& e) {
      fs::remove(machine / file);
      return e.what();
    }
    return "taken";
  };
  auto const header = "primitive,type,items,contender,seconds,fastest,spread,repetitions,bytes,copy,run\n";
  EXPECT_NE(refusal("scan.csv", "a,b\n").find("scan.csv has other columns"), std::string::npos);
  EXPECT_NE(refusal("stamps.csv", "run\n").find("stamps.csv has other columns"), std::string::npos);
  auto const cut = refusal("reduce.csv", std::string(header) + "reduce,u32,10");
  EXPECT_NE(cut.find("reduce.csv has a line that is not whole"), std::string::npos);
  EXPECT_EQ(refusal("scan.csv", header), "taken");
}

}  // namespace
