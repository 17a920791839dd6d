// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/registers.hpp>

namespace onepass::ONEPASS_ABI {

/// The stable order of a few thousand items by their codes, found by a team in its memory, with at most N items of each
/// thread. Very few items are compared with each other: an item's place is the number of those that precede it. More
/// are put in order by one digit after the other, the lowest first, but only by digits in which codes differ. Of many
/// digits the highest come first, alone, if they tell most items apart: where these leave few together, they are
/// compared. Codes of more bits than a Code has are taken a slice at a time, the lowest first.
///
/// The threads of a team are groups of `lanes` neighbours, each with N times as many neighbouring items. Besides rank()
/// and barrier() a team offers
///
///   lanes                       static; at most 32
///   threads()                   of all groups
///   sync()                      a barrier of the group
///   match(digits, width, same)  takes from each same[k] the lanes of the group whose digits[k] is another
///   any(code)                   the bits set in the code of any lane of the group
///   through(x)                  the sum over the lanes of the group, up to this one
///
/// Source: ranks by comparing, Knuth 1998 (5.2, algorithm C); lanes with one digit found by ballots, Ashkiani et al.
/// 2016; see docs/references.md.
template <class Code, int N, int Compared>
struct digit_order {
  static constexpr int slice = 8 * int(sizeof(Code));  ///< bits of a code that are taken at once
  static constexpr int bins  = 1 << one_digit;

  static constexpr std::size_t bytes(int threads, int lanes)
  {
    auto const groups = std::size_t(threads / lanes);
    return std::size_t(threads) * N * (sizeof(Code) + sizeof(std::uint16_t)) + (groups + 1) * sizeof(Code)
           + (groups * (bins + 1) + bins) * sizeof(std::uint32_t);
  }

  Code* codes;            ///< room for N items of each thread, at most 2^16; so have `places`
  Code* differing;        ///< of each group: in which bits its codes differ from the first of all; behind these, of all
  std::uint32_t* seen;    ///< of each group: for each bin, how often its items have it; then the same of groups before
  std::uint32_t* starts;  ///< of each bin: the place of the first item that has it
  std::uint32_t* sums;    ///< of each group
  std::uint16_t* places;  ///< after find(): of item j of the result its position among the n

  ONEPASS_FUNCTION digit_order(char* memory, int threads, int lanes)
      : codes(reinterpret_cast<Code*>(memory))
      , differing(codes + threads * N)
      , seen(reinterpret_cast<std::uint32_t*>(differing + threads / lanes + 1))
      , starts(seen + threads / lanes * bins)
      , sums(starts + bins)
      , places(reinterpret_cast<std::uint16_t*>(sums + threads / lanes))
  {}

  /// The order of items read(0) to read(n - 1), where code(item, at, width) is bits [at, at + width) of the code, which
  /// has `bits`. If these are one digit, tell(digit, items) is called for each of its values. By all threads of a team;
  /// ends with a barrier.
  template <class Team, class Read, class Part, class Tell>
  ONEPASS_FUNCTION void find(Team const& team, int n, int bits, Read const& read, Part const& code,
                             Tell const& tell) const
  {
    bool const tells = 1 <= bits && bits <= one_digit;
    if (!tells && bits <= slice && n <= Compared && n <= team.threads()) return compare(team, n, bits, read, code);

    constexpr int lanes = Team::lanes;
    int const first     = team.rank() / lanes * lanes * N + team.rank() % lanes;
    for (int low = 0; low == 0 || low < bits; low += slice) {
      int const width = bits - low < slice ? bits - low : slice;
      Code key[N];
      register_items<std::uint16_t, N> from;
      decltype(read(0)) x[N];
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
          from.set(k, std::uint16_t(low > 0 && first + k * lanes < n ? places[first + k * lanes] : first + k * lanes));
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (first + k * lanes < n) x[k] = read(from.get(k));
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) key[k] = first + k * lanes < n ? Code(code(x[k], low, width)) : 0;

      auto differs = Code(Code(~Code(0)) >> (slice - (width > 0 ? width : slice)));
      if (!tells) {
        Code const any = n > 0 ? Code(code(read(0), low, width)) : Code(0);
        differs        = 0;
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (first + k * lanes < n) differs |= key[k] ^ any;
        differs = all_groups(team, differs);
      }
      if (differs == 0) {
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (first + k * lanes < n) places[first + k * lanes] = from.get(k);
        team.barrier();
        continue;
      }
      Code& all = differing[team.threads() / lanes];  // threads have few registers left
      if (team.rank() == 0) all = differs;
      int later = bits <= slice ? digits_for_later(digits_of(differs)) : 0;
      if (later > 0 && !tells_apart(team, n, key, digit_of(differs, later).at)) later = 0;
      int done = later;
      for (auto digit = digit_of(differs, done);; digit = digit_of(all, done)) {
        move(team, n, digit, key, from, [&](int bin, std::uint32_t items) {
          if (tells) tell(bin, items);
        });
        if (without_digits(all, ++done) == 0) {
          if (later == 0 || mend(team, n, digit_of(all, later).at)) break;
          done = later = 0;  // all digits, from the lowest on
        }
        ONEPASS_UNROLL for (int k = 0; k < N; ++k)
        {
          int const at = first + k * lanes < n ? first + k * lanes : 0;
          key[k]       = codes[at];
          from.set(k, places[at]);
        }
      }
    }
  }

private:
  /// Digit `k` of those that have one of these bits, of which there are more; it begins and ends with one.
  ONEPASS_FUNCTION static digit_bits digit_of(Code set, int k)
  {
    set           = without_digits(set, k);
    int const at  = Kokkos::Experimental::countr_zero_builtin(set);
    auto const in = std::uint32_t(set >> at) & ((1u << one_digit) - 1);
    return {at, 32 - Kokkos::Experimental::countl_zero_builtin(in)};
  }
  /// What is left of these bits without the lowest so many digits.
  ONEPASS_FUNCTION static Code without_digits(Code set, int digits)
  {
    for (; digits > 0 && set != 0; --digits)
      set &= Code(~(Code((1u << one_digit) - 1) << Kokkos::Experimental::countr_zero_builtin(set)));
    return set;
  }
  ONEPASS_FUNCTION static int digits_of(Code set)
  {
    int digits = 0;
    for (; set != 0; set = without_digits(set, 1)) ++digits;
    return digits;
  }

  /// How many of the lowest digits are left for later: few items seldom agree in all of the highest.
  ONEPASS_FUNCTION static constexpr int digits_for_later(int digits)
  {
    return digits < 4 ? 0 : digits - (digits / 4 + 1);
  }

  /// Whether the codes' bits from `cut` on are different ones for most items, which those of floats seldom are: each
  /// marks the bit that they hash to, and few find it marked.
  template <class Team>
  ONEPASS_FUNCTION bool tells_apart(Team const& team, int n, Code const (&key)[N], int cut) const
  {
    constexpr int lanes = Team::lanes, many = lanes * N / 8;
    int const first = team.rank() / lanes * lanes * N + team.rank() % lanes, words = team.threads() / lanes * bins;
    for (int w = team.rank(); w < words; w += team.threads()) seen[w] = 0;
    team.barrier();
    std::uint32_t again = 0;
    ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (first + k * lanes < n)
    {
      auto const high = std::uint64_t(key[k] >> cut);
      auto const hash = std::uint32_t(high ^ high >> 32) * 0x9e3779b1u;
      auto const bit  = std::uint32_t(std::uint64_t(hash) * std::uint32_t(words * 32) >> 32);
      again += Kokkos::atomic_fetch_or(seen + bit / 32, 1u << bit % 32) >> bit % 32 & 1;
    }
    return all_groups(team, team.through(again) > std::uint32_t(many) ? Code(1) : Code(0)) == 0;
  }

  /// Puts items in order that are in the order of their codes' bits from `cut` on; whether it could. Items that agree
  /// in these are neighbours: where one is smaller than the one before it, each of them counts those that belong before
  /// it. It cannot if there are many such places, or if many items agree. Ends with a barrier.
  template <class Team>
  ONEPASS_FUNCTION bool mend(Team const& team, int n, int cut) const
  {
    constexpr int lanes = Team::lanes, most = 64, many = lanes * N / 8;
    constexpr Code moved = 1, too_many = 2;
    int const first    = team.rank() / lanes * lanes * N + team.rank() % lanes;
    auto const agree   = [&](int i, int j) { return 0 <= j && j < n && codes[i] >> cut == codes[j] >> cut; };
    std::uint32_t fall = 0;  // the k-th item does
    for (int w = team.rank(); w * 32 < n; w += team.threads()) seen[w] = 0;
    ONEPASS_NO_UNROLL for (int k = 0; k < N; ++k)
    {
      int const at = first + k * lanes;
      if (at < n && agree(at, at - 1) && codes[at - 1] > codes[at]) fall |= 1u << k;
    }
    auto const falls = team.through(std::uint32_t(Kokkos::Experimental::popcount_builtin(fall)));
    Code found       = all_groups(team, falls > many ? too_many : falls > 0 ? moved : Code(0));
    if (found & too_many) return false;
    if (found == 0) return true;

    found = 0;
    for (; fall != 0; fall &= fall - 1) {
      int const at = first + Kokkos::Experimental::countr_zero_builtin(fall) * lanes;
      int begin = at - 1, end = at + 1;
      while (at - begin < most && agree(at, begin - 1)) --begin;
      while (end - at < most && agree(at, end)) ++end;
      if (at - begin == most || end - at == most) found = too_many;
      else
        for (int i = begin; i < end; ++i) Kokkos::atomic_or(seen + i / 32, 1u << i % 32);
    }
    team.barrier();  // all know what was found before
    if (all_groups(team, found) != 0) return false;
    register_items<std::uint16_t, N> from, to;
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      int const at = first + k * lanes < n ? first + k * lanes : 0;
      int place    = at;
      if (seen[at / 32] >> at % 32 & 1) {
        for (int i = at - 1; agree(at, i); --i) place -= codes[i] > codes[at];
        for (int i = at + 1; agree(at, i); ++i) place += codes[i] < codes[at];
      }
      from.set(k, places[at]);
      to.set(k, std::uint16_t(place));
    }
    team.barrier();
    ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (first + k * lanes < n) places[to.get(k)] = from.get(k);
    team.barrier();
    return true;
  }

  /// Each thread counts for one item the items that precede it.
  template <class Team, class Read, class Part>
  ONEPASS_FUNCTION void compare(Team const& team, int n, int bits, Read const& read, Part const& code) const
  {
    int const i = team.rank(), group = i / Team::lanes * Team::lanes;
    Code mine = 0;
    if (i < n) codes[i] = mine = Code(code(read(i), 0, bits));
    team.barrier();
    if (i < n) {
      int const behind = group + Team::lanes < n ? group + Team::lanes : n;
      int before       = 0;
      for (int j = 0; j < group; ++j) before += codes[j] <= mine;
      for (int j = group; j < behind; ++j) before += j < i ? codes[j] <= mine : codes[j] < mine;
      for (int j = behind; j < n; ++j) before += codes[j] < mine;
      places[before] = std::uint16_t(i);
    }
    team.barrier();
  }

  /// The bits set in the code of any thread.
  template <class Team>
  ONEPASS_FUNCTION Code all_groups(Team const& team, Code own) const
  {
    int const lane = team.rank() % Team::lanes;
    own            = team.any(own);
    if (lane == 0) differing[team.rank() / Team::lanes] = own;
    team.barrier();
    Code all = 0;
    for (int g = lane; g < team.threads() / Team::lanes; g += Team::lanes) all |= differing[g];
    return team.any(all);
  }

  /// Brings codes and places, which a thread holds as key and from, into the order of one digit.
  template <class Team, class Tell>
  ONEPASS_FUNCTION void move(Team const& team, int n, digit_bits digit, Code const (&key)[N],
                             register_items<std::uint16_t, N> const& from, Tell const& tell) const
  {
    constexpr int lanes = Team::lanes;
    int const rank = team.rank(), lane = rank % lanes, first = rank / lanes * lanes * N;
    std::uint32_t* const mine = seen + rank / lanes * bins;
    std::uint32_t bin[N], same[N];
    for (int b = lane; b < digit.bins(); b += lanes) mine[b] = 0;
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      int const left = n - (first + k * lanes);
      bin[k]         = std::uint32_t(key[k] >> digit.at) & std::uint32_t(digit.bins() - 1);
      same[k]        = left <= 0 ? 0 : ~0u >> (32 - (left < lanes ? left : lanes));
    }
    team.match(bin, digit.width, same);
    team.sync();
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      auto const before = mine[bin[k]];
      team.sync();
      if (same[k] >> lane == 1)  // the last of these lanes
        mine[bin[k]] = before + std::uint32_t(Kokkos::Experimental::popcount_builtin(same[k]));
      team.sync();
      same[k] = before + std::uint32_t(Kokkos::Experimental::popcount_builtin(same[k] & ((1u << lane) - 1)));
    }
    team.barrier();
    place_bins(team, digit.bins(), tell);
    team.barrier();
    ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (first + k * lanes + lane < n)
    {
      auto const to = starts[bin[k]] + mine[bin[k]] + same[k];
      codes[to]     = key[k];
      places[to]    = from.get(k);
    }
    team.barrier();
  }

  /// Turns the groups' counts of each bin into those of the groups before, and makes `starts`.
  template <class Team, class Tell>
  ONEPASS_FUNCTION void place_bins(Team const& team, int count, Tell const& tell) const
  {
    constexpr int at_a_time = 8;  // loads on their way
    int const groups = team.threads() / Team::lanes, group = team.rank() / Team::lanes;
    int const each = (bins + team.threads() - 1) / team.threads(), begin = team.rank() * each;
    int const end     = begin + each < count ? begin + each : count;
    std::uint32_t own = 0;
    for (int b = begin; b < end; ++b) {
      std::uint32_t items = 0;
      for (int g = 0; g < groups; g += at_a_time) {
        std::uint32_t theirs[at_a_time];
        ONEPASS_UNROLL for (int k = 0; k < at_a_time; ++k) theirs[k] = g + k < groups ? seen[(g + k) * bins + b] : 0;
        ONEPASS_UNROLL for (int k = 0; k < at_a_time; ++k) if (g + k < groups)
        {
          seen[(g + k) * bins + b] = items;
          items += theirs[k];
        }
      }
      starts[b] = own;
      own += items;
      tell(b, items);
    }
    auto const through = team.through(own);
    if (team.rank() % Team::lanes == Team::lanes - 1) sums[group] = through;
    team.barrier();
    if (begin >= end) return;
    auto before = through - own;
    for (int g = 0; g < group; ++g) before += sums[g];
    for (int b = begin; b < end; ++b) starts[b] += before;
  }
};

}  // namespace onepass::ONEPASS_ABI
