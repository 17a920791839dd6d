// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/partition.hpp>
#include <onepass/ranks/programs/exchange.hpp>
#include <onepass/select.hpp>

#include <utility>

namespace onepass::ONEPASS_ABI::ranks {

/// \addtogroup ranks
/// \{

/// out = the items x of this rank with predicate(x); of all ranks together, one block after another, those of all. As
/// onepass::select_if(). Returns how many they are here, on the ranks before, and on all. n items are read once and
/// each kept item is written once; each rank sends one word. repartition() evens out what is kept.
template <ranks_like Ranks, place_like Where, class In, class Out, class Predicate>
given_by<Ranks, block> select_if(Ranks&& all, Where const& where, In const& in, Out const& out, Predicate predicate)
{
  return detail::told_block("ranks::select_if", all, [&] {
    extent count = 0;
    onepass::select_if(on(where).or_named("ranks::select_if"), in, out, count, predicate);
    return count;
  });
}

/// kept = the items x of this rank with predicate(x), others = the rest of them. As onepass::partition_if(). Returns
/// both blocks: this rank's items are kept.first + i among all that are kept, others.first + i among all others.
template <ranks_like Ranks, place_like Where, class In, class Kept, class Others, class Predicate>
given_by<Ranks, std::pair<block, block>> partition_if(Ranks&& all, Where const& where, In const& in, Kept const& kept,
                                                      Others const& others, Predicate predicate)
{
  check_input<space_of<Where>, In>();
  struct counts {
    extent kept, others;
  };
  return detail::told_then(
      all,
      [&] {
        extent count = 0;
        onepass::partition_if(on(where).or_named("ranks::partition_if"), in, kept, others, count, predicate);
        return counts{count, as_input(in).size - count};
      },
      [&them = detail::transport_of(all)](std::vector<counts> const& parts) {
        auto const of = [&](auto const& part) { return detail::block_of("ranks::partition_if", them, parts, part); };
        return std::pair(of([](counts const& c) { return c.kept; }), of([](counts const& c) { return c.others; }));
      });
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
