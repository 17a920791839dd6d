// SPDX-License-Identifier: Apache-2.0
// Calls inside of calls, where what a user gives to a call makes the same call of other items on the same thread, and
// calls inside of kernels.
#include "guarded.hpp"
#include "inputs.hpp"

#include <onepass/csr.hpp>
#include <onepass/histogram.hpp>
#include <onepass/merge_sort.hpp>
#include <onepass/partition.hpp>
#include <onepass/partition_by_key.hpp>
#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/scatter.hpp>
#include <onepass/segmented.hpp>
#include <onepass/select.hpp>
#include <onepass/unique.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <numeric>

#if defined(_OPENMP)
#include <omp.h>
#endif

using namespace test;

namespace {

using ints = std::vector<int>;

/// What is called now and then by what a user gives to a call; none if it is null.
using inner_call = std::function<void()>;
struct calling {
  inner_call const* inner;
  extent every;
  void operator()(extent x) const
  {
    if (inner && x % every == 0) (*inner)();
  }
  calling rarely() const { return {inner, 7 * every}; }
};

/// Items of 24 bytes, which vectors do not compress.
struct wide_item {
  std::int64_t a, b, c;
};

// What users give to calls. Functors of inner calls have the same types as those of outer ones, and so the programs.
struct is_even : calling {
  bool operator()(int x) const { return calling::operator()(x), x % 2 == 0; }
  bool operator()(wide_item const& x) const { return (*this)(int(x.a)); }
};
struct remainder : calling {
  int operator()(int x) const { return calling::operator()(x), (x % 3 + 3) % 3; }
};
struct same_tens : calling {
  bool operator()(int a, int b) const { return calling::operator()(b), a / 10 == b / 10; }
};
struct comes_first : calling {
  bool operator()(int a, int b) const { return calling::operator()(b), a < b; }
};
struct smaller : calling {
  int operator()(int a, int b) const { return calling::operator()(b), std::min(a, b); }
};
struct small_double : calling {
  double operator()(int x) const { return calling::operator()(x), double(x % 7); }
};

template <class T>
auto view_of(std::vector<T>& items)
{
  return unmanaged<T>(items.data(), items.size());
}
template <class T>
ints first_of(std::vector<T> const& items, extent n)
{
  return ints(items.begin(), items.begin() + n);
}
ints joined(ints a, ints const& b)
{
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Calls, as functions of a place, the items and what to call inside. They give what the call made.

struct select_some {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints out(items.size());
    int kept = 0;
    onepass::select_if(where, view_of(items), view_of(out), kept, is_even{inside});
    return first_of(out, kept);
  }
};
struct select_in_place {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    int kept = 0;
    onepass::select_if(where, view_of(items), view_of(items), kept, is_even{inside});
    return first_of(items, kept);
  }
};
struct select_wide_items {
  template <class Where>
  ints operator()(Where const& where, ints const& items, calling inside) const
  {
    std::vector<wide_item> from, to(items.size());
    for (int const x : items) from.push_back({x, x, x});
    int kept = 0;
    onepass::select_if(where, view_of(from), view_of(to), kept, is_even{inside});
    ints all;
    for (int k = 0; k < kept; ++k) all.push_back(int(to[std::size_t(k)].c));
    return all;
  }
};
struct partition_in_three {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints a(items.size()), b(items.size()), c(items.size()), counts(3);
    onepass::partition_three_way(where, view_of(items), view_of(a), view_of(b), view_of(c), view_of(counts),
                                 remainder{inside});
    return joined(joined(first_of(a, counts[0]), first_of(b, counts[1])), first_of(c, counts[2]));
  }
};
struct partition_by_remainder {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints out(items.size()), counts(3);
    onepass::partition_by_key(where, view_of(items), view_of(out), view_of(counts), remainder{inside});
    return joined(out, counts);
  }
};
struct unique_tens {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    int kept = 0;
    onepass::unique(where, view_of(items), view_of(items), kept, same_tens{inside});
    return first_of(items, kept);
  }
};
struct encode_tens {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints symbols(items.size()), lengths(items.size());
    int runs = 0;
    onepass::run_length_encode(where, view_of(items), view_of(symbols), view_of(lengths), runs, same_tens{inside});
    return joined(first_of(symbols, runs), first_of(lengths, runs));
  }
};
struct scan_remainders {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints out(items.size());
    onepass::transform_inclusive_scan(where, view_of(items), view_of(out), remainder{inside});
    return out;
  }
};
struct scan_smallest_remainders {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints out(items.size());
    onepass::transform_inclusive_scan(where, view_of(items), view_of(out), remainder{inside}, smaller{});
    return out;
  }
};
struct scan_canonically {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    std::vector<double> out(items.size());
    auto const& place = onepass::on(where);
    onepass::transform_inclusive_scan(onepass::canonically(place.space), view_of(items), view_of(out),
                                      small_double{inside});
    return first_of(out, extent(out.size()));
  }
};
struct scan_tens {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints out(items.size());
    onepass::inclusive_scan_by_key(where, view_of(items), view_of(items), view_of(out), onepass::plus{},
                                   onepass::no_init{}, same_tens{inside});
    return out;
  }
};
struct reduce_tens_in_place {
  template <class Where>
  ints operator()(Where const& where, ints keys, calling inside) const
  {
    ints values = keys, sums(keys.size());
    int runs    = 0;
    onepass::reduce_by_key(where, view_of(keys), view_of(values), view_of(keys), view_of(sums), runs, onepass::plus{},
                           same_tens{inside});
    return joined(first_of(keys, runs), first_of(sums, runs));
  }
};
struct count_remainders {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints counts(3);
    onepass::histogram(where, view_of(items), view_of(counts), remainder{inside});
    return counts;
  }
};
struct merge {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints out(items.size());
    onepass::merge_sort(where, view_of(items), view_of(out), comes_first{inside.rarely()});
    return out;
  }
};
struct smallest_of_segments {
  template <class Where>
  ints operator()(Where const& where, ints items, calling inside) const
  {
    ints offsets{0};
    for (int const n = int(items.size()); offsets.back() < n;) offsets.push_back(std::min(offsets.back() + 37, n));
    ints sums(offsets.size() - 1);
    onepass::segmented_reduce(where, view_of(items), view_of(offsets), view_of(sums), smaller{inside}, 1 << 30);
    return sums;
  }
};

template <class Call>
class nested : public testing::Test {};
using calls =
    testing::Types<select_some, select_in_place, select_wide_items, partition_in_three, partition_by_remainder,
                   unique_tens, encode_tens, scan_remainders, scan_smallest_remainders, scan_canonically, scan_tens,
                   reduce_tens_in_place, count_remainders, merge, smallest_of_segments>;
TYPED_TEST_SUITE(nested, calls);

template <class Call>
ints call_alone(Call const& call, ints const& items)
{
  return call(onepass::serially(), items, {});
}

/// Rough ascent, unlike for each `salt`.
ints ascending_numbers(extent n, extent salt)
{
  ints items;
  for (extent i = 0; i < n; ++i) items.push_back(int((i * i + 77 * salt) % 1001 + i));
  return items;
}

/// What the outer call keeps between two calls of a user's function is not what inner calls keep, be these smaller or
/// larger, or inside of one another.
TYPED_TEST(nested, calls_keep_their_own)
{
  TypeParam const call;
  auto const some = ascending_numbers(400, 1), more = ascending_numbers(5000, 2);
  auto const of_some = call_alone(call, some), of_more = call_alone(call, more);
  std::atomic<int> wrong = 0, inside = 0;
  inner_call const innermost = [&] { wrong += call(exec_space{}, some, {}) != of_some; };
  inner_call const inner     = [&] {
    ++inside;
    wrong += call(exec_space{}, some, {}) != of_some;
    wrong += call(exec_space{}, more, {&innermost, 1500}) != of_more;
  };
  for (extent const n : {60, 2000, 30000, 400000}) {
    auto const items = ascending_numbers(n, 3);
    auto const all   = call_alone(call, items);
    EXPECT_EQ(call(row(), items, {&inner, n / 10}), all) << n << " items";
    EXPECT_EQ(call(exec_space{}, items, {&inner, n / 10}), all) << n << " items, where the library chooses";
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(inside, 8);
}

/// Three calls, of which each needs more memory than the one before, with what they give; nothing is kept of these.
[[maybe_unused]] std::vector<std::pair<ints, ints>> larger_and_larger(extent first)
{
  onepass::release_workspaces();
  std::vector<std::pair<ints, ints>> larger;
  for (extent const n : {first, extent(100000), extent(300000)}) {
    auto const items = ascending_numbers(n, 1);
    larger.emplace_back(items, call_alone(merge{}, items));
  }
  return larger;
}

#if defined(_OPENMP)
/// Threads inside of a kernel make calls, each alone, however many levels of parallel regions there may be.
class kernels : public testing::TestWithParam<int> {
protected:
  void SetUp() override { omp_set_max_active_levels(GetParam()); }
  void TearDown() override { omp_set_max_active_levels(before_); }

  /// Has threads of a kernel make a call, which tells whether it was right.
  template <class Call>
  static void expect_right(char const* what, Call const& call)
  {
    std::atomic<int> wrong = 0;
    Kokkos::parallel_for("test::outer", Kokkos::RangePolicy<exec_space>(0, 4), [&](int) { wrong += !call(); });
    EXPECT_EQ(wrong, 0) << what;
  }

private:
  int before_ = omp_get_max_active_levels();
};

TEST_P(kernels, make_calls)
{
  for (extent const n : {3, 400, 500000}) {
    SCOPED_TRACE(std::to_string(n) + " items");
    auto items      = ascending_numbers(n, 1);
    auto const in   = view_of(items);
    auto const all  = std::accumulate(items.begin(), items.end(), std::int64_t(0));
    auto const even = call_alone(select_some{}, items), sums = call_alone(scan_remainders{}, items),
               sorted = call_alone(merge{}, items);
    expect_right("reduce", [&] {
      std::int64_t total = 0;
      onepass::reduce(exec_space{}, in, total);
      return total == all;
    });
    expect_right("reduce canonically", [&] {
      double total = 0;
      onepass::reduce(onepass::canonically(exec_space{}), in, total);
      return total == double(all);
    });
    expect_right("reduce exactly", [&] {
      double total = 0;
      onepass::reduce(onepass::exactly(exec_space{}), in, total);
      return total == double(all);
    });
    expect_right("select", [&] { return select_some{}(exec_space{}, items, {}) == even; });
    expect_right("scan", [&] { return scan_remainders{}(exec_space{}, items, {}) == sums; });
    expect_right("merge sort", [&] { return merge{}(exec_space{}, items, {}) == sorted; });
    expect_right("checked", [&] {
      ints order(items.size()), out(items.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(order.size() - 1 - i);
      onepass::gather(onepass::on(exec_space{}).checked(), in, view_of(order), view_of(out));
      return std::equal(out.begin(), out.end(), items.rbegin());
    });
    expect_right("checked, and wrong", [&] {
      ints order(items.size(), 0), out(items.size());
      order.back() = int(n);
      try {
        onepass::gather(onepass::on(exec_space{}).checked(), in, view_of(order), view_of(out));
      } catch (onepass::precondition_error const&) {
        return true;
      }
      return false;
    });
    expect_right("checked counts", [&] {
      std::vector<std::int64_t> offsets(items.size() + 1);
      std::int64_t total = 0;
      onepass::counts_to_offsets(onepass::on(exec_space{}).checked(), in, view_of(offsets), total);
      return total == all;
    });
  }
}
/// Each needs more memory than the one before, and Kokkos frees none inside of a kernel.
TEST_P(kernels, make_larger_and_larger_calls)
{
  auto const larger = larger_and_larger(20000);
  expect_right("merge sort", [&] {
    bool right = true;
    for (auto const& [items, sorted] : larger) right &= merge{}(exec_space{}, items, {}) == sorted;
    return right;
  });
}
INSTANTIATE_TEST_SUITE_P(of_levels, kernels, testing::Values(1, 2, 3));

/// Calls begin(scan), which calls scan(0) and scan(1) by two threads: each is on an instance of its own, where nested
/// parallelism is on, and gives what it gives alone.
template <class Begin>
void expect_scans_on_instances(Begin const& begin)
{
  int const before = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
  auto const instances   = Kokkos::Experimental::partition_space(exec_space{}, 1, 1);
  auto const items       = ascending_numbers(500000, 1);
  auto const sums        = call_alone(scan_remainders{}, items);
  std::atomic<int> wrong = 0;
  begin([&](int k) { wrong += scan_remainders{}(instances[std::size_t(k)], items, {}) != sums; });
  omp_set_max_active_levels(before);
  EXPECT_EQ(wrong, 0);
}

/// Inside of a parallel region of their own threads have an instance each, and that its threads.
TEST(regions, have_instances_of_their_own)
{
  expect_scans_on_instances([](auto const& scan) {
#pragma omp parallel num_threads(2)
    scan(omp_get_thread_num());
  });
}

/// So do threads of a kernel, if none of the instances is that kernel's: what a call allocates it frees without Kokkos,
/// which would wait for the kernel.
TEST(kernels_of_another_instance, make_calls_that_allocate)
{
  expect_scans_on_instances(
      [](auto const& scan) { Kokkos::parallel_for("test::outer", Kokkos::RangePolicy<exec_space>(0, 2), scan); });
}

#endif

#ifdef KOKKOS_ENABLE_SERIAL
/// So do kernels of Kokkos::Serial, which holds a lock meanwhile that Kokkos takes before it frees memory of a host.
template <class Exec>
class kernels_of_serial : public testing::Test {};
using spaces_of_hosts = testing::Types<Kokkos::Serial, Kokkos::DefaultHostExecutionSpace>;
TYPED_TEST_SUITE(kernels_of_serial, spaces_of_hosts);

TYPED_TEST(kernels_of_serial, make_larger_and_larger_calls)
{
  auto const larger = larger_and_larger(10000);
  int wrong         = 0;
  auto const outer  = [&](int k) {
    auto const& [items, sorted] = larger[std::size_t(k)];
    double total                = 0;
    wrong += merge{}(TypeParam(), items, {}) != sorted;
    wrong += scan_remainders{}(TypeParam(), items, {}) != call_alone(scan_remainders{}, items);
    onepass::reduce(onepass::exactly(TypeParam()), view_of(items), total);
    wrong += total != double(std::accumulate(items.begin(), items.end(), std::int64_t(0)));
  };
  Kokkos::parallel_for("test::outer", Kokkos::RangePolicy<Kokkos::Serial>(0, 3), outer);
  EXPECT_EQ(wrong, 0);
}
#endif

}  // namespace
