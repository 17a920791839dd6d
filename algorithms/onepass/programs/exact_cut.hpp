// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

namespace onepass::ONEPASS_ABI {

/// A code and the position of its item: what all comparisons are of.
template <class Code>
struct placed_code {
  Code code;
  extent at;

  ONEPASS_FUNCTION bool reaches(Code other, extent position) const
  {
    return other < code || (other == code && position <= at);
  }
};

/// Finds, by all threads of a team, a bound that as many of some placed codes reach as are asked for: digit by digit,
/// first of the code, then of the position, until the last digit parts the wanted from the others.
template <class Count, class Code>
struct exact_cut {
  static constexpr int bins = 256, together = 8;

  Count counts[bins];
  int digit;           ///< of the bound
  extent before, has;  ///< items of lower digits; of this one

  /// `source(i)` for i below n gives the placed codes; `wanted` of them, from 1 to n, will reach the bound.
  template <class Team, class Source>
  ONEPASS_FUNCTION placed_code<Code> find(Team const& team, Source const& source, extent n, extent wanted, int at_bits)
  {
    placed_code<Code> bound{0, 0};
    Code code_left        = Code(~Code(0));  // bits that are not known yet
    extent at_left        = extent(~std::uint64_t(0) >> 1);
    int const code_digits = int(sizeof(Code)), digits = code_digits + int(div_up(at_bits, 8));
    ONEPASS_NO_UNROLL for (int d = 0; d < digits; ++d)
    {
      bool const of_code  = d < code_digits;
      int const shift     = 8 * ((of_code ? code_digits : digits) - 1 - d);
      auto const digit_of = [&](placed_code<Code> const& x) {
        return int((of_code ? std::uint64_t(x.code) : std::uint64_t(x.at)) >> shift & 255);
      };
      for (int b = team.rank(); b < bins; b += Team::threads) counts[b] = 0;
      team.barrier();

      int last  = 0;  // equal digits that follow each other are counted at once
      Count run = 0;
      for (extent first = team.rank(); first < n; first += extent(together) * Team::threads) {
        placed_code<Code> x[together];
        ONEPASS_UNROLL for (int j = 0; j < together; ++j)
        {
          extent const i = first + extent(j) * Team::threads;
          x[j]           = source(i < n ? i : first);
        }
        ONEPASS_UNROLL for (int j = 0; j < together; ++j)
        {
          bool const counts_here = first + extent(j) * Team::threads < n
                                   && !((x[j].code ^ bound.code) & Code(~code_left))
                                   && (of_code || !((x[j].at ^ bound.at) & ~at_left));
          if (!counts_here) continue;
          int const mine = digit_of(x[j]);
          if (mine != last && run > 0) {
            Kokkos::atomic_add(&counts[last], run);
            run = 0;
          }
          last = mine;
          ++run;
        }
      }
      if (run > 0) Kokkos::atomic_add(&counts[last], run);
      team.barrier();

      extent sum = 0;
      for (int b = team.rank(), summed = 0; b < bins; b += Team::threads) {
        for (; summed < b; ++summed) sum += extent(counts[summed]);
        if (sum < wanted && wanted <= sum + extent(counts[b])) {
          digit  = b;
          before = sum;
          has    = extent(counts[b]);
        }
      }
      team.barrier();
      wanted -= before;
      if (of_code) {
        bound.code = Code(bound.code | Code(Code(digit) << shift));
        code_left  = Code(code_left ^ Code(Code(255) << shift));
      } else {
        if (d == code_digits) at_left = (extent(1) << 8 * (digits - code_digits)) - 1;
        bound.at |= extent(digit) << shift;
        at_left ^= extent(255) << shift;
      }
      if (wanted == has) break;  // all of this digit are wanted
    }
    return {Code(bound.code | code_left), bound.at | at_left};
  }
};

/// Calls list(place, x), by all threads of a team, for each placed code x of n that reaches a bound, in order. `kept`
/// has a number for every thread.
template <class Count, class Team, class Source, class Code, class List>
ONEPASS_FUNCTION void list_what_reaches(Team const& team, Source const& source, extent n,
                                        placed_code<Code> const& bound, Count* kept, List const& list)
{
  // Threads take neighbouring stretches: they count, then list behind those before.
  extent const stretch = div_up(n, Team::threads), first = team.rank() * stretch,
               last  = first + stretch < n ? first + stretch : n;
  auto const reaches = [&](placed_code<Code> const& x) { return bound.reaches(x.code, x.at); };
  Count own          = 0;
  for (extent i = first; i < last; ++i) own += reaches(source(i));
  kept[team.rank()] = own;
  team.barrier();
  Count place = 0;
  for (int t = 0; t < team.rank(); ++t) place += kept[t];
  for (extent i = first; i < last; ++i)
    if (auto const x = source(i); reaches(x)) list(place++, x);
}

}  // namespace onepass::ONEPASS_ABI
