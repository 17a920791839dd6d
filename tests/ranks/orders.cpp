// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <onepass/ranks/sort.hpp>
#include <onepass/ranks/sort_by_cell.hpp>
#include <onepass/ranks/top_k.hpp>

#include <numeric>

namespace ranks_test {

namespace {

namespace ranks = onepass::ranks;
using u32       = std::uint32_t;

/// The positions of keys in sorted order: those of their bits [begin, end).
std::vector<extent> sorted_positions(std::vector<u32> const& keys, onepass::sort_order const& order)
{
  std::vector<extent> at(keys.size());
  std::iota(at.begin(), at.end(), extent(0));
  int const bits        = order.end_bit - order.begin_bit;
  std::uint64_t const m = (std::uint64_t(1) << bits) - 1;
  auto const code       = [&](extent i) {
    auto const c = std::uint64_t(keys[std::size_t(i)]) >> order.begin_bit & m;
    return order.descending ? m - c : c;
  };
  std::stable_sort(at.begin(), at.end(), [&](extent a, extent b) { return code(a) < code(b); });
  return at;
}
template <class T>
std::vector<T> taken(std::vector<T> const& items, std::vector<extent> const& at)
{
  std::vector<T> made;
  for (extent const i : at) made.push_back(items[std::size_t(i)]);
  return made;
}

onepass::sort_order some_order(trial& t)
{
  if (t.chance("all bits", 50)) return {t.chance("descending", 40), 0, 32};
  int const begin = int(t.below("begin", 33));
  return {t.chance("descending", 40), begin, begin + int(t.below("bits", 33 - begin))};
}

void sorts(trial& t)
{
  extent const n     = t.size();
  auto const keys    = t.items<u32>("keys", n);
  auto const cuts    = t.cuts("cuts", n);
  auto const wanted  = t.chance("shares", 60) ? t.cuts("wanted", n) : cuts;
  auto const order   = some_order(t);
  auto const at      = sorted_positions(keys, order);
  auto const sorted  = taken(keys, at);
  auto const in      = t.mine(keys, cuts);
  extent const first = wanted[t.me()], last = wanted[t.me() + 1];
  auto const places = t.room<extent>(last - first);
  ranks::argsort(t.all(), t.where(), in, places, order);
  t.same("positions", t.seen(places), at, first, last);
  auto const out = wanted == cuts && t.chance("in place", 50) ? in : t.room<u32>(last - first, t.chance("apart", 20));
  if (t.chance("values", 50)) {
    auto const values = t.items<affine>("values", n);
    auto const with   = t.room<affine>(last - first);
    ranks::radix_sort_by_key(t.all(), t.where(), in, t.mine(values, cuts), out, with, order);
    t.same("values", t.seen(with), taken(values, at), first, last);
  } else ranks::radix_sort(t.all(), t.where(), in, out, order);
  t.same("keys", t.seen(out), sorted, first, last);
}

/// Keys of 64 bits that are negative too, and floats with zeros of both signs.
void other_keys(trial& t)
{
  extent const n     = t.size();
  auto const cuts    = t.cuts("cuts", n);
  auto const wanted  = t.cuts("wanted", n);
  extent const first = wanted[t.me()], last = wanted[t.me() + 1];
  auto const go = [&]<class T>(std::vector<T> keys) {
    auto const out = t.room<T>(last - first);
    ranks::radix_sort(t.all(), t.where(), t.mine(keys, cuts), out);
    std::stable_sort(keys.begin(), keys.end());
    t.same("keys", t.seen(out), keys, first, last);
  };
  if (t.chance("wide", 50)) return go(t.items<std::int64_t>("keys", n));
  auto floats = t.items<double>("keys", n);
  for (std::size_t i = 0; i < floats.size(); i += 3) floats[i] *= -0.0;
  go(floats);
}

/// Thousands of keys on each rank, which go to their ranks before they are sorted where these have memory for it. Most
/// differ in some bits; a few differ in others, which a sample may not show.
void many_keys(trial& t)
{
  extent const n  = t.all().size() * (500 + t.below("of a rank", 2500));
  auto const salt = t.bits(0);
  int const bits = 9 + int(t.below("bits", 40)), low = int(t.below("low", 16));
  extent const rare = t.chance("few others", 40) ? 1 + t.below("one in", 2000) : 0;
  extent const near = t.below("near even", 8);
  auto const cuts   = [&](extent moved) {
    std::vector<extent> at;
    for (extent r = 0; r <= t.all().size(); ++r) at.push_back(n * r / t.all().size() + moved * (r % 2));
    at.back() = n;
    return at;
  };
  auto const have = cuts(0), want = cuts(near * 10);
  extent const first = want[t.me()], last = want[t.me() + 1];
  auto const go = [&]<class T>(T) {
    std::vector<T> keys;
    for (extent i = 0; i < n; ++i) {
      auto const x     = t.bits(i);
      auto const other = rare > 0 && extent(x % std::uint64_t(rare)) == 0;
      keys.push_back(T(other ? perf::mixed(x) : ((x & ((std::uint64_t(1) << bits) - 1)) << low) + (salt << 56)));
    }
    bool const descending = t.chance("descending", 40);
    auto at               = std::vector<extent>(keys.size());
    std::iota(at.begin(), at.end(), extent(0));
    std::stable_sort(at.begin(), at.end(), [&](extent a, extent b) {
      auto const x = keys[std::size_t(a)], y = keys[std::size_t(b)];
      return descending ? y < x : x < y;
    });
    onepass::sort_order const order{.descending = descending};
    auto const in  = t.mine(keys, have);
    auto const out = t.room<T>(last - first);
    if constexpr (std::is_same_v<T, u32>) {  // as in sorts(): few kernels
      if (t.chance("positions", 40)) {
        auto const places = t.room<extent>(last - first);
        ranks::argsort(t.all(), t.where(), in, places, order);
        return t.same("positions", t.seen(places), at, first, last);
      }
      if (t.chance("values", 50)) {
        auto const values = t.items<affine>("values", n);
        auto const with   = t.room<affine>(last - first);
        ranks::radix_sort_by_key(t.all(), t.where(), in, t.mine(values, have), out, with, order);
        t.same("values", t.seen(with), taken(values, at), first, last);
        return t.same("keys", t.seen(out), taken(keys, at), first, last);
      }
    }
    ranks::radix_sort(t.all(), t.where(), in, out, order);
    t.same("keys", t.seen(out), taken(keys, at), first, last);
  };
  if (t.chance("words", 60)) return go(u32{});
  if (t.chance("signed", 50)) return go(std::int64_t{});
  go(double{});
}

void cells(trial& t)
{
  extent const n      = t.size();
  extent const number = t.below("cells", t.chance("many cells", 40) ? 20000 : 200) + 1;
  auto cell           = t.items<u32>("keys", n);
  for (auto& c : cell) c %= u32(number);
  auto const values = t.items<double>("values", n);
  auto const cuts   = t.cuts("cuts", n);
  auto const owned  = t.cuts("owned", number);
  auto const at     = sorted_positions(cell, {false, 0, 32});
  auto const sorted = taken(cell, at);
  auto const begin  = [&](extent c) { return std::lower_bound(sorted.begin(), sorted.end(), u32(c)) - sorted.begin(); };
  extent const first = begin(owned[t.me()]), last = begin(owned[t.me() + 1]);
  std::vector<std::int32_t> begins;
  for (extent c = owned[t.me()]; c <= owned[t.me() + 1]; ++c) begins.push_back(std::int32_t(begin(c) - first));
  auto const offsets = t.room<std::int32_t>(extent(begins.size()));
  auto const in      = t.mine(cell, cuts);
  if (t.chance("narrow offsets", 10)) {  // all ranks say so, and the next call is as any other
    auto const narrow = t.room<std::int8_t>(extent(begins.size()));
    bool is_refused = false, too_many = false;
    for (std::size_t r = 0; r + 1 < owned.size(); ++r) too_many |= begin(owned[r + 1]) - begin(owned[r]) > 127;
    try {
      ranks::sort_by_cell(t.all(), t.where(), in, narrow);
    } catch (onepass::precondition_error const&) {
      is_refused = true;
    }
    t.same("refused", is_refused, too_many);
  }
  auto const moves = ranks::sort_by_cell(t.all(), t.where(), in, offsets);
  t.same("offsets", t.seen(offsets), begins, 0, extent(begins.size()));
  t.same("size", moves.size(), last - first);
  auto const mine  = t.room<u32>(moves.size());
  auto const moved = t.room<double>(moves.size(), t.chance("apart", 20));
  moves.move(in, mine);
  moves.move(t.mine(values, cuts), moved);
  t.same("cells", t.seen(mine), sorted, first, last);
  t.same("values", t.seen(moved), taken(values, at), first, last);
}

void first_keys(trial& t)
{
  extent const n   = t.size();
  extent const k   = t.below("k", n + 1);
  auto const keys  = t.items<u32>("keys", n);
  auto const cuts  = t.cuts("cuts", n);
  auto const order = some_order(t);
  auto at          = sorted_positions(keys, order);
  at.resize(std::size_t(k));
  auto const found = t.room<u32>(k);
  auto const where = t.room<extent>(k);
  ranks::top_k(t.all(), t.where(), t.mine(keys, cuts), k, found, where, order);
  t.same("keys", t.seen(found), taken(keys, at), 0, k);
  t.same("positions", t.seen(where), at, 0, k);
}

/// Keys and positions that share memory on one rank are refused on all, and so is k that differs.
void first_keys_refused(trial& t)
{
  extent const n = 2 + t.size(), k = 1 + t.below("k", n - 1);
  auto const dealt      = t.deal<std::int64_t>(n);
  auto const& cuts      = dealt.cuts;
  auto const& in        = dealt.in;
  extent const wrong    = t.below("wrong", t.all().size());
  bool const is_wrong   = extent(t.me()) == wrong;
  auto const found      = t.room<std::int64_t>(n);
  auto const where      = t.room<std::int64_t>(n);
  auto const is_refused = [&](auto const& to, auto const& beside, extent number) {
    try {
      ranks::top_k(t.all(), t.where(), in, number, to, beside);
    } catch (onepass::precondition_error const&) {
      return true;
    }
    return false;
  };
  t.same("shared by outputs", is_refused(found, is_wrong ? found : where, k), true);
  extent const few = std::min(k, cuts[std::size_t(wrong) + 1] - cuts[std::size_t(wrong)]);
  if (few > 0) {  // who has no keys has no memory to share
    t.same("keys in the input", is_refused(is_wrong ? in : found, where, few), true);
    t.same("positions in the input", is_refused(found, is_wrong ? in : where, few), true);
  }
  t.same("other numbers", is_refused(found, where, is_wrong ? k + 1 : k), t.all().size() > 1);
}

}  // namespace

void add_orders(std::vector<family>& all)
{
  all.insert(all.end(), {{"sorts", sorts},
                         {"other keys", other_keys},
                         {"many keys", many_keys},
                         {"cells", cells},
                         {"first keys", first_keys},
                         {"first keys refused", first_keys_refused}});
}

}  // namespace ranks_test
