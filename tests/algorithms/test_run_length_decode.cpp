// SPDX-License-Identifier: Apache-2.0
// Run-length decoding.
#include "compaction.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/run_length.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

using namespace test;

namespace {

/// Symbols that are their own positions, so that a lost, repeated or swapped run is named, and what they expand to.
template <class T, class Length>
struct expanded {
  std::vector<Length> lengths;
  std::vector<T> symbols, items;

  explicit expanded(std::vector<Length> const& given)
      : lengths(given)
  {
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      symbols.push_back(T(r * 2654435761u + 1));
      for (extent j = 0; j < extent(lengths[r]); ++j) items.push_back(symbols.back());
    }
  }
  extent size() const { return extent(items.size()); }
};

template <class T, class Length>
void expect_expanded(expanded<T, Length> const& runs, extent room, extent shift = 0)
{
  guarded<T> const symbols(runs.symbols, 1), out(room, shift);
  guarded<Length> const lengths(runs.lengths);
  single<extent> const total(77);
  onepass::run_length_decode(row(), symbols.view(), lengths.view(), out.view(), total.view());
  ASSERT_EQ(total.value(), runs.size());
  ASSERT_NO_FATAL_FAILURE(expect_compacted(out, runs.items));
  ASSERT_TRUE(symbols.canaries_alive() && lengths.canaries_alive());
}

/// `runs` lengths of 0 in all but one of `every` places.
std::vector<int> mostly_empty(extent runs, extent every, int length)
{
  std::vector<int> lengths(std::size_t(runs), 0);
  for (extent r = every / 2; r < runs; r += every) lengths[std::size_t(r)] = length;
  return lengths;
}

TEST(run_length_decode, repeats_every_symbol_as_often_as_its_length_says)
{
  for (extent const n : edge_sizes<extent>())
    for (extent const mean : mean_lengths) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", mean length " + std::to_string(mean));
      ASSERT_NO_FATAL_FAILURE(expect_expanded(expanded<std::uint32_t, extent>(run_lengths(n, mean)), n, n % 5));
    }
}

template <class T, class Length>
void expect_types()
{
  std::vector<Length> lengths;
  for (extent const length : run_lengths(20011, 7)) lengths.push_back(Length(length));
  for (extent const shift : {0, 1, 3})
    ASSERT_NO_FATAL_FAILURE((expect_expanded(expanded<T, Length>(lengths), 20011, shift)));
}

TEST(run_length_decode, takes_items_and_lengths_of_every_width)
{
  expect_types<std::uint8_t, std::uint8_t>();
  expect_types<std::int16_t, std::uint32_t>();
  expect_types<double, std::int16_t>();
  expect_types<std::uint64_t, std::uint64_t>();
}

TEST(run_length_decode, passes_over_empty_runs)
{
  for (auto const& lengths :
       {mostly_empty(5000, 64, 1), mostly_empty(5000, 65, 130), mostly_empty(30000, 1000, 3000),
        mostly_empty(1000, 2000, 5000), mostly_empty(777, 3, 2), std::vector<int>(500, 0), std::vector<int>{}}) {
    expanded<std::uint32_t, int> const runs(lengths);
    ASSERT_NO_FATAL_FAILURE(expect_expanded(runs, runs.size() + 9));
  }
}

TEST(run_length_decode, counts_negative_lengths_as_none)
{
  guarded<int> const symbols(std::vector<int>{1, 2, 3}), lengths(std::vector<int>{2, -5, 1}), out(4);
  single<int> const total;
  onepass::run_length_decode(row(), symbols.view(), lengths.view(), out.view(), total.view());
  EXPECT_EQ(total.value(), 3);
  expect_compacted(out, {1, 1, 3});
}

TEST(run_length_decode, writes_nothing_behind_a_short_output_and_says_how_long_it_should_be)
{
  expanded<std::uint32_t, extent> const runs(run_lengths(10007, 30));
  for (extent const room : {0, 1, 63, 64, 65, 5000, 10006}) ASSERT_NO_FATAL_FAILURE(expect_expanded(runs, room));

  // More than any memory holds: a sum of 2^62.
  guarded<extent> const lengths(std::vector<extent>{3, extent(1) << 61, extent(1) << 61, 5});
  guarded<char> const symbols(std::vector<char>{'a', 'b', 'c', 'd'}), out(1000);
  single<extent> const total;
  onepass::run_length_decode(row(), symbols.view(), lengths.view(), out.view(), total.view());
  EXPECT_EQ(total.value(), (extent(1) << 62) + 8);
  std::vector<char> expected(1000, 'b');
  std::fill_n(expected.begin(), 3, 'a');
  expect_compacted(out, expected);
}

/// Expands runs that no memory holds into `room` positions.
template <class T, class Length>
void expect_bounded(std::vector<Length> const& lengths, extent room)
{
  SCOPED_TRACE(std::to_string(lengths.size()) + " runs, room for " + std::to_string(room));
  std::vector<T> symbols, expected;
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    symbols.push_back(T(r * 2654435761u + 1));
    auto const left = std::uint64_t(room) - expected.size();
    expected.insert(expected.end(), std::min(left, std::uint64_t(lengths[r])), symbols.back());
  }
  guarded<T> const from(symbols), out(room, 1);
  guarded<Length> const how_long(lengths);
  single<extent> const total;
  onepass::run_length_decode(row(), from.view(), how_long.view(), out.view(), total.view());
  EXPECT_EQ(total.value(), std::numeric_limits<extent>::max());
  expect_compacted(out, expected);
}

template <class Length>
void expect_bounded_sums()
{
  constexpr Length most = std::numeric_limits<Length>::max();
  std::vector<Length> many(std::size_t(40000), most);
  many[1] = 0;
  for (std::size_t r = 70; r < 140; ++r) many[r] = Length(r % 3);
  std::vector<Length> late(std::size_t(40000), 1);
  std::fill(late.begin() + 3001, late.end(), most / 2);
  for (extent const room : {1, 8, 1000, 20000}) {
    for (auto const& lengths : {std::vector<Length>{most, 5}, std::vector<Length>{3, most, 5},
                                std::vector<Length>{3, most - 1, 2, 0, most, most}, many, late}) {
      ASSERT_NO_FATAL_FAILURE((expect_bounded<std::uint32_t>(lengths, room)));
      ASSERT_NO_FATAL_FAILURE((expect_bounded<std::uint8_t>(lengths, room)));
    }
    std::reverse(many.begin(), many.end());
  }
}

TEST(run_length_decode, writes_nowhere_else_where_lengths_add_up_to_more_than_positions)
{
  expect_bounded_sums<extent>();
  expect_bounded_sums<std::uint64_t>();
}

TEST(run_length_decode, undoes_an_encoder_whose_number_of_runs_stays_on_the_device)
{
  for (extent const n : {extent(0), extent(1), many_tiles<std::uint32_t>()})
    for (extent const mean : mean_lengths) {
      auto const items =
          items_of_runs<std::uint32_t>(run_lengths(n, mean), [](extent, extent r) { return std::uint32_t(r % 3); });
      guarded<std::uint32_t> const in(items), symbols(n), out(n);
      guarded<int> const lengths(n);
      single<extent> const runs, total(77);
      onepass::run_length_encode(row(), in.view(), symbols.view(), lengths.view(), runs.view());
      onepass::run_length_decode(row(), onepass::first(symbols.view(), runs.view()), lengths.view(), out.view(),
                                 total.view());
      ASSERT_EQ(total.value(), n);
      ASSERT_NO_FATAL_FAILURE(expect_compacted(out, items));
    }
}

TEST(run_length_decode, gives_positions_of_a_counting_sequence)
{
  std::vector<int> const lengths{2, 0, 3, 1};
  guarded<int> const on_device(lengths), rows(6);
  single<unsigned> const total;
  onepass::run_length_decode(row(), onepass::counting<int>{0, 4}, on_device.view(), rows.view(), total.view());
  EXPECT_EQ(total.value(), 6u);
  expect_compacted(rows, {0, 0, 2, 2, 2, 3});
}

TEST(run_length_decode, waits_for_nothing_and_allocates_nothing_with_a_workspace)
{
  exec_space const exec;
  onepass::workspace<exec_space> scratch(exec);
  expanded<std::uint32_t, extent> const runs(run_lengths(5000, 3));
  guarded<std::uint32_t> const symbols(runs.symbols), out(5000);
  guarded<extent> const lengths(runs.lengths);
  single<extent> const total;
  auto const call = [&] {
    onepass::run_length_decode(row(exec).with(scratch), symbols.view(), lengths.view(), out.view(), total.view());
  };
  expect_discipline_of(call, exec, "", !onepass::on_host<exec_space>);
}

TEST(run_length_decode, works_in_memory_that_the_user_gives)
{
  exec_space const exec;
  expanded<std::uint32_t, extent> const runs(run_lengths(300000, 3));
  guarded<std::uint32_t> const symbols(runs.symbols), out(300000);
  guarded<extent> const lengths(runs.lengths);
  single<extent> const total;
  guarded<std::uint64_t> const enough(20000), little(20);
  auto const decode = [&](auto const& memory) {
    onepass::workspace<exec_space> scratch(exec, memory);
    onepass::run_length_decode(row(exec).with(scratch), symbols.view(), lengths.view(), out.view(), total.view());
  };
  expect_says(refusal([&] { decode(little.view()); }), {"workspace", "give more"});
  decode(enough.view());
  expect_compacted(out, runs.items);
  EXPECT_TRUE(enough.canaries_alive() && little.canaries_alive());
}

TEST(run_length_decode, refuses_shared_memory_and_too_few_lengths)
{
  guarded<int> const data(std::vector<int>(100, 1)), lengths(std::vector<int>(100, 1)), out(100);
  single<extent> const total(77);
  auto const decode = [&](auto const& s, auto const& l, auto const& o) {
    return refusal([&] { onepass::run_length_decode(row(), s, l, o, total.view()); });
  };
  unmanaged<int> const few = Kokkos::subview(lengths.view(), std::pair(0, 99));
  expect_says(decode(data.view(), lengths.view(), data.view()), {"run_length_decode", "shares"});
  expect_says(decode(data.view(), lengths.view(), lengths.view()), {"run_length_decode", "shares"});
  expect_says(decode(data.view(), few, out.view()), {"run_length_decode", "99 lengths for 100 symbols"});
  for (auto const& of : {data.view(), lengths.view(), out.view()})
    expect_says(
        refusal([&] { onepass::run_length_decode(row(), data.view(), lengths.view(), out.view(), item_of(of, 7)); }),
        {"run_length_decode", "shares"});
  guarded<extent> const positions(std::vector<extent>(100, 1));
  auto const some = onepass::first(data.view(), item_of(positions.view(), 3));
  expect_says(decode(some, lengths.view(), positions.view()), {"run_length_decode", "shares"});
  EXPECT_TRUE(out.untouched());
  EXPECT_EQ(positions.items(), std::vector<extent>(100, 1));
  EXPECT_EQ(total.value(), 77);
}

}  // namespace
