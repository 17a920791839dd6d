// SPDX-License-Identifier: Apache-2.0
// Scans, reductions, selections and sorts inside a kernel, by teams of the space and, on hosts, by teams of several
// threads that emulate a device's.
#include "compaction.hpp"
#include "team_shapes.hpp"
#include "witness.hpp"

#include <onepass/team.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

using namespace test;

namespace {

// ---- scans

/// Scans by an operator without an identity: out of place, in place; totals to variables and to a View.
struct scan_intervals {
  ragged<small_interval> in, inclusive, exclusive;
  small_interval* totals;
  fault_sink faults;
  std::size_t bytes;

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& team) const
  {
    using total          = Kokkos::View<small_interval, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto const here      = onepass::in_team(team, bytes);
    auto const items     = in(team);
    auto const before    = small_interval::of(-1, 0);
    std::int32_t const n = std::int32_t(items.extent(0));
    small_interval all, reduced;
    onepass::inclusive_scan(here, items, inclusive(team), join{faults}, before, all);
    if (!reaches(all, n)) faults.report(fault::gap);  // every thread has it
    onepass::reduce(here, inclusive(team), reduced, last_of_both{}, small_interval::of(-1, 0));
    if (!reaches(reduced, n)) faults.report(fault::swapped);
    onepass::exclusive_scan(here, exclusive(team), exclusive(team), join{faults}, before,
                            total(totals + team.league_rank()));
  }

  ONEPASS_FUNCTION static bool reaches(small_interval const& x, std::int32_t n)
  {
    return x.first == -1 && x.last == n && !x.broken();
  }

  struct last_of_both {
    ONEPASS_FUNCTION small_interval operator()(small_interval const&, small_interval const& newer) const
    {
      return newer;
    }
  };
};

TEST(team, scans_every_item_once_and_in_order)
{
  std::vector<small_interval> items, upto, before, totals;
  for (extent const n : sizes) {
    for (int i = 0; i < int(n); ++i) {
      items.push_back(small_interval::of(i, i + 1));
      upto.push_back(small_interval::of(-1, i + 1));
      before.push_back(small_interval::of(-1, i));
    }
    totals.push_back(small_interval::of(-1, int(n)));
  }
  guarded<int> const offsets(offsets_of_teams());
  auto const* const at = offsets.view().data();
  with_all_shapes([&](auto const& run) {
    faults const seen;
    guarded<small_interval> const in(items), inclusive(all_items), exclusive(items), all(league);
    constexpr auto bytes = onepass::team_scratch_bytes<small_interval>();
    run(bytes, scan_intervals{{at, in.view().data()},
                              {at, inclusive.view().data()},
                              {at, exclusive.view().data()},
                              all.view().data(),
                              seen.sink(),
                              bytes});
    EXPECT_EQ(inclusive.items(), upto);
    EXPECT_EQ(exclusive.items(), before);
    EXPECT_EQ(all.items(), totals);
    EXPECT_EQ(seen.text(), "");
    EXPECT_TRUE(inclusive.canaries_alive() && exclusive.canaries_alive() && all.canaries_alive());
  });
}

/// Sums of floats: scans of halves, by functions too, and reductions.
struct sum_floats {
  ragged<float> in, exclusive, inclusive;
  float *totals, *sums;
  std::size_t bytes;

  struct halve {
    ONEPASS_FUNCTION float operator()(float x) const { return x / 2; }
  };

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& team) const
  {
    auto const here  = onepass::in_team(team, bytes);
    auto const items = in(team), out = inclusive(team);
    float all, sum;
    onepass::transform_exclusive_scan(here, items, exclusive(team), halve{}, onepass::plus{}, .1f, all);
    onepass::inclusive_scan_each(
        here, extent(items.extent(0)), [&](extent i) { return items(i) / 2; }, [&](extent i, float x) { out(i) = x; },
        onepass::plus{}, .1f);
    onepass::transform_reduce(here, items, sum, halve{}, onepass::plus{}, .1f);
    if (here.rank() == 0) {
      totals[team.league_rank()] = all;
      sums[team.league_rank()]   = sum;
    }
  }
};

/// The expressions that team.hpp promises.
float sum_by_leaves(float const* x, extent n, float init, float* before_each, float* upto_each)
{
  constexpr extent leaf = 8, group = 128;
  float all = init;
  for (extent g = 0; g < n; g += group) {
    float before_leaf = -0.f;
    for (extent l = g; l < std::min(g + group, n); l += leaf) {
      float sum = -0.f, running = all + before_leaf;
      for (extent i = l; i < std::min(l + leaf, n); ++i) {
        before_each[i] = running;
        upto_each[i]   = running + x[i] / 2;
        running        = upto_each[i];
        sum            = sum + x[i] / 2;
      }
      before_leaf = before_leaf + sum;
    }
    all = all + before_leaf;
  }
  return all;
}

TEST(team, sums_of_floats_have_the_same_bits_in_every_team)
{
  random_words engine(seed());
  std::normal_distribution<float> normal(0, 1000);
  std::vector<float> items(static_cast<std::size_t>(all_items)), before(items), upto(items), totals;
  for (auto& x : items) x = normal(engine);
  for (std::size_t t = 0, first = 0; t < sizes.size(); first += std::size_t(sizes[t++]))
    totals.push_back(sum_by_leaves(items.data() + first, sizes[t], .1f, before.data() + first, upto.data() + first));
  guarded<int> const offsets(offsets_of_teams());
  auto const* const at = offsets.view().data();
  for (auto const bytes : {onepass::team_scratch_bytes<float>(), onepass::team_scratch_bytes<float>() / 3})
    with_all_shapes([&](auto const& run) {
      guarded<float> const in(items), exclusive(all_items), inclusive(all_items), all(league), sums(league);
      run(bytes, sum_floats{{at, in.view().data()},
                            {at, exclusive.view().data()},
                            {at, inclusive.view().data()},
                            all.view().data(),
                            sums.view().data(),
                            bytes});
      EXPECT_EQ(exclusive.items(), before) << "seed " << seed();
      EXPECT_EQ(inclusive.items(), upto) << "seed " << seed();
      EXPECT_EQ(all.items(), totals) << "seed " << seed();
      EXPECT_EQ(sums.items(), totals) << "seed " << seed();
    });
}

/// Nine numbers, which results of 8 bytes are made of.
struct nine {
  float of[9];
  KOKKOS_FUNCTION operator double() const { return double(of[8]); }
};
struct as_nine {
  KOKKOS_FUNCTION nine operator()(int x) const { return {{0, 0, 0, 0, 0, 0, 0, 0, float(x)}}; }
};
struct add_last {
  KOKKOS_FUNCTION nine operator()(nine const& a, nine const& b) const
  {
    return {{0, 0, 0, 0, 0, 0, 0, 0, a.of[8] + b.of[8]}};
  }
};

/// Scans with results of another alignment than the accumulator has, and of fewer items than none.
struct scan_the_unusual {
  unmanaged<double> out;  ///< of each team as many
  extent items;
  fault_sink faults;
  std::size_t bytes;

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& team) const
  {
    auto const here  = onepass::in_team(team, bytes);
    auto const first = items * team.league_rank();
    unmanaged<double> const results(out.data() + first, std::size_t(items));
    onepass::transform_inclusive_scan<nine>(here, onepass::counting<int>{0, items}, results, as_nine{}, add_last{});
    auto const same  = [](extent i) { return double(i); };
    auto const never = [&](extent, double) { faults.report(fault::gap); };
    double sum       = 1;
    onepass::scan_each(here, -1, same, never, onepass::plus{}, 5.0, sum);
    if (sum != 5) faults.report(fault::swapped);
    onepass::inclusive_scan_each(here, -items, same, never);
  }
};

TEST(team, scans_fewer_items_than_none_and_results_of_another_alignment)
{
  constexpr extent items = 1500;
  std::vector<double> expected;
  for (int team = 0; team < league; ++team)
    for (extent i = 0; i < items; ++i) expected.push_back(double(i * (i + 1) / 2));
  with_all_shapes([&](auto const& run) {
    faults const seen;
    guarded<double> const out(items * league);
    constexpr auto bytes = onepass::team_scratch_bytes<nine, double>();
    run(bytes, scan_the_unusual{out.view(), items, seen.sink(), bytes});
    EXPECT_EQ(out.items(), expected);
    EXPECT_EQ(seen.text(), "");
    EXPECT_TRUE(out.canaries_alive());
  });
}

// ---- selections

/// Selects in place, by flags to an output that is too short, positions, and positions by functions.
struct select_triples {
  ragged<triple> in, flagged;
  ragged<int> positions, places;
  extent* counts;
  fault_sink faults;
  std::size_t bytes;

  /// Some flags of every kind of stretch.
  struct flags_of {
    using value_type = bool;
    extent size;
    ONEPASS_FUNCTION bool operator()(extent i) const { return i % 3 == 1 || i / 100 % 2 == 1; }
  };

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& team) const
  {
    using count         = Kokkos::View<extent, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto const here     = onepass::in_team(team, bytes);
    auto const items    = in(team);
    auto const n        = items.extent(0);
    auto const reported = flagged(team);
    unmanaged<triple> const few(reported.data(), n / 4);
    int by_position, by_flag, by_function;
    onepass::select_indices(here, items, positions(team), by_position, below{100});
    onepass::select_flagged(here, items, flags_of{extent(n)}, few, by_flag);
    auto const place = places(team);
    onepass::select_each(
        here, extent(n), [&](extent i) { return items(i).key < 100; }, [&](extent i, extent k) { place(k) = int(i); },
        by_function);
    onepass::select_if(here, items, items, count(counts + 2 * team.league_rank()), below{100});
    if (here.rank() == 0) counts[2 * team.league_rank() + 1] = by_flag;
    if (by_position != by_function) faults.report(fault::gap);
  }
};

TEST(team, selects_in_order)
{
  auto const items = keyed_items<triple>(all_items);
  guarded<int> const offsets(offsets_of_teams());
  auto const* const at = offsets.view().data();
  with_all_shapes([&](auto const& run) {
    faults const seen;
    guarded<triple> const in(items), flagged(all_items);
    guarded<int> const positions(all_items), places(all_items);
    guarded<extent> const counts(2 * league);
    constexpr auto bytes = onepass::team_scratch_bytes<triple>();
    run(bytes, select_triples{{at, in.view().data()},
                              {at, flagged.view().data()},
                              {at, positions.view().data()},
                              {at, places.view().data()},
                              counts.view().data(),
                              seen.sink(),
                              bytes});
    auto const got = in.items(), chosen = flagged.items();
    auto const where = positions.items(), placed = places.items();
    auto const how_many = counts.items();
    for (std::size_t t = 0, first = 0; t < sizes.size(); first += std::size_t(sizes[t++])) {
      SCOPED_TRACE("n = " + std::to_string(sizes[t]) + ", seed " + std::to_string(seed()));
      extent kept = 0, marked = 0;
      for (extent i = 0; i < sizes[t]; ++i) {
        auto const& x = items[first + std::size_t(i)];
        if (x.key < 100) {
          ASSERT_EQ(got[first + std::size_t(kept)], x) << "item " << i;
          ASSERT_EQ(where[first + std::size_t(kept)], i);
          ASSERT_EQ(placed[first + std::size_t(kept)], i);
          ++kept;
        }
        if (select_triples::flags_of{}(i)) {
          if (marked < sizes[t] / 4) { ASSERT_EQ(chosen[first + std::size_t(marked)], x) << "item " << i; }
          ++marked;
        }
      }
      ASSERT_EQ(how_many[2 * t], kept);
      ASSERT_EQ(how_many[2 * t + 1], marked);
      for (extent i = sizes[t] / 4; i < sizes[t]; ++i)  // an output that is too short ends where it ends
        ASSERT_EQ(chosen[first + std::size_t(i)].key, 0xa5a5a5a5u);
    }
    EXPECT_EQ(seen.text(), "");
    EXPECT_TRUE(in.canaries_alive() && flagged.canaries_alive() && positions.canaries_alive());
  });
}

// ---- sorts

/// Sorts of triples by key in place; of keys' bits, descending, with values, to memory of the team; of floats.
struct sort_triples {
  ragged<triple> in;
  ragged<std::uint32_t> keys;
  ragged<std::uint16_t> values;
  ragged<float> floats;
  std::size_t bytes;

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& team) const
  {
    auto const here  = onepass::in_team(team, bytes, 1);  // more than level 0 has
    auto const items = in(team);
    onepass::merge_sort(here, items, items, [](triple const& a, triple const& b) { return a.key < b.key; });
    onepass::radix_sort_by_key(here, keys(team), values(team), {.descending = true, .begin_bit = 3, .end_bit = 11});
    onepass::radix_sort(here, floats(team));
  }
};

TEST(team, sorts_stably)
{
  auto const items = keyed_items<triple>(all_items);
  random_words engine(seed());
  std::normal_distribution<float> normal(0, 1000);
  std::vector<std::uint32_t> keys, sorted_keys(items.size());
  std::vector<std::uint16_t> values, sorted_values(items.size());
  std::vector<float> floats;
  for (std::size_t i = 0; i < items.size(); ++i) {
    keys.push_back(std::uint32_t(engine()));
    values.push_back(std::uint16_t(i));
    floats.push_back(normal(engine));
  }
  auto sorted        = items;
  auto sorted_floats = floats;
  auto const digit   = [](std::uint32_t key) { return key >> 3 & 255; };
  for (std::size_t t = 0, first = 0; t < sizes.size(); first += std::size_t(sizes[t++])) {
    auto const n = long(sizes[t]), from = long(first);
    std::stable_sort(sorted.begin() + from, sorted.begin() + from + n,
                     [](triple const& a, triple const& b) { return a.key < b.key; });
    std::sort(sorted_floats.begin() + from, sorted_floats.begin() + from + n);
    std::vector<std::size_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), first);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return digit(keys[a]) > digit(keys[b]); });
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted_keys[first + i]   = keys[order[i]];
      sorted_values[first + i] = values[order[i]];
    }
  }
  guarded<int> const offsets(offsets_of_teams());
  auto const* const at = offsets.view().data();
  with_all_shapes([&](auto const& run) {
    guarded<triple> const in(items);
    guarded<std::uint32_t> const k(keys);
    guarded<std::uint16_t> const v(values);
    guarded<float> const f(floats);
    auto const bytes = std::max(onepass::team_sort_scratch_bytes<triple>(3000),
                                onepass::team_sort_scratch_bytes<std::uint32_t, std::uint16_t>(3000));
    run(bytes,
        sort_triples{
            {at, in.view().data()}, {at, k.view().data()}, {at, v.view().data()}, {at, f.view().data()}, bytes},
        1);
    EXPECT_EQ(in.items(), sorted) << "seed " << seed();
    EXPECT_EQ(k.items(), sorted_keys) << "seed " << seed();
    EXPECT_EQ(v.items(), sorted_values) << "seed " << seed();
    EXPECT_EQ(f.items(), sorted_floats) << "seed " << seed();
    EXPECT_TRUE(in.canaries_alive() && k.canaries_alive() && v.canaries_alive() && f.canaries_alive());
  });
}

// ---- preconditions

template <class Space>
void expect_sentences()
{
  if constexpr (onepass::on_host<Space>) {  // what ends a kernel of a device ends the tests
    meeting barrier(1);
    std::vector<onepass::pack> scratch(100);
    std::vector<float> items(100);
    emulated const lone(barrier, 0, 1, 0, scratch);
    unmanaged<float> const all(items.data(), items.size()), few(items.data(), items.size() - 1);
    auto const little = onepass::in_team(lone, 64);
    float sum;
    EXPECT_DEATH(onepass::reduce(little, all, sum), "team_scratch_bytes");
    EXPECT_DEATH(onepass::radix_sort(little, all), "team_sort_scratch_bytes");
    EXPECT_DEATH(onepass::inclusive_scan(little, all, few), "the output of a team's scan is shorter than its input");
    EXPECT_DEATH(onepass::radix_sort(little, all, {.end_bit = 33}), "bits that its keys do not have");
  }
}

TEST(team, ends_the_program_with_a_sentence) { expect_sentences<exec_space>(); }

}  // namespace
