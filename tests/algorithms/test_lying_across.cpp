// SPDX-License-Identifier: Apache-2.0
// Items whose type asks for less alignment than they have bytes, as pairs of floats do, at addresses that are no
// multiple of their size: words of 4, 8 or 16 bytes hold parts of them.
#include "compaction.hpp"
#include "sizes.hpp"

#include <onepass/find.hpp>
#include <onepass/histogram.hpp>
#include <onepass/partition.hpp>
#include <onepass/reduce.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan.hpp>
#include <onepass/segmented.hpp>
#include <onepass/select.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace test;

namespace {

/// N numbers that are a hash of one.
template <class T, int N>
struct several {
  T number[N];

  ONEPASS_FUNCTION static several of(std::uint32_t x)
  {
    several made{};
    for (int k = 0; k < N; ++k) made.number[k] = T(x * std::uint32_t(2 * k + 1) & 0x7f);
    return made;
  }
  ONEPASS_FUNCTION friend bool operator==(several const& a, several const& b)
  {
    bool same = true;
    for (int k = 0; k < N; ++k) same = same && a.number[k] == b.number[k];
    return same;
  }
};

struct largest_each {
  template <class T, int N>
  ONEPASS_FUNCTION several<T, N> operator()(several<T, N> a, several<T, N> const& b) const
  {
    for (int k = 0; k < N; ++k) a.number[k] = a.number[k] < b.number[k] ? b.number[k] : a.number[k];
    return a;
  }
};

struct first_number {
  template <class Item>
  ONEPASS_FUNCTION int operator()(Item const& x) const
  {
    return int(x.number[0]);
  }
};
struct first_is_small {
  template <class Item>
  ONEPASS_FUNCTION bool operator()(Item const& x) const
  {
    return x.number[0] < 64;
  }
};
template <class Item>
struct is_item {
  Item wanted;
  ONEPASS_FUNCTION bool operator()(Item const& x) const { return x == wanted; }
};

/// Items that begin `step` bytes behind a multiple of their size.
template <class Item>
class askew {
public:
  explicit askew(std::vector<Item> const& items, int step = int(alignof(Item)))
      : items_(items.size())
      , step_(step)
      , bytes_(std::vector<std::uint8_t>(items.size() * sizeof(Item) + sizeof(Item), 0xa5))
  {
    auto bytes = bytes_.items();
    std::memcpy(bytes.data() + step_, static_cast<void const*>(items.data()), items.size() * sizeof(Item));
    bytes_ = guarded<std::uint8_t>(bytes);
  }
  unmanaged<Item> view() const
  {
    return unmanaged<Item>(reinterpret_cast<Item*>(bytes_.view().data() + step_), items_);
  }
  std::vector<Item> items() const
  {
    auto const bytes = bytes_.items();
    std::vector<Item> made(items_);
    std::memcpy(static_cast<void*>(made.data()), bytes.data() + step_, items_ * sizeof(Item));
    return made;
  }

private:
  std::size_t items_;
  int step_;
  guarded<std::uint8_t> bytes_;
};

template <class Item>
class lying_across : public testing::Test {};
using types =
    testing::Types<several<std::uint8_t, 4>, several<float, 2>, several<double, 2>, several<std::uint32_t, 8>>;
TYPED_TEST_SUITE(lying_across, types);

template <class Item, class F>
void for_some_items(F const& f)
{
  auto sizes = some_sizes<Item>();
  sizes.insert(sizes.end(), {1, 5, 16, 63, 257, 3000});
  for (extent const n : sizes) {
    SCOPED_TRACE("n = " + std::to_string(n));
    random_words engine(seed() + std::uint64_t(n));
    std::vector<Item> items;
    for (extent i = 0; i < n; ++i) items.push_back(Item::of(std::uint32_t(engine())));
    f(items);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(lying_across, are_scanned_reduced_and_found)
{
  using item = TypeParam;
  for_some_items<item>([](std::vector<item> const& items) {
    extent const n = extent(items.size());
    item const none{};
    std::vector<item> through;
    for (auto const& x : items) through.push_back(through.empty() ? x : largest_each{}(through.back(), x));
    askew<item> const in(items), out(std::vector<item>(items.size()));
    onepass::inclusive_scan(row(), in.view(), out.view(), largest_each{});
    ASSERT_TRUE(out.items() == through);
    item total{};
    onepass::reduce(row(), in.view(), total, largest_each{}, none);
    ASSERT_TRUE(total == (n > 0 ? through.back() : none));
    extent found = -1;
    if (n > 0) {
      is_item<item> const wanted{items[std::size_t(n) * 2 / 3]};
      onepass::find_if(row(), in.view(), found, wanted);
      ASSERT_EQ(found, std::find_if(items.begin(), items.end(), wanted) - items.begin());
    }
    guarded<extent> const offsets(std::vector<extent>{0, n / 50, n / 50, n - n / 40, n});
    askew<item> const sums(std::vector<item>(4));
    onepass::segmented_reduce(row(), in.view(), offsets.view(), sums.view(), largest_each{}, none);
    auto const bounds = offsets.items();
    std::vector<item> wanted;
    for (std::size_t s = 0; s < 4; ++s)
      wanted.push_back(std::accumulate(items.begin() + bounds[s], items.begin() + bounds[s + 1], none, largest_each{}));
    ASSERT_TRUE(sums.items() == wanted);
    ASSERT_TRUE(in.items() == items);
  });
}

TYPED_TEST(lying_across, are_selected_and_counted_and_expanded)
{
  using item = TypeParam;
  for_some_items<item>([](std::vector<item> const& items) {
    extent const n = extent(items.size());
    auto const is  = kept(items, first_is_small{});
    std::vector<extent> counted(128);
    for (auto const& x : items) ++counted[std::size_t(first_number{}(x))];
    askew<item> const in(items), selected(items), kept_items(items), others(items);
    single<extent> const count(77);
    onepass::select_if(row(), in.view(), selected.view(), count.view(), first_is_small{});
    ASSERT_EQ(count.value(), extent(is.size()));
    auto head = [&](askew<item> const& of) {
      auto all = of.items();
      all.resize(is.size());
      return all;
    };
    ASSERT_TRUE(head(selected) == is);
    onepass::partition_if(row(), in.view(), kept_items.view(), others.view(), count.view(), first_is_small{});
    ASSERT_TRUE(head(kept_items) == is);
    guarded<extent> const bins(128);
    onepass::histogram(row(), in.view(), bins.view(), first_number{});
    ASSERT_EQ(bins.items(), counted);
    std::vector<item> expanded;
    std::vector<extent> lengths;
    for (extent i = 0; i < n; ++i) {
      lengths.push_back(i % 7 == 3 ? 40 : i % 3);
      expanded.insert(expanded.end(), std::size_t(lengths.back()), items[std::size_t(i)]);
    }
    guarded<extent> const runs(lengths);
    askew<item> const out(std::vector<item>(expanded.size()));
    onepass::run_length_decode(row(), in.view(), runs.view(), out.view(), count.view());
    ASSERT_TRUE(out.items() == expanded);
    ASSERT_TRUE(in.items() == items);
  });
}

}  // namespace
