// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/carries.hpp>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// Which rank has which items of a sequence whose runs go round the ranks: run k lies on rank k % ranks, behind those
/// of its runs that come before.
struct dealing {
  extent total;  ///< items of all ranks
  extent run;    ///< of which each run has so many, but the last one, which may have fewer
  int ranks;

  extent runs() const { return total / run + (total % run > 0); }
  extent runs_of(int rank) const { return (runs() + ranks - 1 - rank) / ranks; }
  extent items_of(int rank) const
  {
    extent const whole = total / run;
    return ((whole + ranks - 1 - rank) / ranks) * run + (int(whole % ranks) == rank ? total % run : 0);
  }
  /// The rank of the last item.
  int last() const { return int((runs() - 1) % ranks); }
};

/// What a rank tells before a call on dealt items.
struct dealt_part {
  extent items, run;
  bool takes;  ///< whether it takes part in one pass over the items of all ranks
};

/// The dealing of all items, where ranks have told theirs. All ranks come to the same, or to the same sentence.
inline dealing dealing_of(char const* label, std::vector<dealt_part> const& parts)
{
  extent total = 0;
  for (auto const& part : parts) total = added(label, total, part.items);
  dealing const all{total, parts[0].run, int(parts.size())};
  for (int r = 0; r < all.ranks; ++r)
    require(parts[std::size_t(r)].run == all.run, label, ": rank 0 deals in runs of ", all.run, " items, and rank ", r,
            " in runs of ", parts[std::size_t(r)].run, "; give all the same");
  for (int r = 0; r < all.ranks; ++r) {
    extent const has = parts[std::size_t(r)].items;
    require(has == all.items_of(r), label, ": rank ", r, " has ", has, " items, and of ", total,
            " items dealt in runs of ", all.run, " to ", all.ranks, " ranks it has ", all.items_of(r),
            "; give each rank its runs (dealt_items())");
  }
  return all;
}

/// Where the runs of a rank begin, and behind the last where its items end.
struct run_bounds {
  using value_type = extent;
  extent run, items, size;
  ONEPASS_FUNCTION extent operator()(extent k) const { return k < size - 1 ? k * run : items; }
};

/// The items of a sequence as values that may be absent.
template <class Items, class Algebra>
struct present_items {
  using value_type = typename Algebra::type;
  Items items;
  extent size;
  ONEPASS_FUNCTION value_type operator()(extent i) const
  {
    return Algebra::lift(static_cast<typename Algebra::value_type>(items(i)));
  }
};

/// The items of a rank's runs, with what other ranks have between two runs combined into an item beside it: the last
/// one of the run before for an exclusive scan, the first one of the run behind for an inclusive scan.
template <bool Inclusive, class Items, class T, class Op>
struct bridged_items {
  using value_type = T;
  Items items;
  T const* between;  ///< the k-th is what lies between runs k - 1 and k
  Op op;
  extent run, runs, size;

  ONEPASS_FUNCTION T operator()(extent i) const
  {
    T const own     = static_cast<T>(items(i));
    extent const k  = i < extent(1) << 32 && run < extent(1) << 32 ? std::uint32_t(i) / std::uint32_t(run)
                                                                   : i / run;  // 32 bits are cheaper
    extent const at = i - k * run;
    if constexpr (Inclusive) return at == 0 && k > 0 ? static_cast<T>(op(between[k], own)) : own;
    else return at == run - 1 && k + 1 < runs ? static_cast<T>(op(own, between[k + 1])) : own;
  }
};

/// Of runs whose sums are known, what a rank has to know.
template <class Carry>
struct bridges {
  Carry all;                   ///< everything
  std::vector<Carry> between;  ///< what lies before this rank's first run, and between each two of its runs
};

/// The sums of runs, each rank's one behind another, combined in the order of runs.
template <class Carries>
bridges<typename Carries::type> bridges_of(Carries const& by, dealing const& dealt, int rank,
                                           std::vector<std::vector<typename Carries::type>> const& sums)
{
  bridges<typename Carries::type> made{Carries::identity(), {}};
  auto since = Carries::identity();
  for (extent k = 0; k < dealt.runs(); ++k) {
    auto const owner = int(k % dealt.ranks);
    auto const& sum  = sums[std::size_t(owner)][std::size_t(k / dealt.ranks)];
    made.all         = by.combine(made.all, sum);
    if (owner != rank) since = by.combine(since, sum);
    else {
      made.between.push_back(since);
      since = Carries::identity();
    }
  }
  return made;
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
