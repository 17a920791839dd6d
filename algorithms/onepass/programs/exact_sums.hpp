// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_held.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/exact_sum.hpp>
#include <onepass/programs/scan.hpp>
#include <onepass/sequences.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI {

// Sums of floats without rounding. The machines combine sums that are held by three doubles (exact_sum.hpp), rounded
// when they are written. Where they can not hold one they write NaN, and a second pass makes it by digits, if there is
// such a sum: it also looks at those that are NaN by right, and makes NaNs of them again.

/// What an item adds: a number, as f64.
template <class F>
struct exact_number {
  static constexpr bool of_products = false;

  F f;

  template <class Item>
  ONEPASS_FUNCTION double number(Item const& x) const
  {
    return static_cast<double>(f(x));
  }
  template <class Item>
  ONEPASS_FUNCTION held_sum operator()(Item const& x) const
  {
    return held_sum(number(x));
  }
};
template <class F, class Item>
constexpr bool repeatable<exact_number<F>, Item> = repeatable<F, Item>;

/// The product of the two numbers of an item. `InF64`: f64 has it without rounding, as that of two f32.
template <bool InF64>
struct exact_product {
  static constexpr bool of_products = !InF64;

  template <class Item>
  ONEPASS_FUNCTION auto number(Item const& x) const
  {
    double const a = static_cast<double>(x.first), b = static_cast<double>(x.second);
    if constexpr (InF64) return a * b;
    else return float_product{a, b};
  }
  template <class Item>
  ONEPASS_FUNCTION held_sum operator()(Item const& x) const
  {
    if constexpr (InF64) return held_sum(number(x));
    else return held_product(static_cast<double>(x.first), static_cast<double>(x.second));
  }
};
template <bool InF64, class Item>
constexpr bool repeatable<exact_product<InF64>, Item> = true;

/// Whether f64 has all products of an X and a Y without rounding.
template <class X, class Y>
constexpr bool products_in_f64 = (std::is_same_v<X, float> || (std::is_integral_v<X> && sizeof(X) <= 2))
                                 && (std::is_same_v<Y, float> || (std::is_integral_v<Y> && sizeof(Y) <= 2));

/// The product of the two numbers of an item in T, as sums that are not exact take it.
template <class T>
struct rounded_product {
  template <class Item>
  ONEPASS_FUNCTION T operator()(Item const& x) const
  {
    return multiplies()(static_cast<T>(x.first), static_cast<T>(x.second));
  }
};
template <class T, class Item>
constexpr bool repeatable<rounded_product<T>, Item> = true;

template <class T>
ONEPASS_FUNCTION bool is_nan(T const& x)
{
  return !(x == x);
}
ONEPASS_FUNCTION bool is_nan(held_sum const& x) { return is_nan(double(x)); }

/// Adds numbers to digits, which are `Shared` if others add to them at the same time. What three doubles hold stays in
/// them.
template <class Sum, bool Shared>
struct digit_adder {
  std::int64_t* words;
  held_sum held = held_sum(0.0);

  ONEPASS_FUNCTION void add_digit(int d, std::int64_t digit) const
  {
    if constexpr (!Shared) words[d] += digit;
    else if (digit != 0) Kokkos::atomic_add(words + d, digit);
  }
  template <class Number>
  ONEPASS_FUNCTION void put(Number const& x) const
  {
    Sum::put(
        x, [this](int d, std::int64_t digit) { add_digit(d, digit); },
        [this](std::int64_t s) {
          if constexpr (!Shared) words[Sum::digits] |= s;
          else Kokkos::atomic_or(words + Sum::digits, s);
        });
  }
  /// Adds m 2^(e - 1075).
  ONEPASS_FUNCTION void put(std::int64_t m, int e) const
  {
    auto const size = m < 0 ? std::uint64_t(0) - std::uint64_t(m) : std::uint64_t(m);
    put_digits(size, e - 1 - 1074 - Sum::lowest, m < 0, [this](int d, std::int64_t digit) { add_digit(d, digit); });
  }
  ONEPASS_FUNCTION void add(double x)
  {
    double rest = x;
    if (Kokkos::fabs(x) < 0x1p960) {
      rest = 0;
      held.add(x, [&rest](double left) { rest = left; });
    }
    if (rest != 0) put(rest);
  }
  ONEPASS_FUNCTION void add(float_product const& p)
  {
    held_sum const x = held_product(p.x, p.y);
    if (is_nan(x.part[1])) put(p);
    else ONEPASS_NO_UNROLL for (int k = 0; k < 2; ++k) add(x.part[k]);
  }
  ONEPASS_FUNCTION void flush()
  {
    ONEPASS_NO_UNROLL for (int k = 0; k < held_sum::parts; ++k) put(k == 0   ? held.part[0]
                                                                    : k == 1 ? held.part[1]
                                                                             : held.part[2]);
    held = held_sum(0.0);
  }
};

/// The sum of all items as a Sum, a float that it is rounded to or held_sum; NaN if it is not held. Then the digits of
/// the pass that follows are cleared.
template <class In, class Sum, class Term, class Before = Sum>
struct exact_total_program : scan_program<scan_kind::total_only, In, nothing, held_sum, hold_plus, Term> {
  using base = scan_program<scan_kind::total_only, In, nothing, held_sum, hold_plus, Term>;
  using typename base::aggregate_type;

  given<Before> before;
  Sum* made;
  std::int64_t* words;  ///< of the pass that follows, which begins with what precedes the items; may be null

  ONEPASS_FUNCTION aggregate_type initial() const { return held_sum(double(before())); }
  template <int N>
  ONEPASS_FUNCTION aggregate_type combine_all(aggregate_type const& older, aggregate_type const (&newer)[N]) const
  {
    return hold_plus::all(older, newer);
  }
  ONEPASS_FUNCTION void finish(aggregate_type const& all, extent) const
  {
    using digits       = long_sum<Term::of_products>;
    Before const first = before();  // `made` may be there
    *made              = Sum(all);
    if (!is_nan(*made) || !words) return;
    auto& begun = *reinterpret_cast<digits*>(words);
    for (auto& word : begun.word) word = 0;
    begun.add(double(first));
    begun.settle();
  }
};

/// A range program over stretches of all items: adds them to digits, if their sum is NaN so far.
template <class In, class Sum, class Term, class Before = Sum>
struct add_to_digits {
  using sum = long_sum<Term::of_products>;

  static constexpr extent stretch         = 64;  ///< items
  static constexpr extent alone_at_a_time = 512;

  In in;
  item_count count;
  Term term;
  Before before;
  Sum const* made;
  std::int64_t* words;

  ONEPASS_FUNCTION extent size() const { return is_nan(*made) ? div_up(count() + 1, stretch) : 0; }
  static constexpr int positions(team_tuning const&) { return 1024; }
  ONEPASS_FUNCTION static constexpr int stage_words(int) { return 2 * sum::words; }

  /// By a host thread.
  void alone(extent first, extent last) const
  {
    auto own = sum::zero();
    digit_adder<sum, false> adder{own.word};
    if constexpr (is_contiguous<In>::value && std::is_same_v<Term, exact_number<unchanged>>) {
      extent const n = count(), end = std::min(n, last * stretch);
      for (extent begin = first * stretch, step = extent(1) << 24; begin < end; begin += step, own.settle()) {
        extent const items = std::min(step, end - begin);
        hold_on_host(in.data + begin, items, adder);
      }
      if (first * stretch <= n && n < last * stretch) adder.add(double(before));
    } else add_items(adder, first, last, 0, 1);
    adder.flush();
    own.settle();
    hand_on(own.word, 0, 1);
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    auto* const own = reinterpret_cast<std::int64_t*>(team.stage());
    ONEPASS_NO_UNROLL for (int w = team.rank(); w < sum::words; w += Team::threads) own[w] = 0;
    team.barrier();
    digit_adder<sum, true> adder{own};
    add_items(adder, first, last, team.rank(), Team::threads);
    adder.flush();
    team.barrier();
    if (team.rank() == 0) carry_digits(own, sum::digits);
    team.barrier();
    hand_on(own, team.rank(), Team::threads);
  }

private:
  /// Of these stretches. What precedes all items comes behind the last.
  template <class Adder>
  ONEPASS_FUNCTION void add_items(Adder& adder, extent first, extent last, int rank, int threads) const
  {
    extent const n = count(), end = last * stretch;
    ONEPASS_NO_UNROLL for (extent i = first * stretch + rank; i < end; i += threads)
    {
      if (i < n) adder.add(term.number(in(i)));
      else if (i == n) adder.add(double(before));
    }
  }
  ONEPASS_FUNCTION void hand_on(std::int64_t const* own, int rank, int threads) const
  {
    ONEPASS_NO_UNROLL for (int w = rank; w < sum::digits; w += threads) if (own[w] != 0)
        Kokkos::atomic_add(words + w, own[w]);
    if (rank == 0 && own[sum::digits] != 0) Kokkos::atomic_or(words + sum::digits, own[sum::digits]);
  }
};

/// Rounds the digits, if the sum is NaN so far. For one thread.
template <class Sum, class Float>
struct round_the_digits {
  std::int64_t* words;
  Float* rounded;

  ONEPASS_FUNCTION void operator()(extent) const
  {
    if (is_nan(*rounded)) *rounded = reinterpret_cast<Sum*>(words)->template rounded_away<Float>();
  }
};

/// A range program over sums of some items each: makes those anew, by digits, that are NaN so far. `Sums` says
///   number()             how many there are
///   begin(s), end(s)     the items of sum s
///   before(s)            what precedes them
///   leaves_open(s)       whether it has to be made anew; called once
///   close(s, long_sum)   writes it, and may change the digits
template <class In, class Term, class Sums>
struct make_sums_anew {
  using sum = long_sum<Term::of_products>;

  static constexpr extent alone_at_a_time = 1024;
  static constexpr extent at_once         = extent(1) << 24;  ///< items until carries move

  In in;
  Term term;
  Sums sums;

  ONEPASS_FUNCTION extent size() const { return sums.number(); }
  static constexpr int positions(team_tuning const& numbers) { return numbers.threads == 1 ? 64 : numbers.threads; }
  ONEPASS_FUNCTION static constexpr int stage_words(int positions) { return 2 * sum::words + positions + 1; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent s = first; s < last; ++s)
      if (sums.leaves_open(s)) {
        auto own = sum::zero();
        digit_adder<sum, false> adder{own.word};
        adder.add(sums.before(s));
        ONEPASS_NO_UNROLL for (extent at = sums.begin(s), end = sums.end(s); at < end; at += at_once)
        {
          ONEPASS_NO_UNROLL for (extent i = at, stop = at + at_once < end ? at + at_once : end; i < stop; ++i)
              adder.add(term.number(in(i)));
          own.settle();
        }
        adder.flush();
        sums.close(s, own);
      }
  }
  /// All threads look which sums are open, and then make one after another.
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    auto* const own  = reinterpret_cast<std::int64_t*>(team.stage());
    auto* const open = reinterpret_cast<std::uint32_t*>(own + sum::words);  // their number, then which
    if (team.rank() == 0) open[0] = 0;
    team.barrier();
    for (extent s = first + team.rank(); s < last; s += Team::threads)
      if (sums.leaves_open(s)) open[1 + Kokkos::atomic_fetch_add(open, 1u)] = std::uint32_t(s - first);
    team.barrier();
    std::uint32_t const number = open[0];
    for (std::uint32_t k = 0; k < number; ++k) {
      extent const s                                                                         = first + open[1 + k];
      ONEPASS_NO_UNROLL for (int w = team.rank(); w < sum::words; w += Team::threads) own[w] = 0;
      team.barrier();
      digit_adder<sum, true> adder{own};
      if (team.rank() == 0) adder.add(sums.before(s));
      ONEPASS_NO_UNROLL for (extent at = sums.begin(s), end = sums.end(s); at < end; at += at_once)
      {
        ONEPASS_NO_UNROLL for (extent i = at + team.rank(), stop = at + at_once < end ? at + at_once : end; i < stop;
                               i += Team::threads) adder.add(term.number(in(i)));
        team.barrier();
        if (team.rank() == 0) carry_digits(own, sum::digits);
        team.barrier();
      }
      adder.flush();
      team.barrier();
      if (team.rank() == 0) sums.close(s, *reinterpret_cast<sum*>(own));
      team.barrier();
    }
  }
};

/// The sums of segments for make_sums_anew. The offsets may be wrong.
template <class Segments, class Out>
struct open_segments {
  Segments all;
  extent limit;
  Out out;
  double init;

  ONEPASS_FUNCTION extent number() const { return all.number(); }
  ONEPASS_FUNCTION extent begin(extent s) const { return within(extent(all.offsets(s))); }
  ONEPASS_FUNCTION extent end(extent s) const { return within(extent(all.offsets(s + 1))); }
  ONEPASS_FUNCTION double before(extent) const { return init; }
  ONEPASS_FUNCTION bool leaves_open(extent s) const { return is_nan(out(s)); }
  template <class Sum>
  ONEPASS_FUNCTION void close(extent s, Sum& sum) const
  {
    out(s) = sum.template rounded_away<typename Out::value_type>();
  }

private:
  ONEPASS_FUNCTION extent within(extent i) const { return i < 0 ? 0 : i < limit ? i : limit; }
};

/// A number and where it is.
struct located_number {
  double number;
  extent at;
};
template <class Values>
struct located_numbers {
  using value_type = located_number;
  Values values;
  extent size = values.size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return {static_cast<double>(values(i)), i}; }
};

/// A sum of numbers and where the first of them is.
struct located_sum {
  held_sum sum;
  extent begin;

  located_sum() = default;
  ONEPASS_FUNCTION constexpr located_sum(held_sum const& s, extent b)
      : sum(s)
      , begin(b)
  {}
  ONEPASS_FUNCTION explicit located_sum(located_number const& x)
      : sum(x.number)
      , begin(x.at)
  {}
};
struct hold_located {
  static constexpr bool commutes = true;

  ONEPASS_FUNCTION located_sum operator()(located_sum const& a, located_sum const& b) const
  {
    return {hold_plus()(a.sum, b.sum), a.begin < b.begin ? a.begin : b.begin};
  }
  template <class T>
    requires(std::is_same_v<T, located_sum>)
  ONEPASS_FUNCTION static constexpr T identity() { return {held_sum(0.0), ~(extent(1) << 63)}; }
};

/// The sums of runs as they are written, and where each run begins: that of one run more than there is room for sums.
template <class Float>
struct located_result {
  Float sum;
  extent begin;

  located_result() = default;
  ONEPASS_FUNCTION explicit located_result(located_sum const& x)
      : sum(Float(x.sum))
      , begin(x.begin)
  {}
};
template <class Sums>
struct located_sums {
  using value_type = located_result<typename Sums::value_type>;

  Sums sums;
  extent* begins;
  extent size = sums.size + 1;

  struct item {
    located_sums all;
    extent i;
    ONEPASS_FUNCTION void operator=(value_type const& x) const
    {
      if (i < all.sums.size) all.sums(i) = x.sum;
      all.begins[i] = x.begin;
    }
  };
  ONEPASS_FUNCTION item operator()(extent i) const { return {*this, i}; }
};

/// The sums of runs for make_sums_anew.
template <class Sums, class Runs>
struct open_runs {
  Sums sums;
  extent const* begins;
  Runs const* runs;
  item_count count;

  ONEPASS_FUNCTION extent number() const { return extent(*runs) < sums.size ? extent(*runs) : sums.size; }
  ONEPASS_FUNCTION extent begin(extent s) const { return begins[s]; }
  ONEPASS_FUNCTION extent end(extent s) const { return s + 1 < extent(*runs) ? begins[s + 1] : count(); }
  ONEPASS_FUNCTION double before(extent) const { return 0; }
  ONEPASS_FUNCTION bool leaves_open(extent s) const { return is_nan(sums(s)); }
  template <class Sum>
  ONEPASS_FUNCTION void close(extent s, Sum& sum) const
  {
    sums(s) = sum.template rounded_away<typename Sums::value_type>();
  }
};

}  // namespace onepass::ONEPASS_ABI
