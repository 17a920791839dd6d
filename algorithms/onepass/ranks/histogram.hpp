// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/histogram.hpp>
#include <onepass/ranks/programs/payloads.hpp>

namespace onepass::ONEPASS_ABI::ranks {

/// counts(b) = the number of items x of all ranks with bin_of(x) == b, on every rank. As onepass::histogram(), but that
/// an item type of `counts` that can not hold a count of all ranks throws precondition_error. n items are read once;
/// each rank sends about two words a bin, however many ranks there are, or 2 KB to every rank where there are at most
/// 256 bins. Waits for the counts. Started only
/// (nonblocking()), each rank sends a word a bin to every rank, and nobody sees whether ranks ask for one number of
/// bins.
/// \ingroup ranks
template <ranks_like Ranks, place_like Where, class In, class Counts, class BinOf>
given_by<Ranks, void> histogram(Ranks&& all, Where const& where, In const& in, Counts const& counts,
                                BinOf const& bin_of)
{
  using count            = typename Counts::value_type;
  char const* const name = "ranks::histogram";
  auto const here        = on(where).or_named(name);
  extent const bins      = extent(counts.extent(0));
  transport& them        = detail::transport_of(all);
  auto const tell        = [&](std::uint64_t* to) {
    require_disjoint(name, as_input(in), as_sequence(counts));
    detail::lent_room<std::uint64_t, space_of<Where>> const own(where, bins);
    onepass::histogram(here, in, own.items(), bin_of);
    auto const leaving = detail::pinned_buffers::of(them).items<std::uint64_t>(0, bins);
    detail::copy_items(here, as_input(own.items()), as_sequence(leaving));
    here.space.fence("onepass::ranks::histogram: counts leave");
    std::copy_n(leaving.data(), bins, to);
  };
  auto const write = [=, &them](std::vector<std::uint64_t> const& sums) {
    for (auto const sum : sums)
      require(sum <= std::uint64_t(Kokkos::Experimental::finite_max_v<count>), name, ": a bin has ", sum,
              " items of all ranks, which its type does not hold; give counts of a wider one");
    auto const result = detail::pinned_buffers::of(them).items<std::uint64_t>(1, bins);
    std::copy(sums.begin(), sums.end(), result.data());
    detail::copy_items(here, as_input(result), as_sequence(counts));
    here.space.fence("onepass::ranks::histogram: the list is dropped");
  };
  if constexpr (is_nonblocking<Ranks>)
    return detail::told_words_then(all, std::size_t(bins), tell, [=](std::vector<std::uint64_t> const& theirs) {
      std::vector<std::uint64_t> sums(static_cast<std::size_t>(bins));
      for (std::size_t k = 0; k < theirs.size(); ++k) sums[k % sums.size()] += theirs[k];
      write(sums);
    });
  else {
    // Few counts travel with their number; of more, each rank adds up a part.
    constexpr std::size_t few = 256, words = 1 + few;
    auto const number = static_cast<std::size_t>(bins);
    std::vector<std::uint64_t> sums(number);
    auto const told = detail::told_words_then(
        all, words,
        [&](std::uint64_t* to) {
          tell(sums.data());
          *to = sums.size();
          if (number <= few) std::copy(sums.begin(), sums.end(), to + 1);
        },
        [](std::vector<std::uint64_t> const& theirs) { return theirs; });
    if (number <= few) std::fill(sums.begin(), sums.end(), 0);
    for (std::size_t at = 0; at < told.size(); at += words) {
      require(told[at] == told[0], name, ": ranks ask for ", told[0], " and ", told[at], " bins; give the same number");
      if (number <= few)
        for (std::size_t b = 0; b < number; ++b) sums[b] += told[at + 1 + b];
    }
    if (number > few) detail::add_up(all, sums);
    write(sums);
  }
}

}  // namespace onepass::ONEPASS_ABI::ranks
