// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <onepass/ranks/histogram.hpp>
#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/repartition.hpp>
#include <onepass/ranks/scan.hpp>

#include <cmath>

namespace ranks_test {

namespace {

namespace ranks = onepass::ranks;
using u64       = std::uint64_t;

/// The scan of all items by a plain loop, and what everything gives.
template <bool Inclusive, class T, class Op>
std::pair<std::vector<T>, T> scanned(std::vector<T> const& items, Op op, T now, bool begun = true)
{
  std::vector<T> made;
  for (T const& x : items) {
    if (!Inclusive) made.push_back(now);
    now   = begun ? op(now, x) : x;
    begun = true;
    if (Inclusive) made.push_back(now);
  }
  return {made, now};
}

void sums(trial& t)
{
  extent const n                 = t.size();
  auto const [items, cuts, mine] = t.deal<u64>(n);
  auto const in                  = mine;
  auto const out                 = t.chance("in place", 25) ? in : t.room<u64>(extent(in.extent(0)));
  u64 const init                 = u64(t.below("init", 3));
  bool const given               = t.chance("init given", 50);
  bool const to                  = t.chance("inclusive", 50);
  auto const wanted              = to ? scanned<true, u64>(items, onepass::plus{}, given ? init : 0)
                                      : scanned<false, u64>(items, onepass::plus{}, given ? init : 0);
  auto const where               = t.where();
  onepass::plus const op;
  u64 const total = t.made([&](auto&& all) {
    return to ? (given ? ranks::inclusive_scan(all, where, in, out, op, init)
                       : ranks::inclusive_scan(all, where, in, out))
              : (given ? ranks::exclusive_scan(all, where, in, out, op, init)
                       : ranks::exclusive_scan(all, where, in, out));
  });
  t.same("results", t.seen(out), wanted.first, cuts[t.me()], cuts[t.me() + 1]);
  t.same("total", total, wanted.second);
}

/// No identity, and an operator that does not commute.
void compositions(trial& t)
{
  extent const n                 = t.size();
  auto const [items, cuts, mine] = t.deal<affine>(n);
  auto const in                  = mine;
  auto const out                 = t.room<affine>(extent(in.extent(0)));
  affine const init{3, std::uint32_t(t.below("init", 100))};
  auto const where = t.where();
  if (t.chance("inclusive, no init", 40)) {
    auto const wanted  = scanned<true, affine>(items, compose{}, affine{}, false);
    affine const total = t.made([&](auto&& all) { return ranks::inclusive_scan(all, where, in, out, compose{}); });
    t.same("results", t.seen(out), wanted.first, cuts[t.me()], cuts[t.me() + 1]);
    if (n > 0) t.same("total", total, wanted.second);
  } else {
    auto const wanted = scanned<false, affine>(items, compose{}, init);
    affine const total =
        t.made([&](auto&& all) { return ranks::exclusive_scan(all, where, in, out, compose{}, init); });
    t.same("results", t.seen(out), wanted.first, cuts[t.me()], cuts[t.me() + 1]);
    t.same("total", total, wanted.second);
    t.same("reduction", t.made([&](auto&& all) { return ranks::reduce(all, where, in, compose{}, init); }),
           wanted.second);
  }
}

void carries_apart(trial& t)
{
  extent const n                 = t.size();
  auto const [items, cuts, mine] = t.deal<u64>(n);
  auto const in                  = mine;
  auto const out                 = t.room<u64>(extent(in.extent(0)));
  auto const read                = t.room<u64>(extent(in.extent(0)));
  bool const to                  = t.chance("inclusive", 50);
  auto const wanted =
      to ? scanned<true, u64>(items, onepass::plus{}, 5) : scanned<false, u64>(items, onepass::plus{}, 5);
  auto const where = t.where();
  Kokkos::View<u64, memory> const carry(Kokkos::view_alloc("carry", Kokkos::WithoutInitializing));
  onepass::plus const op;
  u64 const total = t.made([&](auto&& all) {
    return to ? ranks::inclusive_scan_apart(all, where, in, out, carry, op, 5u)
              : ranks::exclusive_scan_apart(all, where, in, out, carry, op, 5u);
  });
  u64 count       = 0;  // any call reads carried items
  onepass::transform_reduce(where, ranks::carried(out, carry), count, onepass::unchanged{});
  onepass::inclusive_scan(where, ranks::carried(out, carry), read, onepass::maximum{});
  u64 sum = 0, most = 0;
  std::vector<u64> largest;
  for (extent i = cuts[t.me()]; i < cuts[t.me() + 1]; ++i) {
    u64 const x = wanted.first[std::size_t(i)];
    sum += x;
    largest.push_back(most = std::max(most, x));
  }
  t.same("carried", count, sum);
  t.same("read", t.seen(read), largest, 0, extent(largest.size()));
  t.same("total", total, wanted.second);
}

void totals(trial& t)
{
  extent const n               = t.size();
  auto const [items, cuts, in] = t.deal<double>(n);
  auto const where             = t.where();
  double sum = 0, least = Kokkos::Experimental::infinity_v<double>;
  for (double const x : items) sum += x, least = std::min(least, x);
  t.same("sum", ranks::reduce(t.all(), where, in), sum);
  t.same("least", ranks::reduce(t.all(), where, in, onepass::minimum{}), least);
  t.same("wider", ranks::reduce<float>(t.all(), where, in, onepass::maximum{}, 1000.f), 1000.f);
}

/// Without rounding: the same bits as all items in one sum, of digits.
void exact_totals(trial& t)
{
  extent const n   = t.size();
  auto items       = t.items<double>("items", n);
  auto const cuts  = t.cuts("cuts", n);
  int const spread = int(1 + t.below("spread", 1900));  // beyond some 90 binades digits are needed
  auto sum         = onepass::long_sum<>::zero();
  for (extent i = 0; i < n; ++i) {
    double& x = items[std::size_t(i)];
    x         = std::ldexp(x + double(t.bits(i) % 1000) / 1000, int(t.bits(i + 7) % u64(spread)) - spread / 2);
    sum.add(x);
  }
  bool const begun  = t.chance("init", 50);
  double const init = begun ? 1e-3 : 0;
  sum.add(init);
  auto const where  = onepass::exactly(t.where());
  auto const in     = t.mine(items, cuts);
  double const made = t.made([&](auto&& all) {
    return begun ? ranks::reduce(all, where, in, onepass::plus{}, init) : ranks::reduce(all, where, in);
  });
  t.same("sum", made, sum.round_to<double>());
}

struct bin_of {
  u64 bins;
  KOKKOS_FUNCTION extent operator()(u64 x) const { return extent(x % (bins + 1)); }  // the last one is no bin
};

void histograms(trial& t)
{
  extent const n                 = t.size();
  auto const [items, cuts, mine] = t.deal<u64>(n);
  auto const in                  = mine;
  extent const bins              = 1 + t.below("bins", 100);
  auto const counts              = t.room<std::uint32_t>(bins, t.chance("apart", 30));
  std::vector<std::uint32_t> wanted(static_cast<std::size_t>(bins + 1));
  for (u64 const x : items) ++wanted[std::size_t(bin_of{u64(bins)}(x))];
  t.made([&](auto&& all) { return ranks::histogram(all, t.where(), in, counts, bin_of{u64(bins)}); });
  t.same("counts", t.seen(counts), wanted, 0, bins);
}

/// One rank is wrong: all throw the same, and the next call is as any other.
void refusals(trial& t)
{
  extent const n               = 1 + t.size();
  auto const [items, cuts, in] = t.deal<u64>(n);
  auto const wrong             = t.below("wrong", t.all().size());
  auto const short_ = cuts[std::size_t(wrong) + 1] > cuts[std::size_t(wrong)];  // it has an item and no room for it
  auto const out    = t.room<u64>(extent(t.me()) == wrong && short_ ? extent(in.extent(0)) - 1 : extent(in.extent(0)));
  std::string said;
  try {
    ranks::exclusive_scan(t.all(), t.where(), in, out);
  } catch (onepass::precondition_error const& e) {
    said = e.what();
  }
  extent const has         = cuts[std::size_t(wrong) + 1] - cuts[std::size_t(wrong)];
  std::string const wanted = "onepass::ranks::exclusive_scan: the output has " + std::to_string(has - 1)
                             + " items and the input " + std::to_string(has) + "; give an output of at least "
                             + std::to_string(has) + " (rank " + std::to_string(wrong) + " of "
                             + std::to_string(t.all().size()) + ")";
  t.same("sentence", said, short_ ? wanted : std::string());
  int const many = t.all().size();
  said.clear();
  try {  // two ranks of 2^62 items are one item more than an extent can count
    auto const block = ranks::block_of(t.all(), extent(1) << 62);
    t.same("block", block, extent(1) << 62, 0, extent(1) << 62);
  } catch (onepass::precondition_error const& e) {
    said = e.what();
  }
  t.same("too many", said,
         many > 1 ? std::string("onepass::ranks::block_of: all ranks together have more than 2^63 - 1 items")
                  : std::string());
  u64 sum = 0;
  for (u64 const x : items) sum += x;
  t.same("the next call", ranks::reduce(t.all(), t.where(), in), sum);
}

}  // namespace

void add_scans(std::vector<family>& all)
{
  all.insert(all.end(), {{"sums", sums},
                         {"compositions", compositions},
                         {"carries apart", carries_apart},
                         {"totals", totals},
                         {"exact totals", exact_totals},
                         {"histograms", histograms},
                         {"refusals", refusals}});
}

}  // namespace ranks_test
