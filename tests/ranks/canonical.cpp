// SPDX-License-Identifier: Apache-2.0
// Floats over ranks by one expression tree, against the plain C++ of that tree (examples/canonical_tree.hpp).
#include "../../examples/canonical_tree.hpp"
#include "cases.hpp"

#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/scan.hpp>

namespace ranks_test {

namespace {

namespace ranks = onepass::ranks;

/// A sum, and the last item beside it: does not commute, and has no identity. So large that a tile has 256 items.
struct dated {
  double sum, last, more[4];
};
struct add_dated {
  KOKKOS_FUNCTION dated operator()(dated const& older, dated const& newer) const
  {
    dated both = newer;
    both.sum   = older.sum + newer.sum;
    return both;
  }
};

/// Numbers of many binades, so that no two orders of a sum agree.
double number(std::uint64_t bits) { return double(std::int64_t(bits)) / double(1 << bits % 20); }

template <class T>
T item_of(std::uint64_t bits)
{
  if constexpr (std::is_same_v<T, dated>) return {number(bits), double(bits >> 40), {1, 2, 3, double(bits & 7)}};
  else return T(number(bits));
}

/// A case of items that are combined in T; tiles of one rank have `leaf` items in a leaf.
template <class T, class Op>
void trees(trial& t, extent n, std::size_t leaf, T const& init)
{
  using algebra = onepass::monoid<Op, T>;
  using carry   = typename algebra::type;
  algebra const by{};
  std::vector<T> items;
  std::vector<carry> lifted;
  for (auto const bits : t.items<std::uint64_t>("items", n)) {
    items.push_back(item_of<T>(perf::mixed(bits)));
    lifted.push_back(algebra::lift(items.back()));
  }
  auto const cuts      = t.cuts("cuts", n);
  bool const inclusive = t.chance("inclusive", 50), given = !algebra::complete ? !inclusive : t.chance("init", 50);
  auto const first   = given ? algebra::lift(init) : inclusive ? algebra::identity() : algebra::initial();
  auto const combine = [&](carry const& a, carry const& b) { return by.combine(a, b); };
  carry total;
  auto const before = canonical_scan<carry>(lifted, first, algebra::identity(), combine, leaf, total);
  std::vector<T> wanted;
  for (std::size_t i = 0; i < before.size(); ++i)
    wanted.push_back(algebra::value(inclusive ? by.combine(before[i], lifted[i]) : before[i]));

  auto const in    = t.mine(items, cuts);
  auto const where = onepass::canonically(t.where());
  auto const out   = t.room<T>(extent(in.extent(0)), t.chance("gaps in results", 25));
  Op const op;
  auto const scan = [&](auto const& to) -> T {
    if (inclusive)
      return given ? ranks::inclusive_scan(t.all(), where, in, to, op, init)
                   : ranks::inclusive_scan(t.all(), where, in, to, op);
    if constexpr (algebra::complete)
      if (!given) return ranks::exclusive_scan(t.all(), where, in, to, op);
    return ranks::exclusive_scan(t.all(), where, in, to, op, init);
  };
  auto const same_total = [&](char const* what, T const& is, T const& should) {
    t.same(what, std::vector<T>{is}, std::vector<T>{should}, 0, 1);
  };
  if (given) same_total("reduction", ranks::reduce(t.all(), where, in, op, init), algebra::value(total));
  auto const to = t.chance("in place", 25) ? in : out;
  T const all   = scan(to);
  t.same("results", t.seen(to), wanted, cuts[t.me()], cuts[t.me() + 1]);
  if (n > 0 || given) same_total("total", all, algebra::value(total));
}

void float_trees(trial& t)
{
  trees<float, onepass::plus>(t, t.chance("many", 20) ? t.below("n", 40000) : t.size(), 36, 0.1f);
}

void dated_trees(trial& t)
{
  trees<dated, add_dated>(t, t.chance("many", 10) ? t.below("n", 200000) : t.size(), 1, {.1, 1, {}});
}

}  // namespace

void add_trees(std::vector<family>& all)
{
  all.insert(all.end(), {{"float trees", float_trees}, {"dated trees", dated_trees}});
}

}  // namespace ranks_test
