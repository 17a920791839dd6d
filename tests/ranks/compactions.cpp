// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/repartition.hpp>
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
  extent const n    = t.size();
  auto const items  = t.items<u64>("items", n);
  auto const cuts   = t.cuts("cuts", n);
  auto const in     = t.mine(items, cuts);
  auto const out    = t.room<u64>(extent(in.extent(0)));
  auto const others = t.room<u64>(extent(in.extent(0)));
  is_kept const keep{u64(t.below("percent", 101))};
  auto const wanted = parts_of(items, cuts, keep), rest = parts_of(items, cuts, [&](u64 x) { return !keep(x); });
  auto const kept = ranks::select_if(t.all(), t.where(), in, out, keep);
  same_part(t, "selected", t.seen(out, kept.count), kept, wanted);
  auto const [a, b] = ranks::partition_if(t.all(), t.where(), in, out, others, keep);
  same_part(t, "kept", t.seen(out, a.count), a, wanted);
  same_part(t, "others", t.seen(others, b.count), b, rest);
  auto const counted = ranks::count_if(t.all(), t.where(), in, keep);
  t.same("counted", counted, kept.count, kept.first, kept.total);
}

void repartitions(trial& t)
{
  extent const n   = t.size();
  auto const items = t.items<affine>("items", n);
  auto const cuts  = t.cuts("cuts", n);
  auto const in    = t.mine(items, cuts);
  auto wanted      = t.cuts("wanted", n);
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

}  // namespace

void add_compactions(std::vector<family>& all)
{
  all.insert(all.end(), {{"selections", selections}, {"repartitions", repartitions}});
}

}  // namespace ranks_test
