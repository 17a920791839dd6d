// SPDX-License-Identifier: Apache-2.0
// A block of lanes on one host thread, which counts the operations of its network.
#pragma once
#include <onepass/classic/strategies/networks.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace test {

namespace classic = onepass::classic;

/// The order in which the lanes of a step are executed. If one lane reads what another wrote in the same step,
/// different orders give different results.
enum class lane_order { ascending, descending, shuffled };

/// The record of a watched block. Shuffled lanes have another order after every barrier.
template <class Value>
struct notes {
  lane_order order = lane_order::ascending;
  int barriers     = 0;
  std::vector<std::vector<Value>> seen{};  ///< at each barrier, the values of the lanes
  std::vector<int> lanes{};
  std::mt19937 random{12345};
};

template <class Value>
struct watch {
  notes<Value>* kept;

  template <class Block>
  void at_barrier(Block const& b) const
  {
    ++kept->barriers;
    std::vector<Value> now;
    for (int lane = 0; lane < b.lanes(); ++lane) now.push_back(b.at(lane));
    kept->seen.push_back(now);
    if (kept->order == lane_order::shuffled) std::shuffle(kept->lanes.begin(), kept->lanes.end(), kept->random);
  }
  int nth_lane(int t, int lanes) const
  {
    if (kept->order == lane_order::descending) return lanes - 1 - t;
    if (kept->order == lane_order::ascending) return t;
    if (int(kept->lanes.size()) != lanes) {
      kept->lanes.resize(std::size_t(lanes));
      std::iota(kept->lanes.begin(), kept->lanes.end(), 0);
    }
    return kept->lanes[std::size_t(t)];
  }
};

/// A team without threads: lanes are executed by loops.
struct no_team {};

template <class Monoid>
using traced = classic::block<1, no_team, Monoid, watch<typename Monoid::type>>;

/// The result of a network.
template <class Value>
struct outcome {
  std::vector<Value> inclusive;
  Value total;
  notes<Value> noted;
};

/// Runs a network on these values, one per lane, in memory filled with `rubbish`.
template <class Monoid>
auto run_network(classic::network by, classic::width wide, Monoid const& monoid,
                 std::vector<typename Monoid::type> const& values, typename Monoid::type rubbish,
                 lane_order order = lane_order::ascending)
{
  using value = typename Monoid::type;
  outcome<value> made{};
  made.noted.order = order;
  std::vector<value> memory(std::size_t(traced<Monoid>::memory_of(wide)), rubbish);
  no_team const nobody;
  traced<Monoid> b(nobody, monoid, wide, memory.data(), {&made.noted});
  b.begin(is_padded(by), is_exclusive(by));
  b.each([&](int lane) { b.at(lane) = values[std::size_t(lane)]; });
  scan_block(by, b, monoid);
  made.total = b.total();
  for (int lane = 0; lane < b.lanes(); ++lane)
    made.inclusive.push_back(lane + 1 < b.lanes() ? b.before(lane + 1) : b.total());
  return made;
}

}  // namespace test
