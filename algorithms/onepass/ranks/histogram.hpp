// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_told.hpp>
#include <onepass/histogram.hpp>
#include <onepass/ranks/programs/payloads.hpp>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

/// What kernels tell each other of a histogram: how many items each bin of each rank has.
template <class Counts>
struct tell_counts {
  using value_type = std::uint64_t;
  std::uint64_t const* own;
  Counts counts;
  std::uint64_t* sums;  ///< where the host reads them
  std::uint64_t all = 0;

  ONEPASS_FUNCTION std::uint64_t mine(int b) const { return own[b]; }
  ONEPASS_FUNCTION void hear(int, int, std::uint64_t count) { all += count; }
  ONEPASS_FUNCTION void end(int b) const
  {
    counts(b) = static_cast<typename Counts::value_type>(all);
    sums[b]   = all;
  }
};

}  // namespace detail

/// counts(b) = the number of items x of all ranks with bin_of(x) == b, on every rank. As onepass::histogram(), but that
/// an item type of `counts` that can not hold a count of all ranks throws precondition_error. n items are read once;
/// each rank sends about two words a bin, however many ranks there are, or 2 KB to every rank where there are at most
/// 256 bins, which kernels tell each other where GPUs of one host do (then, where a type does not hold a count, counts
/// have been written). Waits for the counts. Started only
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
  auto const count_own   = [&](auto const& own) {
    onepass::require_disjoint(name, as_input(in), as_sequence(counts));
    onepass::histogram(here, in, own.items(), bin_of);
  };
  auto const require_held = [name](auto const& sums) {
    for (auto const sum : sums)
      require(sum <= std::uint64_t(Kokkos::Experimental::finite_max_v<count>), name, ": a bin has ", sum,
              " items of all ranks, which its type does not hold; give counts of a wider one");
  };
  auto const require_equal = [name](extent bins_here, extent bins_there) {
    require(bins_here == bins_there, name, ": ranks ask for ", bins_here, " and ", bins_there,
            " bins; give the same number");
  };
  using room       = detail::lent_room<std::uint64_t, space_of<Where>>;
  auto const bring = [&](room const& own, std::uint64_t* to) {
    auto const leaving = detail::pinned_buffers::of(them).items<std::uint64_t>(0, bins);
    detail::copy_items(here, as_input(own.items()), as_sequence(leaving));
    here.space.fence("onepass::ranks::histogram: counts leave");
    std::copy_n(leaving.data(), bins, to);
  };
  auto const tell = [&](std::uint64_t* to) {
    room const own(where, bins);
    count_own(own);
    bring(own, to);
  };
  auto const write = [=, &them](std::vector<std::uint64_t> const& sums) {
    require_held(sums);
    auto const result = detail::pinned_buffers::of(them).items<std::uint64_t>(1, bins);
    std::copy(sums.begin(), sums.end(), result.data());
    detail::copy_items(here, as_input(result), as_sequence(counts));
    here.space.fence("onepass::ranks::histogram: the list is dropped");
  };
  if constexpr (is_nonblocking<Ranks>)
    return detail::told_words_then(all, std::size_t(bins), tell, [=](std::vector<std::uint64_t> const& theirs) {
      std::vector<std::uint64_t> sums(static_cast<std::size_t>(bins));
      for (std::size_t first = 0; first < theirs.size(); first += sums.size())
        for (std::size_t b = 0; b < sums.size(); ++b) sums[b] += theirs[first + b];
      write(sums);
    });
  else {
    std::vector<std::uint64_t> sums, beside;
    auto const find_memory = [&] {
      sums.resize(static_cast<std::size_t>(bins));
      beside.resize(detail::beside_counts(all, bins));
    };
    if constexpr (tells_values<Where>)
      if (auto const words = them.share_words(words_of_values, detail::residence_of<space_of<Where>>);
          !words.of_rank.empty()) {
        std::optional<room> own;
        auto const asked = detail::told_beside_kernels(all, here, [&] {
          find_memory();
          detail::pinned_buffers::of(them).reserve(std::size_t(bins) * sizeof(std::uint64_t));
          count_own(own.emplace(where, bins));
          return bins;
        });
        for (extent const other : asked) require_equal(asked[0], other);
        if (fit_words<std::uint64_t>(bins, them.size())) {
          auto const found = detail::pinned_buffers::of(them).items<std::uint64_t>(1, bins);
          auto const to    = as_sequence(counts);
          run_told(here, detail::tell_counts<decltype(as_sequence(counts))>{own->data(), to, found.data()}, bins,
                   words.of_rank, them.rank(), words.call, name);
          here.space.fence("onepass::ranks::histogram: counts are told");
          return require_held(std::span(found.data(), found.size()));
        }
        bring(*own, sums.data());
        detail::add_up(all, sums, beside);
        return write(sums);
      }
    // Few counts travel with their number; of more, each rank adds up a part.
    constexpr std::size_t few = most_values, words = 1 + few;
    auto const number = std::size_t(bins);
    auto const told   = detail::told_words_then(
          all, words,
          [&](std::uint64_t* to) {
          find_memory();
          tell(sums.data());
          *to = number;
          if (number <= few) std::copy(sums.begin(), sums.end(), to + 1);
        },
          [](std::vector<std::uint64_t> const& theirs) { return theirs; });
    if (number <= few) std::fill(sums.begin(), sums.end(), 0);
    for (std::size_t at = 0; at < told.size(); at += words) {
      require_equal(extent(told[0]), extent(told[at]));
      if (number <= few)
        for (std::size_t b = 0; b < number; ++b) sums[b] += told[at + 1 + b];
    }
    if (number > few) detail::add_up(all, sums, beside);
    write(sums);
  }
}

}  // namespace onepass::ONEPASS_ABI::ranks
