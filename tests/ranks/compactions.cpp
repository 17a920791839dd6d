// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/repartition.hpp>
#include <onepass/ranks/runs.hpp>
#include <onepass/ranks/segmented.hpp>
#include <onepass/ranks/select.hpp>

namespace ranks_test {

namespace {

namespace ranks = onepass::ranks;
using u64       = std::uint64_t;

/// The items of each rank's block that satisfy a predicate, or do not, one behind another, and where each rank's begin.
struct parts {
  std::vector<u64> items;
  std::vector<extent> begins{0};
};
template <class Predicate>
parts parts_of(std::vector<u64> const& items, std::vector<extent> const& cuts, Predicate const& wanted)
{
  parts made;
  for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
    for (extent i = cuts[r]; i < cuts[r + 1]; ++i)
      if (wanted(items[std::size_t(i)])) made.items.push_back(items[std::size_t(i)]);
    made.begins.push_back(extent(made.items.size()));
  }
  return made;
}

void same_part(trial& t, char const* what, std::vector<u64> const& is, ranks::block const& where, parts const& wanted)
{
  auto const first = wanted.begins[t.me()], last = wanted.begins[t.me() + 1];
  t.same(what, where, last - first, first, wanted.begins.back());
  t.same(what, is, wanted.items, first, last);
}

void selections(trial& t)
{
  extent const n                 = t.size();
  auto const [items, cuts, mine] = t.deal<u64>(n);
  auto const in                  = mine;
  auto const out                 = t.room<u64>(extent(in.extent(0)));
  auto const others              = t.room<u64>(extent(in.extent(0)));
  is_kept const keep{u64(t.below("percent", 101))};
  auto const wanted = parts_of(items, cuts, keep), rest = parts_of(items, cuts, [&](u64 x) { return !keep(x); });
  auto const kept = t.made([&](auto&& all) { return ranks::select_if(all, t.where(), in, out, keep); });
  same_part(t, "selected", t.seen(out, kept.count), kept, wanted);
  auto const [a, b] = t.made([&](auto&& all) { return ranks::partition_if(all, t.where(), in, out, others, keep); });
  same_part(t, "kept", t.seen(out, a.count), a, wanted);
  same_part(t, "others", t.seen(others, b.count), b, rest);
  auto const counted = t.made([&](auto&& all) { return ranks::count_if(all, t.where(), in, keep); });
  t.same("counted", counted, kept.count, kept.first, kept.total);
}

void repartitions(trial& t)
{
  extent const n               = t.size();
  auto const [items, cuts, in] = t.deal<affine>(n);
  auto wanted                  = t.cuts("wanted", n);
  if (t.chance("even", 30)) {
    auto const even = ranks::even_block(t.all(), extent(in.extent(0)));
    auto const out  = t.room<affine>(even.count);
    ranks::repartition(t.all(), t.where(), in, out);
    t.same("even", t.seen(out), items, even.first, even.first + even.count);
    t.same("spread", even.count - n / t.all().size() <= 1 && even.total == n, true);
    return;
  }
  auto const out = t.room<affine>(wanted[t.me() + 1] - wanted[t.me()], t.chance("out apart", 25));
  ranks::repartition(t.all(), t.where(), in, out);
  t.same("items", t.seen(out), items, wanted[t.me()], wanted[t.me() + 1]);
}

/// The runs of all items: where each begins, and behind the last where they end.
std::vector<extent> begins_of_runs(std::vector<u64> const& items)
{
  std::vector<extent> begins;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (i == 0 || items[i] != items[i - 1]) begins.push_back(extent(i));
  begins.push_back(extent(items.size()));
  return begins;
}

void runs_across_ranks(trial& t)
{
  extent const n    = t.size();
  auto const keys   = t.runs<u64>(n);
  auto const values = t.items<affine>("values", n);
  auto const cuts   = t.cuts("cuts", n);
  auto const begins = begins_of_runs(keys);
  // What each rank is to find: the runs that begin in its block.
  auto const run_at  = [&](extent i) { return std::lower_bound(begins.begin(), begins.end() - 1, i) - begins.begin(); };
  extent const first = run_at(cuts[t.me()]), last = run_at(cuts[t.me() + 1]);
  extent const total = extent(begins.size()) - 1;
  std::vector<u64> symbols, lengths;
  std::vector<affine> sums;
  for (extent r = 0; r < total; ++r) {
    auto const begin = std::size_t(begins[std::size_t(r)]), end = std::size_t(begins[std::size_t(r) + 1]);
    symbols.push_back(keys[begin]);
    lengths.push_back(end - begin);
    affine sum = values[begin];
    for (auto i = begin + 1; i < end; ++i) sum = compose{}(sum, values[i]);
    sums.push_back(sum);
  }
  auto const in     = t.mine(keys, cuts);
  auto const beside = t.mine(values, cuts);
  extent const room = extent(in.extent(0));
  auto const out    = t.room<u64>(room);
  auto const found  = ranks::unique(t.all(), t.where(), in, out);
  t.same("runs", found, last - first, first, total);
  t.same("unique", t.seen(out, found.count), symbols, first, last);
  auto const long_   = t.room<u64>(room);
  auto const encoded = ranks::run_length_encode(t.all(), t.where(), in, out, long_);
  t.same("encoded", encoded, last - first, first, total);
  t.same("symbols", t.seen(out, encoded.count), symbols, first, last);
  t.same("lengths", t.seen(long_, encoded.count), lengths, first, last);
  auto const combined = t.room<affine>(room);
  auto const reduced  = ranks::reduce_by_key(t.all(), t.where(), in, beside, out, combined, compose{});
  t.same("reduced", reduced, last - first, first, total);
  t.same("keys", t.seen(out, reduced.count), symbols, first, last);
  t.same("sums", t.seen(combined, reduced.count), sums, first, last);
}

void scans_by_key(trial& t)
{
  extent const n    = t.size();
  auto const keys   = t.runs<u64>(n);
  auto const values = t.items<affine>("values", n);
  auto const cuts   = t.cuts("cuts", n);
  bool const to     = t.chance("inclusive", 50);
  bool const given  = !to || t.chance("init given", 50);
  affine const init{5, 7};
  std::vector<affine> wanted;
  affine now{};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    bool const head     = i == 0 || keys[i] != keys[i - 1];
    affine const before = head ? init : now;
    now                 = head && !given ? values[i] : compose{}(before, values[i]);
    wanted.push_back(to ? now : before);
  }
  auto const in     = t.mine(keys, cuts);
  auto const beside = t.mine(values, cuts);
  auto const out    = t.chance("in place", 25) ? beside : t.room<affine>(extent(in.extent(0)));
  if (!to) ranks::exclusive_scan_by_key(t.all(), t.where(), in, beside, out, compose{}, init);
  else if (given) ranks::inclusive_scan_by_key(t.all(), t.where(), in, beside, out, compose{}, init);
  else ranks::inclusive_scan_by_key(t.all(), t.where(), in, beside, out, compose{});
  t.same("results", t.seen(out), wanted, cuts[t.me()], cuts[t.me() + 1]);
}

/// Segments that cross ranks, empty ones and ranks on which none begins among them. One that begins where a block ends
/// may be told of by the rank before or the one behind.
void segments_across_ranks(trial& t)
{
  extent const n    = t.size();
  auto const items  = t.items<affine>("items", n);
  auto const cuts   = t.cuts("cuts", n);
  extent const mean = extent(1) << t.below("log segment", 12);
  auto const ranks_ = std::size_t(t.all().size());
  affine const init{5, 7};
  std::vector<extent> begins{0};  // of all, and behind the last where it ends
  for (extent i = 0; i <= n; ++i)
    if (u64 const bits = t.bits(i); bits % u64(mean + 1) == 0)
      begins.insert(begins.end(), 1 + (bits >> 40) % 3, i);  // all but the last are empty
  extent const total = extent(begins.size());
  begins.push_back(n);
  std::vector<extent> first{0};  // segment of each rank, and the end
  for (std::size_t r = 0; r < ranks_; ++r) {
    extent s = first.back();
    while (s < total
           && (begins[std::size_t(s)] < cuts[r + 1] || r + 1 == ranks_
               || (begins[std::size_t(s)] == cuts[r + 1] && t.bits(s) % 2)))
      ++s;
    first.push_back(s);
  }
  std::vector<affine> sums, to, from;
  for (extent s = 0; s < total; ++s) {
    affine now = init;
    for (extent i = begins[std::size_t(s)]; i < begins[std::size_t(s) + 1]; ++i) {
      from.push_back(now);
      now = compose{}(now, items[std::size_t(i)]);
      to.push_back(now);
    }
    sums.push_back(now);
  }
  std::vector<std::uint32_t> own;
  for (extent s = first[t.me()]; s < first[t.me() + 1]; ++s)
    own.push_back(std::uint32_t(begins[std::size_t(s)] - cuts[t.me()]));
  auto const heads = t.on_space(own, 0, extent(own.size()), t.chance("heads apart", 25));
  auto const in    = t.mine(items, cuts);
  auto const made  = t.room<affine>(extent(own.size()));
  auto const found =
      t.made([&](auto&& all) { return ranks::segmented_reduce(all, t.where(), in, heads, made, compose{}, init); });
  t.same("segments", found, extent(own.size()), first[t.me()], total);
  t.same("sums", t.seen(made), sums, first[t.me()], first[t.me() + 1]);
  auto const out       = t.chance("in place", 25) ? in : t.room<affine>(extent(in.extent(0)));
  bool const inclusive = t.chance("inclusive", 50);
  t.made([&](auto&& all) {
    return inclusive ? ranks::inclusive_segmented_scan(all, t.where(), in, heads, out, compose{}, init)
                     : ranks::exclusive_segmented_scan(all, t.where(), in, heads, out, compose{}, init);
  });
  t.same("results", t.seen(out), inclusive ? to : from, cuts[t.me()], cuts[t.me() + 1]);
}

}  // namespace

void add_compactions(std::vector<family>& all)
{
  all.insert(all.end(), {{"selections", selections},
                         {"repartitions", repartitions},
                         {"runs across ranks", runs_across_ranks},
                         {"scans by key", scans_by_key},
                         {"segments across ranks", segments_across_ranks}});
}

}  // namespace ranks_test
