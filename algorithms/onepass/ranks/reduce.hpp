// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/count.hpp>
#include <onepass/ranks/programs/canonical.hpp>
#include <onepass/ranks/programs/carries.hpp>

namespace onepass::ONEPASS_ABI::ranks {

/// \addtogroup ranks
/// \{

/// init · all items of rank 0 · all items of rank 1 · …, on every rank. Items are combined in their own type, or in
/// `Accumulator`; init is a value. n items are read once; each rank sends one value.
///
/// Under exactly(exec) floats are added without rounding, over all ranks: the same bits for every number of ranks and
/// every cut into blocks. Each rank sends 584 bytes. Under canonically(exec) all items are one expression tree, as on
/// one rank; each rank sends less than a tile of items, and the totals of its nodes (docs/scale.md).
template <class Accumulator = void, ranks_like Ranks, place_like Where, class In, class Op = plus, class Init = no_init>
auto reduce(Ranks&& all, Where const& where, In const& in, Op op = {}, Init const& init = {})
{
  using T       = detail::combined_in<Accumulator, In>;
  using carries = detail::carries<T, Op>;
  carries const by(op);
  static_assert(carries::complete || !std::is_same_v<Init, no_init>,
                "onepass: a reduction with an operator that has no identity needs an init");
  if constexpr (is_exact_place<Where> && std::is_floating_point_v<T>) {
    static_assert(onepass::detail::adds_floats_exactly<T, Op>());
    return detail::told_then(
        all, [&] { return onepass::detail::sum_unrounded("ranks::reduce", where, in, exact_number<unchanged>{}); },
        [=](auto const& sums) {
          auto total = sums.front();
          for (std::size_t r = 1; r < sums.size(); ++r) total.combine(sums[r]);
          if constexpr (!std::is_same_v<Init, no_init>) total.add(double(static_cast<T>(init)));
          total.settle();
          return total.template round_to<T>();
        });
  } else if constexpr (detail::makes_tree<Where, T>) {
    check_input<space_of<Where>, In>();
    detail::refuse_nonblocking<Ranks>();
    return detail::by_canonical_tree<scan_kind::total_only, T>("ranks::reduce", all, where, as_input(in), nothing{}, op,
                                                               init, [] {});
  } else
    return detail::told_then(
        all, [&] { return by.sum(on(where).or_named("ranks::reduce"), in); },
        [by, init](auto const& sums) {
          return carries::value(by.combine(by.template first<false>(init), by.all(sums)));
        });
}

/// How many items x have predicate(x): on this rank, on those before it and on all. n items are read once; each rank
/// sends one word.
template <ranks_like Ranks, place_like Where, class In, class Predicate>
given_by<Ranks, block> count_if(Ranks&& all, Where const& where, In const& in, Predicate predicate)
{
  return detail::told_block("ranks::count_if", all, [&] {
    extent count = 0;
    onepass::count_if(on(where).or_named("ranks::count_if"), in, count, predicate);
    return count;
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
