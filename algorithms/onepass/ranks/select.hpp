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
template <place_like Where, class In, class Out, class Predicate>
block select_if(transport& all, Where const& where, In const& in, Out const& out, Predicate predicate)
{
  auto const counts = detail::told(all, [&] {
    extent count = 0;
    onepass::select_if(on(where).or_named("ranks::select_if"), in, out, count, predicate);
    return count;
  });
  return detail::block_of("ranks::select_if", all, counts);
}

/// kept = the items x of this rank with predicate(x), others = the rest of them. As onepass::partition_if(). Returns
/// both blocks: this rank's items are kept.first + i among all that are kept, others.first + i among all others.
template <place_like Where, class In, class Kept, class Others, class Predicate>
std::pair<block, block> partition_if(transport& all, Where const& where, In const& in, Kept const& kept,
                                     Others const& others, Predicate predicate)
{
  struct counts {
    extent kept, others;
  };
  auto const parts = detail::told(all, [&] {
    extent count = 0;
    onepass::partition_if(on(where).or_named("ranks::partition_if"), in, kept, others, count, predicate);
    return counts{count, as_input(in).size - count};
  });
  return {detail::block_of("ranks::partition_if", all, parts, [](counts const& c) { return c.kept; }),
          detail::block_of("ranks::partition_if", all, parts, [](counts const& c) { return c.others; })};
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
