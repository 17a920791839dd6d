// SPDX-License-Identifier: Apache-2.0
#include "../../../examples/canonical_tree.hpp"
#include "trial.hpp"

#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/scan.hpp>
#include <onepass/scan_by_key.hpp>

#include <cmath>

// Canonical floats: the bits of the tree, whatever the space, its threads, and where items begin.
namespace trust {
namespace {

/// Floats of many magnitudes and both signs: nearly every order of their sum rounds to another value.
template <class T>
std::vector<T> any_magnitudes(trial& t, extent n)
{
  std::vector<T> made;
  for (auto const x : t.random<std::uint64_t>(n))
    made.push_back(T(std::ldexp(double(x >> 12), int(x & 63) - 80) * (x & 64 ? -1 : 1)));
  return made;
}

/// As many as meet the ends of tiles, of clusters, and rarely of blocks.
extent some_items(trial& t)
{
  extent const tiles = t.chance("clusters", 20) ? t.below("tiles", t.chance("blocks", 5) ? 300 : 40) : 0;
  return tiles * 4608 + t.size();
}

template <class T>
void scan(trial& t)
{
  bool const inclusive = t.chance("inclusive", 50), in_place = t.chance("in place", 25);
  auto const n       = some_items(t);
  auto const content = any_magnitudes<T>(t, n);
  T const init       = any_magnitudes<T>(t, 1)[0];
  auto const in      = t.input("in", content);
  auto out           = in_place ? in : t.output<T>("out", n);
  auto total = t.output<T>("total", 1), alone = t.output<T>("reduced", 1);
  T all;
  auto wanted = canonical_scan(content, init, T(-0.0), std::plus{}, 144 / sizeof(T), all);
  for (std::size_t i = 0; inclusive && i < wanted.size(); ++i) wanted[i] += content[i];
  t.canonically([&](auto const& place) {
    onepass::reduce(place, in.view(), alone.single(), onepass::plus{}, init);
    if (inclusive) onepass::inclusive_scan(place, in.view(), out.view(), onepass::plus{}, init, total.single());
    else onepass::exclusive_scan(place, in.view(), out.view(), onepass::plus{}, init, total.single());
  });
  out.expect(wanted);
  total.expect(all);
  alone.expect(all);
}

/// A sum since the last head, and whether there was one.
struct since_head {
  float sum;
  bool headed;
};
struct restart {
  since_head operator()(since_head const& a, since_head const& b) const
  {
    return {b.headed ? b.sum : a.sum + b.sum, a.headed || b.headed};
  }
};

void by_key(trial& t)
{
  bool const reduced = t.chance("reduced", 50);
  auto const n       = some_items(t);
  auto const keys    = t.runs<numbers>(n);
  auto const values  = any_magnitudes<float>(t, n);
  std::vector<since_head> items;
  std::vector<numbers> heads;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    items.push_back({values[i], i == 0 || keys[i] != keys[i - 1]});
    if (items.back().headed) heads.push_back(keys[i]);
  }
  since_head all;
  auto const before =
      canonical_scan(items, since_head{-0.0f, false}, since_head{-0.0f, false}, restart{}, 18, all, reduced);
  std::vector<float> wanted;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!reduced) wanted.push_back(restart{}(before[i], items[i]).sum);
    else if (i > 0 && items[i].headed) wanted.push_back(before[i].sum);
  }
  if (reduced && n > 0) wanted.push_back(all.sum);

  auto const of = t.input("keys", keys);
  auto const in = t.input("values", values);
  auto out      = t.output<float>("out", n);
  auto found    = t.output<numbers>("found", n);
  auto count    = t.output<int>("count", 1);
  t.canonically([&](auto const& place) {
    if (reduced) onepass::reduce_by_key(place, of.view(), in.view(), found.view(), out.view(), count.single());
    else onepass::inclusive_scan_by_key(place, of.view(), in.view(), out.view());
  });
  out.expect(wanted);
  if (reduced) {
    found.expect(heads);
    count.expect(int(heads.size()));
  }
}

}  // namespace

void add_canonical(std::vector<family>& to)
{
  to.push_back({"canonical f32", scan<float>});
  to.push_back({"canonical f64", scan<double>});
  to.push_back({"canonical by key", by_key});
}

}  // namespace trust
