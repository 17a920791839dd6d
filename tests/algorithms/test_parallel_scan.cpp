// SPDX-License-Identifier: Apache-2.0
// Functors of Kokkos, against Kokkos itself, std:: and the interval witness.
#include "guarded.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "refusal.hpp"
#include "sizes.hpp"
#include "witness.hpp"

#include <onepass/parallel_scan.hpp>
#include <onepass/scan.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <numeric>
#include <thread>

using namespace test;

namespace {

template <class T>
using values = unmanaged<T>;

/// Counts to offsets, the inclusive sums of which go to another array.
template <class T>
struct sums {
  values<T> in, exclusive, inclusive;

  template <class Index>
  KOKKOS_FUNCTION void operator()(Index const i, T& update, bool const is_final) const
  {
    if (is_final) exclusive(i) = update;
    update += in(i);
    if (is_final) inclusive(i) = update;
  }
};

template <class Index = extent>
auto here(extent begin, extent end, exec_space const& exec = {})
{
  return onepass::range_policy<void, Index>(row(exec), Index(begin), Index(end));
}

template <class T>
class parallel_scan_of : public testing::Test {};
using numbers = testing::Types<std::uint8_t, std::int32_t, std::uint64_t, double>;
TYPED_TEST_SUITE(parallel_scan_of, numbers);

TYPED_TEST(parallel_scan_of, functors_gives_the_bits_that_kokkos_gives)
{
  using T = TypeParam;
  for (extent const n : edge_sizes<T>()) {
    SCOPED_TRACE("n = " + std::to_string(n));
    std::vector<T> items;  // whole numbers, whose sums any order gives
    for (auto const x : random_items<std::uint8_t>(n)) items.push_back(T(x));
    guarded<T> const in(items), out(n), through(n), their_out(n), their_through(n);
    single<T> const total;
    onepass::parallel_scan("sums", here(0, n), sums<T>{in, out, through}, total.view());
    std::vector<T> before(items.size()), up_to(items.size());
    std::exclusive_scan(items.begin(), items.end(), before.begin(), T(0));
    std::inclusive_scan(items.begin(), items.end(), up_to.begin());
    ASSERT_TRUE(out.items() == before);
    ASSERT_TRUE(through.items() == up_to);
    ASSERT_EQ(total.value(), n > 0 ? up_to.back() : T(0));
    if constexpr (sizeof(T) > 1) {  // of bytes, Kokkos 4.7 gives another total at times on CUDA
      T theirs{};
      Kokkos::parallel_scan("sums", Kokkos::RangePolicy<exec_space>(0, n), sums<T>{in, their_out, their_through},
                            theirs);
      ASSERT_TRUE(their_out.items() == before);
      ASSERT_TRUE(their_through.items() == up_to);
      ASSERT_EQ(total.value(), theirs);
    }
    EXPECT_TRUE(out.canaries_alive() && through.canaries_alive());
  }
}

/// Keeps every item whose flag is set, with its index, by side effects alone.
struct compaction {
  using value_type = std::uint32_t;

  values<std::uint8_t> flags;
  values<std::uint32_t> kept;
  extent first;

  KOKKOS_FUNCTION void operator()(extent i, value_type& place, bool is_final) const
  {
    if (flags(i - first) % 3 == 0) return;
    if (is_final) kept(place) = std::uint32_t(i);
    ++place;
  }
};

TEST(parallel_scan, lets_a_functor_write_where_it_wants)
{
  extent const first = -5;
  for (extent const n : some_sizes<std::uint32_t>()) {
    auto const flags = random_items<std::uint8_t>(n);
    std::vector<std::uint32_t> expected;
    for (extent i = 0; i < n; ++i)
      if (flags[std::size_t(i)] % 3 != 0) expected.push_back(std::uint32_t(i + first));
    guarded<std::uint8_t> const in(flags);
    guarded<std::uint32_t> const out{extent(expected.size())};
    std::uint32_t total = 7;
    onepass::parallel_scan("compaction", here(first, first + n), compaction{in, out, first}, total);
    EXPECT_EQ(total, expected.size());
    EXPECT_TRUE(out.items() == expected) << "n = " << n;
    EXPECT_TRUE(out.canaries_alive());
  }
}

/// The interval witness as a functor with a join and an init, chosen by a tag: untagged members would fail.
template <class Interval>
struct neighbours_by_tag {
  using value_type = Interval;
  struct scan {};

  test::join joined;
  values<Interval> out;

  KOKKOS_FUNCTION void init(scan, Interval& x) const { x = Interval::of(-1, -1); }
  KOKKOS_FUNCTION void join(scan, Interval& older, Interval const& newer) const
  {
    if (is_nothing(newer)) return;
    older = is_nothing(older) ? newer : joined(older, newer);
  }
  KOKKOS_FUNCTION void operator()(scan, std::uint64_t i, Interval& update, bool is_final) const
  {
    auto const k = std::int32_t(i - begin);
    join(scan{}, update, Interval::of(k, k + 1));
    if (is_final) out(k) = update;
  }

  KOKKOS_FUNCTION static bool is_nothing(Interval const& x) { return x.last < 0; }  // its == is the host's alone

  static constexpr std::uint64_t begin = std::uint64_t(1) << 40;  // indices beyond 32 bits
};

template <class Interval>
class parallel_scan_witness : public testing::Test {};
using intervals = testing::Types<small_interval, large_interval>;
TYPED_TEST_SUITE(parallel_scan_witness, intervals);

TYPED_TEST(parallel_scan_witness, joins_neighbours_in_order_and_takes_each_index_once)
{
  using functor = neighbours_by_tag<TypeParam>;
  for (extent const n : edge_sizes<TypeParam>()) {
    faults const seen;
    guarded<TypeParam> const out(n);
    single<TypeParam> const total;
    auto const first = functor::begin, last = first + std::uint64_t(n);
    auto const range = onepass::range_policy<typename functor::scan, std::uint64_t>(row(), first, last);
    onepass::parallel_scan("witness", range, functor{{seen.sink()}, out}, total.view());
    EXPECT_EQ(seen.text(), "") << "n = " << n;
    EXPECT_EQ(total.value(), n > 0 ? TypeParam::of(0, std::int32_t(n)) : TypeParam::of(-1, -1)) << "n = " << n;
    auto const got = out.items();
    for (extent i = 0; i < n; ++i)
      ASSERT_EQ(got[std::size_t(i)], TypeParam::of(0, std::int32_t(i + 1))) << "at " << i << " of " << n;
    EXPECT_TRUE(out.canaries_alive());
  }
}

/// The largest so far: an init that is no zero, and joins that are no sums.
struct largest_so_far {
  using value_type = int;
  values<int> in, out;

  KOKKOS_FUNCTION void init(int& x) const { x = -1000; }
  KOKKOS_FUNCTION void join(int& older, int const& newer) const { older = older < newer ? newer : older; }
  KOKKOS_FUNCTION void operator()(int i, int& update, bool is_final) const
  {
    if (in(i) > update) update = in(i);
    if (is_final) out(i) = update;
  }
};

struct one_each {
  KOKKOS_FUNCTION void operator()(int, int& update, bool) const { ++update; }
};

/// A class of a larger code: its kernels are operators that tags choose, and it names no type of a value.
struct many_kernels {
  struct even {};
  struct thirds {};
  values<std::int64_t> out;
  values<std::int32_t> other;

  KOKKOS_FUNCTION void operator()(even, int i, std::int64_t& update, bool const& is_final) const
  {
    if (i % 2 == 0) ++update;
    if (is_final) out(i) = update;
  }
  KOKKOS_FUNCTION void operator()(thirds const&, int const i, std::int32_t& update, bool const is_final) const
  {
    if (i % 3 == 0) ++update;
    if (is_final) other(i) = update;
  }
  KOKKOS_FUNCTION void operator()(even, int) const {}
};

TEST(parallel_scan, finds_the_update_of_the_operator_that_a_tag_chooses)
{
  extent const n = some_sizes<int>().back();
  guarded<std::int64_t> const out(n);
  guarded<std::int32_t> const other(n);
  many_kernels const kernels{out, other};
  onepass::parallel_scan("even", onepass::range_policy<many_kernels::even, int>(row(), 0, int(n)), kernels);
  onepass::parallel_scan("thirds", onepass::range_policy<many_kernels::thirds, int>(row(), 0, int(n)), kernels);
  auto const evens  = out.items();
  auto const thirds = other.items();
  for (extent i = 0; i < n; ++i) {
    ASSERT_EQ(evens[std::size_t(i)], i / 2 + 1) << i;
    ASSERT_EQ(thirds[std::size_t(i)], i / 3 + 1) << i;
  }
}

TEST(parallel_scan, of_nothing_gives_what_init_makes)
{
  guarded<int> const none(0);
  int largest = 5, sum = 5;
  auto const inverted = here<int>(3, 1);
  onepass::parallel_scan(inverted, largest_so_far{none, none}, largest);
  onepass::parallel_scan(inverted, one_each{}, sum);
  EXPECT_EQ(largest, -1000);
  EXPECT_EQ(sum, 0);
  single<int> const total(5);
  onepass::parallel_scan(here<int>(0, 0), largest_so_far{none, none}, total.view());
  EXPECT_EQ(total.value(), -1000);
}

TEST(parallel_scan, uses_the_functors_init_and_join)
{
  for (extent const n : some_sizes<int>()) {
    auto items = random_items<int>(n);
    for (auto& x : items) x = -500 + x % 400;
    auto expected = items;
    std::inclusive_scan(items.begin(), items.end(), expected.begin(), [](int a, int b) { return std::max(a, b); });
    guarded<int> const in(items), out(n);
    single<int> const total;
    onepass::parallel_scan("largest", here<int>(0, n), largest_so_far{in, out}, total.view());
    EXPECT_TRUE(out.items() == expected) << "n = " << n;
    EXPECT_EQ(total.value(), expected.back());
  }
}

KOKKOS_FUNCTION std::uint32_t slow_word(extent i)
{
  std::uint32_t word = std::uint32_t(i);
  for (int turn = 0; turn < 200; turn++) word = word * 1664525u + 1013904223u;
  return word;
}

/// Takes so long for each item that it is worth to wake a thread for a hundred of them, and counts its final calls.
struct slow_compaction {
  compaction quick;
  values<std::uint32_t> calls;

  KOKKOS_FUNCTION void operator()(extent i, std::uint32_t& place, bool is_final) const
  {
    if (slow_word(i) == 0) return;  // never, which the compiler does not see: the sequence has each word once
    quick(i, place, is_final);
    if (is_final) ++calls(i);
  }
};

TEST(parallel_scan, shares_slow_items_among_threads)
{
  for (extent const n : {1, 19, 129, 600, 5000})
    for (int turn = 0; turn < 20; turn++) {
      auto const flags = random_items<std::uint8_t>(n);
      std::vector<std::uint32_t> expected;
      for (extent i = 0; i < n; ++i)
        if (flags[std::size_t(i)] % 3 != 0) expected.push_back(std::uint32_t(i));
      guarded<std::uint8_t> const in(flags);
      guarded<std::uint32_t> const out{extent(expected.size())}, calls(std::vector<std::uint32_t>(std::size_t(n), 0));
      std::uint32_t total = 7;
      onepass::parallel_scan("slow compaction", here(0, n), slow_compaction{{in, out, 0}, calls}, total);
      ASSERT_EQ(total, expected.size());
      ASSERT_TRUE(out.items() == expected) << "n = " << n;
      ASSERT_TRUE(calls.items() == std::vector<std::uint32_t>(std::size_t(n), 1)) << "n = " << n;
      EXPECT_TRUE(out.canaries_alive() && calls.canaries_alive());
    }
}

/// Counts slow items, and calls by other threads than the one that scans.
struct slow_callers {
  std::thread::id caller;
  std::atomic<int>* others;

  KOKKOS_FUNCTION void operator()(extent i, std::uint32_t& count, bool) const
  {
    count += slow_word(i) != 0;
    KOKKOS_IF_ON_HOST((if (std::this_thread::get_id() != caller) others->fetch_add(1, std::memory_order_relaxed);))
  }
};

/// No single call can be asked for that: a thread that comes too late is done without, for some calls.
TEST(parallel_scan, wakes_threads_for_slow_items)
{
  using backend = onepass::backend_of<decltype(row())>;
  if (!std::is_same_v<backend, onepass::host_backend> || exec_space().concurrency() == 1) GTEST_SKIP();
  for (std::string const label : {"slow", ""}) {
    std::atomic<int> others = 0;
    std::uint32_t total     = 0;
    kernel_log const log;
    for (int turn = 0; turn < 2000 && others == 0; ++turn)
      onepass::parallel_scan(label, here(0, 5000), slow_callers{std::this_thread::get_id(), &others}, total);
    EXPECT_EQ(total, 5000u);
    EXPECT_GT(others, 0) << "the calling thread did all";
    for (auto const& kernel : log.kernels) EXPECT_EQ(kernel.label, label.empty() ? "onepass::parallel_scan" : label);
  }
}

struct ones_before {
  Kokkos::View<int*, memory_space> out;
  KOKKOS_FUNCTION void operator()(int i, int& update, bool is_final) const
  {
    if (is_final) out(i) = update;
    ++update;
  }
};

TEST(parallel_scan, takes_what_kokkos_takes)
{
  constexpr int n = 1000;
  Kokkos::View<int*, memory_space> const out("out", n);
  ones_before const ones{out};
  auto const last = [&] { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, out)(n - 1); };
  exec_space const exec;
  using chunked = Kokkos::RangePolicy<exec_space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<unsigned>>;
  int total     = 0;
  onepass::parallel_scan("label", chunked(exec, 500u, unsigned(n), Kokkos::ChunkSize(16)), ones, total);
  EXPECT_EQ(total, 500);
  exec.fence();
  EXPECT_EQ(last(), 499);
  onepass::parallel_scan(Kokkos::RangePolicy<exec_space>(0, n), ones);
  exec.fence();
  EXPECT_EQ(last(), 999);
  onepass::parallel_scan("label", Kokkos::RangePolicy<exec_space>(exec, 0, n), onepass::reading<4>(ones), total);
  EXPECT_EQ(total, n);
  if constexpr (std::is_same_v<exec_space, Kokkos::DefaultExecutionSpace>) {
    onepass::parallel_scan("label", 900, ones);
    onepass::parallel_scan(900, ones, total);
    EXPECT_EQ(total, 900);
    enum { many = 70 };
    onepass::parallel_scan("label", many, ones, total);
    EXPECT_EQ(total, 70);
    onepass::parallel_scan(-5, ones, total);
    EXPECT_EQ(total, 0);
    enum letters : char { many_letters = 'b' };
    onepass::parallel_scan("label", 'a', ones, total);
    EXPECT_EQ(total, 'a');
    onepass::parallel_scan(L'c', ones, total);
    EXPECT_EQ(total, 'c');
    onepass::parallel_scan(many_letters, ones, total);
    EXPECT_EQ(total, 'b');
    onepass::parallel_scan(true, ones, total);
    EXPECT_EQ(total, 1);
    onepass::parallel_scan(1e3, ones, total);
    EXPECT_EQ(total, 1000);
    onepass::parallel_scan("label", std::integral_constant<int, 5>{}, ones, total);
    EXPECT_EQ(total, 5);
    EXPECT_THROW(onepass::parallel_scan(~std::uint64_t(0), ones), onepass::precondition_error);
    if constexpr (sizeof(Kokkos::RangePolicy<exec_space>::index_type) < 8) {
      auto const said = refusal([&] { onepass::parallel_scan(extent(5'000'000'000), ones, total); });
      EXPECT_NE(said.find("5000000000 indices"), std::string::npos) << said;
    }
  }
}

struct sums_in_place {
  unmanaged<std::uint32_t> x;
  KOKKOS_FUNCTION void operator()(extent i, std::uint32_t& update, bool is_final) const
  {
    auto const own = x(i);
    if (is_final) x(i) = update;
    update += own;
  }
};

TEST(parallel_scan, is_right_in_place)
{
  for (extent const n : some_sizes<std::uint32_t>()) {
    auto const items = random_items<std::uint32_t>(n);
    auto expected    = items;
    std::exclusive_scan(items.begin(), items.end(), expected.begin(), 0u);
    guarded<std::uint32_t> const data(items);
    if (onepass::takes_two_passes(row())) continue;
    onepass::parallel_scan("in place", here(0, n), sums_in_place{data.view()});
    EXPECT_TRUE(data.items() == expected) << "n = " << n;
  }
}

TEST(parallel_scan, waits_for_nothing_where_its_total_is_a_view)
{
  auto const instances = Kokkos::Experimental::partition_space(exec_space{}, 1, 1);
  for (extent const n : some_sizes<int>())
    for (auto const& mine : instances) {
      guarded<int> const in(std::vector<int>(std::size_t(n), 1)), out(n), through(n);
      single<int> const total;
      onepass::workspace<exec_space> scratch(mine);
      auto const range = onepass::range_policy(row(mine).with(scratch), 0, n);
      auto const call  = [&] { onepass::parallel_scan("sums", range, sums<int>{in, out, through}, total.view()); };
      SCOPED_TRACE("n = " + std::to_string(n));
      expect_discipline_of(call, mine, "sums");
      EXPECT_EQ(total.value(), n);

      int on_host = 0;
      onepass::parallel_scan("sums", range, sums<int>{in, out, through}, on_host);  // plain memory grows here
      on_host = 0;
      {
        kernel_log const log;
        onepass::parallel_scan("sums", range, sums<int>{in, out, through}, on_host);
        EXPECT_EQ(log.allocations, std::vector<std::string>{});
      }
      EXPECT_EQ(on_host, n);
    }
}

TEST(parallel_scan, canonically_gives_floats_the_bits_of_the_canonical_scan)
{
  extent const n = 300001;
  std::vector<double> items;
  for (auto const x : random_items<std::uint32_t>(n)) items.push_back(1.0 / (1 + x));
  guarded<double> const in(items), out(n), through(n), expected(n);
  single<double> const total, expected_total;
  auto const place = onepass::canonically(exec_space{});
  onepass::parallel_scan(onepass::range_policy(place, 0, n), sums<double>{in, out, through}, total.view());
  onepass::exclusive_scan(place, in.view(), expected.view(), onepass::plus{}, 0.0, expected_total.view());
  auto const got = out.items(), wanted = expected.items();
  for (extent i = 0; i < n; ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(got[std::size_t(i)]), std::bit_cast<std::uint64_t>(wanted[std::size_t(i)]))
        << i;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(total.value()), std::bit_cast<std::uint64_t>(expected_total.value()));
}

struct sum_of_positions {
  KOKKOS_FUNCTION void operator()(extent i, std::uint64_t& update, bool) const { update += std::uint64_t(i); }
};

/// Counts the calls of each index, and how many are not final, or come too late.
struct calls_of_index {
  values<int> first, last, late;
  KOKKOS_FUNCTION void operator()(int i, int& update, bool is_final) const
  {
    if (last(i) > 0) Kokkos::atomic_inc(&late(0));
    Kokkos::atomic_inc(is_final ? &last(i) : &first(i));
    ++update;
  }
};

/// None, one or two calls that are not final, and then the final one. One thread that walks through all makes no other.
TEST(parallel_scan, calls_each_index_finally_once_and_before_that_at_most_twice)
{
  auto const look = [](auto const& place, int n, int most) {
    std::vector<int> const zeros(std::size_t(n), 0);
    guarded<int> const first(zeros), last(zeros), late(std::vector<int>(1, 0));
    int total = 0;
    onepass::parallel_scan(onepass::range_policy<void, int>(place, 0, n), calls_of_index{first, last, late}, total);
    EXPECT_EQ(total, n);
    EXPECT_EQ(late.items()[0], 0) << "calls after the final one, n = " << n;
    EXPECT_EQ(last.items(), std::vector<int>(std::size_t(n), 1)) << "n = " << n;
    for (int const calls : first.items()) ASSERT_LE(calls, most) << "n = " << n;
  };
  for (extent const n : some_sizes<int>()) {
    int const n_int = int(std::max<extent>(n, 1));
    look(row(), n_int, onepass::takes_two_passes(row()) ? 2 : 1);
    look(onepass::canonically(exec_space{}), n_int, 2);
    if constexpr (onepass::on_host<exec_space>) look(onepass::serially(), n_int, 0);
  }
}

TEST(parallel_scan, may_be_called_by_several_host_threads_at_once)
{
  extent const n = some_sizes<std::uint64_t>().back();
  std::vector<std::uint64_t> totals(4);
  std::vector<std::thread> threads;
  for (auto& total : totals)
    threads.emplace_back([&total, n] {
      for (int repetition = 0; repetition < 5; ++repetition)
        onepass::parallel_scan(here(0, n), sum_of_positions{}, total);
    });
  for (auto& thread : threads) thread.join();
  for (auto const total : totals) EXPECT_EQ(total, std::uint64_t(n) * std::uint64_t(n - 1) / 2);
}

struct one_for_every_position {
  KOKKOS_FUNCTION void operator()(extent, int& update, bool) const { ++update; }
};

TEST(parallel_scan, may_be_called_inside_of_a_kernel_and_of_a_functor)
{
  using backend = ONEPASS_ROW_BACKEND;
  if constexpr (!std::is_same_v<backend, onepass::serial_backend> && !std::is_same_v<backend, onepass::host_backend>)
    GTEST_SKIP() << "the caller runs on the device, or in a kernel beside which Kokkos begins no other";
  else {
    extent const n = some_sizes<int>().back();
    std::vector<int> totals(3);
    auto const inner = [n](int& total) { onepass::parallel_scan(here(0, n), one_for_every_position{}, total); };
    Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 3),
                         [&](int i) { inner(totals[std::size_t(i)]); });
    EXPECT_EQ(totals, std::vector<int>(3, int(n)));
    int total = 0;
    onepass::parallel_scan(
        here(0, n),
        [&](extent i, int& update, bool) {
          int again = 1;
          if (i == n / 2) inner(again), again /= int(n);
          update += again;
        },
        total);
    EXPECT_EQ(total, n);
  }
}

}  // namespace
