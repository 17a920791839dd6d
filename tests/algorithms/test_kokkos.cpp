// SPDX-License-Identifier: Apache-2.0
// Kokkos' names: the same results, values and iterators as Kokkos' own calls, or std::.
#include "apart.hpp"
#include "compaction.hpp"
#include "inputs.hpp"
#include "kernel_log.hpp"
#include "sizes.hpp"

#include <onepass/kokkos.hpp>

#include <numeric>

using namespace test;

namespace {

namespace names  = onepass::kokkos;
namespace theirs = Kokkos::Experimental;

using item  = std::int32_t;
using items = std::vector<item>;

/// Small numbers in short runs.
items small_numbers(extent n)
{
  items all;
  for (auto const x : random_items<std::uint8_t>(n)) all.push_back(x % 8 / 2);
  return all;
}

struct is_small {
  ONEPASS_FUNCTION bool operator()(item x) const { return x < 2; }
};
struct is_negative {
  ONEPASS_FUNCTION bool operator()(item x) const { return x < 0; }
};
struct descending {
  ONEPASS_FUNCTION bool operator()(item a, item b) const { return b < a; }
};
struct square {
  ONEPASS_FUNCTION item operator()(item x) const { return x * x; }
};
struct largest {
  ONEPASS_FUNCTION item operator()(item a, item b) const { return a < b ? b : a; }
};
struct both {
  ONEPASS_FUNCTION item operator()(item a, item b) const { return 3 * a + b; }
};

/// An operator of bins that has none.
struct no_bins {
  int max_bins() const { return 0; }
  template <class Keys>
  ONEPASS_FUNCTION int bin(Keys const&, int) const
  {
    return 0;
  }
  template <class Keys>
  ONEPASS_FUNCTION bool operator()(Keys const&, int, int) const
  {
    return false;
  }
};

/// One whose members take references, and not to constants where Kokkos passes none.
struct bins_of_references {
  int max_bins() const { return 3; }
  template <class Keys, class Index>
  ONEPASS_FUNCTION int bin(Keys& keys, Index& i) const
  {
    return int(keys(i) % 3);
  }
  template <class Keys>
  ONEPASS_FUNCTION bool operator()(Keys& keys, int& i, int& j) const
  {
    return keys(i) < keys(j);
  }
};

class kokkos_names : public testing::TestWithParam<extent> {
protected:
  extent n   = GetParam();
  items host = small_numbers(n);
  guarded<item> in{host}, out{n}, other{n};
  apart<item> strided{host};
};
INSTANTIATE_TEST_SUITE_P(sizes, kokkos_names, testing::Values(0, 1, 1000, many_tiles<item>()));

TEST_P(kokkos_names, scan_as_kokkos_and_std_do)
{
  auto const from = in.view(), to = out.view();
  EXPECT_TRUE(names::exclusive_scan("label", row(), from, to, item(5)) == names::end(to));
  theirs::exclusive_scan(exec_space{}, from, other.view(), item(5));
  EXPECT_EQ(out.items(), other.items());

  items expected(host.size());
  EXPECT_TRUE(names::inclusive_scan(row(), strided.view(), to) == names::end(to));
  std::inclusive_scan(host.begin(), host.end(), expected.begin());
  EXPECT_EQ(out.items(), expected);
  EXPECT_TRUE(names::exclusive_scan(row(), names::begin(from), names::end(from), names::begin(from), item(1), largest{})
              == names::end(from));  // in place
  std::exclusive_scan(host.begin(), host.end(), expected.begin(), item(1), largest{});
  EXPECT_EQ(in.items(), expected);
}

TEST_P(kokkos_names, scan_transformed_items_and_differences)
{
  auto const to = out.view();
  items expected(host.size());
  EXPECT_TRUE(names::transform_exclusive_scan(row(), strided.view(), to, item(7), onepass::plus{}, square{})
              == names::end(to));
  std::transform_exclusive_scan(host.begin(), host.end(), expected.begin(), item(7), std::plus<>{}, square{});
  EXPECT_EQ(out.items(), expected);
  names::transform_inclusive_scan(row(), strided.view(), to, largest{}, square{}, item(3));
  std::transform_inclusive_scan(host.begin(), host.end(), expected.begin(), largest{}, square{}, item(3));
  EXPECT_EQ(out.items(), expected);
  names::adjacent_difference("label", row(), strided.view(), to);
  std::adjacent_difference(host.begin(), host.end(), expected.begin());
  EXPECT_EQ(out.items(), expected);
}

TEST_P(kokkos_names, reduce_in_the_type_of_the_init)
{
  auto const from = in.view();
  EXPECT_EQ(names::reduce(row(), from), std::accumulate(host.begin(), host.end(), item(0)));
  auto const wide = names::reduce(row(), from, std::int64_t(1) << 40);
  static_assert(std::is_same_v<decltype(wide), std::int64_t const>);
  EXPECT_EQ(wide, std::accumulate(host.begin(), host.end(), std::int64_t(1) << 40));
  EXPECT_EQ(names::transform_reduce("label", row(), from, item(2), largest{}, square{}),
            std::transform_reduce(host.begin(), host.end(), item(2), largest{}, square{}));
  auto const with = strided.view();
  EXPECT_EQ(names::transform_reduce(row(), names::begin(from), names::end(from), names::begin(with), item(9)),
            std::inner_product(host.begin(), host.end(), host.begin(), item(9)));
  EXPECT_EQ(names::transform_reduce(row(), from, with, item(9), largest{}, both{}),
            std::inner_product(host.begin(), host.end(), host.begin(), item(9), largest{}, both{}));
}

TEST(kokkos_names_of_types, multiply_in_that_of_the_init)
{
  auto const check = []<class Item, class T>(Item const x, T const init) {
    guarded<Item> const in(std::vector<Item>(3, x));
    EXPECT_EQ(names::transform_reduce(row(), in.view(), in.view(), init),
              theirs::transform_reduce(exec_space{}, in.view(), in.view(), init));
  };
  check(std::uint16_t(65535), std::uint64_t(0));
  check(100'000, std::int64_t(0));
  check(1.1f, 0.0);
}

/// Warnings are errors here.
TEST(kokkos_names_of_types, compare_integers_with_and_without_a_sign_as_before_and_say_nothing)
{
  guarded<std::uint32_t> const in(std::vector<std::uint32_t>{7, 0, ~0u, 0}), out(4);
  auto const from = in.view(), to = out.view();
  EXPECT_EQ(names::count(row(), from, 0), 2);
  EXPECT_EQ(names::find(row(), from, -1) - names::begin(from), 2);
  EXPECT_EQ(names::remove_copy(row(), from, to, 0) - names::begin(to), 2);
  EXPECT_EQ(names::remove(row(), from, -1) - names::begin(from), 3);
}

TEST(kokkos_names_of_types, subtract_in_that_of_the_results)
{
  auto const check = []<class Item, class T>(std::vector<Item> const& all, T) {
    guarded<Item> const in(all);
    guarded<T> const out(extent(all.size())), other(extent(all.size()));
    names::adjacent_difference(row(), in.view(), out.view());
    theirs::adjacent_difference(exec_space{}, in.view(), other.view());
    EXPECT_EQ(out.items(), other.items());
  };
  check(std::vector<std::uint8_t>{5, 3}, int());
  check(std::vector<std::uint32_t>{5, 3}, std::int64_t());
  check(std::vector<float>{1.0f, 0.1f}, double());
}

TEST_P(kokkos_names, refuse_products_with_fewer_items)
{
  auto const from = in.view();
  if (from.extent(0) == 0) return;
  auto const fewer = Kokkos::subview(from, std::pair<std::size_t, std::size_t>(1, from.extent(0)));
  expect_says(refusal([&] { names::transform_reduce(row(), from, fewer, item(0)); }),
              {"kokkos::transform_reduce", "there are " + std::to_string(host.size() - 1) + " values"});
}

TEST_P(kokkos_names, compact_and_return_ends)
{
  auto const from   = strided.view();
  auto const to     = out.view();
  auto const expect = [&](auto const& end, items const& expected) {
    ASSERT_EQ(end - names::begin(to), extent(expected.size()));
    auto const got = out.items();
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), got.begin()));
  };
  items small, large, others, heads;
  std::copy_if(host.begin(), host.end(), std::back_inserter(small), is_small{});
  std::remove_copy_if(host.begin(), host.end(), std::back_inserter(large), is_small{});
  std::remove_copy(host.begin(), host.end(), std::back_inserter(others), 2);
  std::unique_copy(host.begin(), host.end(), std::back_inserter(heads));
  expect(names::copy_if(row(), from, to, is_small{}), small);
  expect(names::remove_copy_if("label", row(), names::begin(from), names::end(from), names::begin(to), is_small{}),
         large);
  expect(names::remove_copy(row(), from, to, item(2)), others);
  expect(names::unique_copy(row(), from, to), heads);

  auto const [end, end_of_rest] = names::partition_copy(row(), from, to, other.view(), is_small{});
  expect(end, small);
  ASSERT_EQ(end_of_rest - names::begin(other.view()), extent(large.size()));
  auto const rest = other.items();
  EXPECT_TRUE(std::equal(large.begin(), large.end(), rest.begin()));
}

TEST_P(kokkos_names, compact_in_place)
{
  auto const check = [&](auto const& call, items const& expected) {
    guarded<item> const all(host);
    auto const end = call(all.view());
    ASSERT_EQ(end - names::begin(all.view()), extent(expected.size()));
    auto const got = all.items();
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), got.begin()));
    ASSERT_TRUE(all.canaries_alive());
  };
  items large = host, others = host, heads = host;
  large.erase(std::remove_if(large.begin(), large.end(), is_small{}), large.end());
  others.erase(std::remove(others.begin(), others.end(), 3), others.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  check([](auto const& v) { return names::remove_if(row(), v, is_small{}); }, large);
  check([](auto const& v) { return names::remove(row(), names::begin(v), names::end(v), item(3)); }, others);
  check([](auto const& v) { return names::unique("label", row(), v); }, heads);
  if constexpr (std::is_same_v<ONEPASS_ROW_BACKEND, onepass::kokkos_backend>)
    check([](auto const& v) { return names::remove_if(row().by(onepass::schedule::two_pass), v, is_small{}); }, large);
}

TEST_P(kokkos_names, find_and_count)
{
  auto const from   = strided.view();
  auto const at     = [&](auto const& it) { return it - names::begin(from); };
  auto const std_at = [&](auto const& it) { return it - host.begin(); };
  EXPECT_EQ(names::count_if(row(), from, is_small{}), std::count_if(host.begin(), host.end(), is_small{}));
  EXPECT_EQ(names::count(row(), names::begin(from), names::end(from), item(3)),
            std::count(host.begin(), host.end(), 3));
  EXPECT_EQ(at(names::find_if(row(), from, is_small{})), std_at(std::find_if(host.begin(), host.end(), is_small{})));
  EXPECT_EQ(at(names::find_if_not("label", row(), from, is_small{})),
            std_at(std::find_if_not(host.begin(), host.end(), is_small{})));
  EXPECT_EQ(at(names::find(row(), from, item(3))), std_at(std::find(host.begin(), host.end(), 3)));
  EXPECT_TRUE(names::find(row(), from, item(-1)) == names::end(from));
  EXPECT_EQ(names::all_of(row(), from, is_small{}), std::all_of(host.begin(), host.end(), is_small{}));
  EXPECT_EQ(names::any_of(row(), from, is_small{}), std::any_of(host.begin(), host.end(), is_small{}));
  EXPECT_TRUE(names::none_of(row(), from, is_negative{}));
  EXPECT_EQ(at(names::min_element(row(), from)), std_at(std::min_element(host.begin(), host.end())));
  EXPECT_EQ(at(names::max_element(row(), names::begin(from), names::end(from))),
            std_at(std::max_element(host.begin(), host.end())));
  auto const [least, most]   = names::minmax_element(row(), from, descending{});
  auto const [first, second] = std::minmax_element(host.begin(), host.end(), descending{});
  EXPECT_EQ(at(least), std_at(first));
  EXPECT_EQ(at(most), std_at(second));
}

TEST_P(kokkos_names, sort)
{
  auto expected = host, part = host;
  std::sort(expected.begin(), expected.end());
  std::sort(part.begin() + n / 3, part.begin() + n / 2);
  guarded<item> const keys(host), others(host);
  names::sort(row(), keys.view(), std::size_t(n / 3), std::size_t(n / 2));
  EXPECT_EQ(keys.items(), part);
  names::sort(keys.view());
  EXPECT_EQ(keys.items(), expected);
  names::sort(row(), keys.view(), descending{});
  EXPECT_EQ(keys.items(), items(expected.rbegin(), expected.rend()));

  items positions(host.size());
  std::iota(positions.begin(), positions.end(), 0);
  guarded<item> const ascending_places(positions), descending_places(positions);
  auto order = positions;
  std::stable_sort(order.begin(), order.end(),
                   [&](item a, item b) { return host[std::size_t(a)] < host[std::size_t(b)]; });
  std::stable_sort(positions.begin(), positions.end(),
                   [&](item a, item b) { return host[std::size_t(b)] < host[std::size_t(a)]; });
  names::sort_by_key(row(), in.view(), ascending_places.view());
  EXPECT_EQ(ascending_places.items(), order);
  EXPECT_EQ(in.items(), expected);
  names::sort_by_key(row(), others.view(), descending_places.view(), descending{});
  EXPECT_EQ(descending_places.items(), positions);
}

TEST(kokkos_names_of_sorts, refuse_ranges_beyond_a_view)
{
  auto const sort = [](std::size_t first, std::size_t last) {
    guarded<item> const ten(10);
    return refusal([&] { names::sort(row(), ten.view(), first, last); });
  };
  expect_says(sort(3, 11), {"kokkos::sort", "from 3 to 11 of 10"});
  expect_says(sort(5, 3), {"kokkos::sort", "from 5 to 3 of 10"});
}

/// Of the order of its own, the last is the smallest.
enum class grade : std::uint8_t { best, good, fair };
KOKKOS_FUNCTION bool operator<(grade a, grade b) { return std::uint8_t(a) > std::uint8_t(b); }

/// The same by <=>, which not every compiler's < takes (GCC since its PR 105200).
enum class mark : std::uint8_t { best, good, fair };
KOKKOS_FUNCTION constexpr std::strong_ordering operator<=>(mark a, mark b) { return int(b) <=> int(a); }

template <class Grade>
void expect_order_of_its_own()
{
  std::vector<Grade> expected{Grade::good, Grade::fair, Grade::best, Grade::fair};
  guarded<Grade> const alone(expected), keys(expected);
  items order{0, 1, 2, 3};
  guarded<item> const values(order);
  std::stable_sort(order.begin(), order.end(),
                   [&](item a, item b) { return expected[std::size_t(a)] < expected[std::size_t(b)]; });
  std::sort(expected.begin(), expected.end());
  names::sort(row(), alone.view());
  names::sort_by_key(row(), keys.view(), values.view());
  EXPECT_EQ(alone.items(), expected);
  EXPECT_EQ(keys.items(), expected);
  EXPECT_EQ(values.items(), order);
  static_assert(!names::detail::sorted_by_code<Grade>);
}

TEST(kokkos_names_of_sorts, take_the_order_that_an_enumeration_has)
{
  expect_order_of_its_own<grade>();
  expect_order_of_its_own<mark>();
}

/// Keys in the order of their bins, offsets and counts as Kokkos has them; in a bin keys keep their order, or are
/// sorted.
template <class BinOp, class Keys, class Before>
void expect_bins(Keys const& keys, BinOp const& bins, extent first, extent last, Before const& before)
{
  using theirs_type = Kokkos::BinSort<Keys, BinOp>;
  extent const all = extent(keys.extent(0)), n = last - first;
  auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, keys);
  for (bool const within : {false, true}) {
    SCOPED_TRACE(::testing::Message() << "keys " << first << " to " << last << " of " << all
                                      << (within ? ", sorted" : ""));
    names::BinSort<Keys, BinOp> ours(row(exec_space{}), keys, int(first), int(last), bins, within);
    theirs_type other(exec_space{}, keys, int(first), int(last), bins);  // what it sorts bins by takes squares of time
    ours.create_permute_vector(row(exec_space{}));
    other.create_permute_vector(exec_space{});
    exec_space{}.fence();
    auto const host_of = [](auto const& view) {
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
    };
    auto const begins = host_of(ours.get_bin_offsets()), begins_there = host_of(other.get_bin_offsets());
    auto const counts = host_of(ours.get_bin_count()), counts_there = host_of(other.get_bin_count());
    auto const order = host_of(ours.get_permute_vector());
    ASSERT_EQ(begins.extent(0), begins_there.extent(0));
    for (std::size_t b = 0; b < begins.extent(0); ++b) {
      ASSERT_EQ(begins(b), begins_there(b)) << "bin " << b;
      ASSERT_EQ(counts(b), counts_there(b)) << "bin " << b;
    }
    std::vector<int> expected(static_cast<std::size_t>(n));
    std::iota(expected.begin(), expected.end(), int(first));
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
      int const bin_a = bins.bin(on_host, a), bin_b = bins.bin(on_host, b);
      return bin_a != bin_b ? bin_a < bin_b : within && before(on_host, a, b);
    });
    for (extent i = 0; i < n; ++i) ASSERT_EQ(int(order(i)), expected[std::size_t(i)]) << "place " << i;

    // Values of several ranks, those of the range's own rows alone.
    Kokkos::View<double*, memory_space> const values("values", std::size_t(all));
    Kokkos::View<int**, memory_space> const vectors("vectors", std::size_t(all), 3);
    auto const values_here  = Kokkos::create_mirror_view(values);
    auto const vectors_here = Kokkos::create_mirror_view(vectors);
    for (extent i = 0; i < all; ++i) {
      values_here(i) = double(i);
      for (int k = 0; k < 3; ++k) vectors_here(i, k) = int(3 * i + k);
    }
    Kokkos::deep_copy(values, values_here);
    Kokkos::deep_copy(vectors, vectors_here);
    ours.sort(row(exec_space{}), values, int(first), int(last));
    ours.sort(vectors, int(first), int(last));
    exec_space{}.fence();
    Kokkos::deep_copy(values_here, values);
    Kokkos::deep_copy(vectors_here, vectors);
    for (extent i = 0; i < all; ++i) {
      extent const from = first <= i && i < last ? expected[std::size_t(i - first)] : i;
      ASSERT_EQ(values_here(i), double(from)) << "row " << i;
      ASSERT_EQ(vectors_here(i, 2), int(3 * from + 2)) << "row " << i;
    }
  }
}

TEST(kokkos_names_of_bins, order_keys_and_values_as_kokkos_has_them_and_stably)
{
  for (extent const n : {extent(0), extent(1), extent(1000), many_tiles<item>()}) {
    guarded<item> const keys(random_items<item>(n));
    Kokkos::View<item*, memory_space> const view("keys", std::size_t(n));
    Kokkos::deep_copy(view, keys.view());
    using bins      = Kokkos::BinOp1D<Kokkos::View<item*, memory_space>>;
    auto const less = [](auto const& all, int a, int b) { return all(a) < all(b); };
    bins const op(77, std::numeric_limits<item>::min(), std::numeric_limits<item>::max());
    expect_bins(view, op, 0, n, less);
    expect_bins(view, op, n / 3, n - n / 5, less);
  }
  using keys_view = Kokkos::View<item*, memory_space>;
  EXPECT_THROW((names::BinSort<keys_view, no_bins>(keys_view("keys", 3), no_bins{})), onepass::precondition_error);
}

TEST(kokkos_names_of_bins, take_operators_of_references)
{
  using keys_view = Kokkos::View<item*, memory_space>;
  keys_view const view("keys", 1000);
  Kokkos::deep_copy(view, guarded<item>(small_numbers(1000)).view());
  expect_bins(view, bins_of_references{}, 0, 1000, [](auto const& all, int a, int b) { return all(a) < all(b); });
  using sorter = names::BinSort<keys_view, bins_of_references>;
  static_assert(std::is_same_v<sorter::exec_space, Kokkos::BinSort<keys_view, bins_of_references>::exec_space>);
}

TEST(kokkos_names_of_bins, refuse_values_beyond_a_view)
{
  using keys_view = Kokkos::View<item*, memory_space>;
  using bins      = Kokkos::BinOp1D<keys_view>;
  exec_space const exec;
  names::BinSort<keys_view, bins> sorter(row(exec), keys_view("keys", 10), bins(4, 0, 10));
  sorter.create_permute_vector(row(exec));
  keys_view const few("few", 6), ten("ten", 10);
  expect_says(refusal([&] { sorter.sort(row(exec), ten, 3, 13); }), {"kokkos::BinSort", "from 3 to 13 of 10"});
  expect_says(refusal([&] { sorter.sort(row(exec), ten, -1, 9); }), {"kokkos::BinSort", "from -1 to 9 of 10"});
  expect_says(refusal([&] { sorter.sort(row(exec), few); }), {"kokkos::BinSort", "from 0 to 10 of 6"});
  expect_says(refusal([&] { sorter.sort(few); }), {"kokkos::BinSort", "from 0 to 10 of 6"});
  using sorter_type = names::BinSort<keys_view, bins>;
  for (auto const& [first, last] : {std::pair(0, 11), {-1, 5}, {5, 3}})
    expect_says(refusal([&] { sorter_type(row(exec), keys_view("keys", 10), first, last, bins(4, 0, 10)); }),
                {"kokkos::BinSort", "the keys from " + std::to_string(first), "no range"});
  keys_view const many(static_cast<typename keys_view::pointer_type>(nullptr), (std::size_t(1) << 32) + 5);
  expect_says(refusal([&] { sorter_type(row(exec), many, bins(4, 0, 10)); }), {"kokkos::BinSort", "an int"});
}

/// Counts by a team, by Kokkos' own call behind the same name.
struct counts_by_team {
  unmanaged<item> in;
  Kokkos::View<extent, memory_space> count;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    auto const found = names::count_if(team, names::begin(in), names::end(in), is_small{});
    Kokkos::single(Kokkos::PerTeam(team), [&] { count() = extent(found); });
  }
};

TEST(kokkos_names_of_teams, are_kokkos_own)
{
  auto const host = small_numbers(1000);
  guarded<item> const in(host);
  single<extent> const count;
  Kokkos::parallel_for(Kokkos::TeamPolicy<exec_space>(1, Kokkos::AUTO), counts_by_team{in, count.view()});
  EXPECT_EQ(count.value(), std::count_if(host.begin(), host.end(), is_small{}));
  names::fill(exec_space{}, in.view(), item(4));  // what onepass has no call for is Kokkos' own
  EXPECT_EQ(in.items(), items(1000, 4));
}

TEST(kokkos_names_of_directives, are_those_of_onepass)
{
  using namespace onepass::kokkos;
  exec_space const exec;
  auto const host = small_numbers(1000);
  guarded<item> const in(host), out(1000);
  auto const from = in.view(), to = out.view();
  kernel_log const log;
  exclusive_scan(exec, from, to, item(0));
  inclusive_scan("onepass", exec, begin(from), end(from), begin(to));
  unique_copy(exec, from, to);
  EXPECT_EQ(reduce(exec, from), std::accumulate(host.begin(), host.end(), item(0)));
  EXPECT_EQ(count_if(exec, begin(from), end(from), is_small{}), std::count_if(host.begin(), host.end(), is_small{}));
  for (auto const& kernel : log.kernels) EXPECT_NE(kernel.label.find("onepass"), std::string::npos) << kernel.label;
}

}  // namespace
