// SPDX-License-Identifier: Apache-2.0
// Views that begin anywhere: whatever loads and stores whole words of 16 bytes meets some that it must not touch.
#include "compaction.hpp"
#include "inputs.hpp"
#include "sizes.hpp"

#include <onepass/partition.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/select.hpp>
#include <onepass/unique.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

using namespace test;

namespace {

/// Calls f(n, in, out) for inputs and outputs that begin so many items behind an aligned address.
template <class... Items, class F>
void for_all_shifts(F const& f)
{
  auto sizes = some_sizes<Items...>();
  sizes.insert(sizes.end(), {0, 2, 5, 15, 16, 63, 257});
  for (extent const n : sizes)
    for (extent const in : {0, 1, 2, 3, 7, 15})
      for (extent const out : {extent(0), extent(1), extent(3), in}) {
        if (n > 100000 && in != 1) continue;  // one of each kind: output aligned, as the input, and not as it
        SCOPED_TRACE("n = " + std::to_string(n) + ", in + " + std::to_string(in) + ", out + " + std::to_string(out));
        f(n, in, out);
        if (testing::Test::HasFatalFailure()) return;
      }
}

template <class T>
class unaligned : public testing::Test {};
using types = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(unaligned, types);

TYPED_TEST(unaligned, scans)
{
  using T = TypeParam;
  for_all_shifts<T>([](extent n, extent at, extent to) {
    auto const items = random_items<T>(n);
    std::vector<T> before(items.size()), through(items.size());
    std::exclusive_scan(items.begin(), items.end(), before.begin(), T(3), [](T a, T b) { return T(a + b); });
    std::inclusive_scan(items.begin(), items.end(), through.begin(), [](T a, T b) { return T(a + b); });
    guarded<T> const in(items, at), out(n, to), data(items, at);
    single<T> const total;
    onepass::exclusive_scan(row(), in.view(), out.view(), onepass::plus{}, T(3), total.view());
    ASSERT_EQ(out.items(), before);
    ASSERT_EQ(total.value(), T(std::accumulate(items.begin(), items.end(), T(3))));
    onepass::inclusive_scan(row(), data.view(), data.view());
    ASSERT_EQ(data.items(), through);
    ASSERT_EQ(in.items(), items);
    ASSERT_TRUE(in.canaries_alive() && out.canaries_alive() && data.canaries_alive());
  });
}

TYPED_TEST(unaligned, selections_and_partitions)
{
  using T = TypeParam;
  for_all_shifts<T>([](extent n, extent at, extent to) {
    auto const items = keyed_items<T>(n);
    below const keep{100};
    auto const is = kept(items, keep), is_not = kept(items, std::not_fn(keep));
    guarded<T> const in(items, at), selected(n, to), out(n, to), others(n, at);
    single<extent> const count(77);
    onepass::select_if(row(), in.view(), selected.view(), count.view(), keep);
    ASSERT_EQ(count.value(), extent(is.size()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(selected, is));
    onepass::partition_if(row(), in.view(), out.view(), others.view(), count.view(), keep);
    ASSERT_EQ(count.value(), extent(is.size()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(out, is));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(others, is_not));
    ASSERT_TRUE(in.canaries_alive());
  });
}

struct third {
  template <class T>
  ONEPASS_FUNCTION int operator()(T const& x) const
  {
    return int(key_of(x) % 3);
  }
};

TYPED_TEST(unaligned, partitions_in_three)
{
  using T = TypeParam;
  for_all_shifts<T>([](extent n, extent at, extent to) {
    auto const items = keyed_items<T>(n);
    auto const part  = [&](int which) { return kept(items, [=](T const& x) { return third{}(x) == which; }); };
    guarded<T> const in(items, at), first(n, to), second(n, 1), last(n, at);
    guarded<int> const counts(3);
    onepass::partition_three_way(row(), in.view(), first.view(), second.view(), last.view(), counts.view(), third{});
    ASSERT_EQ(counts.items(), (std::vector<int>{int(part(0).size()), int(part(1).size()), int(part(2).size())}));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(first, part(0)));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(second, part(1)));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(last, part(2)));
  });
}

TYPED_TEST(unaligned, runs)
{
  using T = TypeParam;
  for_all_shifts<T>([](extent n, extent at, extent to) {
    auto const lengths = run_lengths(n, 3);
    auto const items   = items_of_runs<T>(lengths, [](extent, extent r) { return T(r * 7); });
    std::vector<T> heads;
    for (std::size_t r = 0; r < lengths.size(); ++r) heads.push_back(T(r * 7));
    guarded<T> const in(items, at), out(n, to), symbols(n, at);
    guarded<extent> const counts(n, to);
    single<extent> const count(77);
    onepass::unique(row(), in.view(), out.view(), count.view());
    ASSERT_EQ(count.value(), extent(heads.size()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(out, heads));
    onepass::run_length_encode(row(), in.view(), symbols.view(), counts.view(), count.view());
    ASSERT_EQ(count.value(), extent(heads.size()));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(symbols, heads));
    ASSERT_NO_FATAL_FAILURE(expect_compacted(counts, lengths));
  });
}

/// Pairs of arrays: where both begin alike a tile has both in whole words, otherwise not.
TYPED_TEST(unaligned, sums_by_key)
{
  using T = TypeParam;
  for_all_shifts<T, std::uint32_t>([](extent n, extent at, extent to) {
    auto const lengths = run_lengths(n, 3);
    auto const keys    = items_of_runs<std::uint32_t>(lengths, [](extent, extent r) { return std::uint32_t(r); });
    auto const values  = random_items<T>(n);
    std::vector<std::uint32_t> heads(lengths.size());
    std::iota(heads.begin(), heads.end(), 0);
    std::vector<T> expected_sums(lengths.size()), expected_scans;
    for (extent i = 0; i < n; ++i) {
      T& sum = expected_sums[keys[std::size_t(i)]];
      sum    = T(sum + values[std::size_t(i)]);
      expected_scans.push_back(sum);
    }
    guarded<std::uint32_t> const in(keys, at), keys_out(n, to);
    for (extent const values_at : {at, extent(1)}) {
      guarded<T> const beside(values, values_at), sums(n, to), scans(n, to);
      single<extent> const count(77);
      onepass::reduce_by_key(row(), in.view(), beside.view(), keys_out.view(), sums.view(), count.view());
      ASSERT_EQ(count.value(), extent(lengths.size()));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(keys_out, heads));
      ASSERT_NO_FATAL_FAILURE(expect_compacted(sums, expected_sums));
      onepass::inclusive_scan_by_key(row(), in.view(), beside.view(), scans.view());
      ASSERT_EQ(scans.items(), expected_scans);
      ASSERT_TRUE(scans.canaries_alive());
    }
  });
}

}  // namespace
