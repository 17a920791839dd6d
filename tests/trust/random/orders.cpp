// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <onepass/argsort.hpp>
#include <onepass/merge.hpp>
#include <onepass/merge_sort.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/top_k.hpp>

#include <algorithm>
#include <numeric>

namespace trust {
namespace {

/// The positions of the keys in the order of some of their bits, equal ones as they came.
template <class T>
std::vector<numbers> positions_in_order(std::vector<T> const& keys, onepass::sort_order const& order)
{
  int const bits  = 8 * int(sizeof(T));
  int const begin = order.begin_bit, end = order.end_bit < 0 ? bits : order.end_bit;
  auto const code = [&](T const& x) {
    auto const all = std::uint64_t(onepass::key_code(x));
    return begin == end ? 0 : all << (64 - end) >> (64 - end + begin);
  };
  std::vector<numbers> at(keys.size());
  std::iota(at.begin(), at.end(), 0u);
  std::stable_sort(at.begin(), at.end(), [&](numbers a, numbers b) {
    return order.descending ? code(keys[b]) < code(keys[a]) : code(keys[a]) < code(keys[b]);
  });
  return at;
}

template <class T>
std::vector<T> gathered(std::vector<T> const& from, std::vector<numbers> const& at)
{
  std::vector<T> made;
  for (auto const i : at) made.push_back(from[i]);
  return made;
}

template <class T>
onepass::sort_order drawn_order(trial& t)
{
  onepass::sort_order order;
  order.descending = t.chance("descending", 30);
  if (t.chance("some bits", 30)) {
    order.begin_bit = int(t.below("first bit", 8 * int(sizeof(T))));
    order.end_bit   = order.begin_bit + int(t.below("bits", 8 * int(sizeof(T)) - order.begin_bit + 1));
  }
  return order;
}

template <class T>
void radix_sort(trial& t)
{
  bool const in_place = t.chance("in place", 30);
  auto const n        = t.size();
  auto const keys     = t.random<T>(n);
  auto const order    = drawn_order<T>(t);
  auto in             = t.input("in", keys);
  auto out            = in_place ? in : t.output<T>("out", n);
  t.call([&](auto const& place) { onepass::radix_sort(place, in.view(), out.view(), order); });
  out.expect(gathered(keys, positions_in_order(keys, order)));
}

void radix_sort_by_key(trial& t)
{
  auto const n      = t.size();
  auto const keys   = t.random<numbers>(n);
  auto const order  = drawn_order<numbers>(t);
  auto const at     = positions_in_order(keys, order);
  bool const pairs  = t.chance("by key", 50);
  auto const in     = t.input("in", keys);
  auto const values = t.random<double>(n, "few beside");
  auto const beside = t.input("beside", values);
  auto out          = t.output<numbers>("out", n);
  auto moved        = t.output<double>("moved", n);
  t.call([&](auto const& place) {
    if (pairs) onepass::radix_sort_by_key(place, in.view(), beside.view(), out.view(), moved.view(), order);
    else onepass::argsort(place, in.view(), out.view(), order);
  });
  out.expect(pairs ? gathered(keys, at) : at);
  if (pairs) moved.expect(gathered(values, at));
}

/// By the upper bits alone, so that equal ones differ.
struct upper_less {
  KOKKOS_FUNCTION bool operator()(numbers a, numbers b) const { return a >> 24 < b >> 24; }
};

void merge_sort(trial& t)
{
  bool const in_place = t.chance("in place", 30);
  auto const n        = t.size();
  auto const keys     = t.random<numbers>(n);
  auto in             = t.input("in", keys);
  auto out            = in_place ? in : t.output<numbers>("out", n);
  auto sorted         = keys;
  std::stable_sort(sorted.begin(), sorted.end(), upper_less{});
  t.call([&](auto const& place) { onepass::merge_sort(place, in.view(), out.view(), upper_less{}); });
  out.expect(sorted);
}

void merge(trial& t)
{
  auto a = t.random<numbers>(t.size("a")), b = t.random<numbers>(t.size("b"), "few of b");
  std::stable_sort(a.begin(), a.end(), upper_less{});
  std::stable_sort(b.begin(), b.end(), upper_less{});
  auto const left = t.input("left", a), right = t.input("right", b);
  auto out = t.output<numbers>("out", extent(a.size() + b.size()));
  std::vector<numbers> wanted(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), wanted.begin(), upper_less{});
  t.call([&](auto const& place) { onepass::merge(place, left.view(), right.view(), out.view(), upper_less{}); });
  out.expect(wanted);
}

void top_k(trial& t)
{
  auto const n    = t.size();
  auto const keys = t.random<numbers>(n);
  auto const k    = t.below("k", n + 1);
  onepass::sort_order order;
  order.descending = t.chance("descending", 50);
  auto at          = positions_in_order(keys, order);
  at.resize(std::size_t(k));
  auto const in = t.input("in", keys);
  auto first = t.output<numbers>("first", k), places = t.output<numbers>("places", k);
  t.call([&](auto const& place) { onepass::top_k(place, in.view(), k, first.view(), places.view(), order); });
  first.expect(gathered(keys, at));
  places.expect(at);
}

}  // namespace

void add_orders(std::vector<family>& to)
{
  to.push_back({"radix_sort u8", radix_sort<std::uint8_t>});
  to.push_back({"radix_sort u32", radix_sort<numbers>});
  to.push_back({"radix_sort by key", radix_sort_by_key});
  to.push_back({"merge_sort", merge_sort});
  to.push_back({"merge", merge});
  to.push_back({"top_k", top_k});
}

}  // namespace trust
