// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>
#include <onepass/engine/items/tile.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/programs/exact_sums.hpp>
#include <onepass/programs/scatter.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace onepass::ONEPASS_ABI {

// Sums of floats by bins, without rounding, as integers: a bin is a fixed-point number in a window of the range of
// floats that a sample of the values has placed. What lies outside, infinities and NaNs are added in another way. So
// the window decides how long it takes, and nothing else.

/// Where the window is, and what has been found.
struct fixed_window {
  static constexpr int exponents = 2048;  ///< of f64
  static constexpr int reach     = 26;    ///< exponents that nearly all items of a sample should lie in

  int top                = 0;  ///< the window that holds most of the sample: its largest exponent
  std::uint32_t left     = 0;  ///< whether digits have been added to
  std::uint32_t negative = 0;  ///< whether the output held -0.0, which +0.0 replaces if anything is added, even zero
  std::uint32_t zeros    = 0;  ///< whether it still does, where nothing is left of what may have been added
  std::uint32_t chained  = 0;  ///< how many values have been chained to their bins,
  std::uint32_t listed   = 0;  ///< how many of these chains are long,
  std::uint32_t done     = 0;  ///< and how many stretches of values have been looked through for them
};

/// A float as f64 has it; see split_float.
ONEPASS_FUNCTION split_float split_number(float x)
{
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return split_f32(bits);
}
ONEPASS_FUNCTION split_float split_number(double x)
{
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return split_f64(bits);
}

/// 2^e, at least 2^-1074 and less than 2^1024.
ONEPASS_FUNCTION double power_of_two(int e)
{
  std::uint64_t const bits = e >= -1022 ? std::uint64_t(e + 1023) << 52 : std::uint64_t(1) << (e + 1074);
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

ONEPASS_FUNCTION bool is_negative_zero(double x)
{
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits == std::uint64_t(1) << 63;
}

/// The items of an output, and what is added to them: fixed-point numbers, in words of `Bits` bits.
template <class Out, class Value, int Bits>
struct fixed_point : output_items<Out> {
  using number      = typename Out::value_type;
  using amount_type = unsigned_128;
  using source      = std::conditional_t<std::is_same_v<Value, float>, float, double>;  ///< which values are taken as
  using long_type   = long_sum<>;

  static constexpr bool narrow  = sizeof(source) == 4;
  static constexpr int mantissa = narrow ? 24 : 53;

  /// What some items add together: of f32, 64 bits, as long as the highest position is no higher than this.
  using unit_type                      = std::conditional_t<narrow, std::int64_t, signed_128>;
  static constexpr int highest_in_unit = narrow ? 37 : 63;

  int highest;                   ///< position of an item, so that all items together fit
  int base           = 0;        ///< exponent of position 0
  extent const* left = nullptr;  ///< how many items there still are to add: all or none. Null: all

  /// `used`: the bits of a sum.
  fixed_point(Out const& to, extent items, int used = Bits)
      : output_items<Out>{to}
      , highest(std::min(63, used - 2 - mantissa - int(std::bit_width(std::uint64_t(items)))))
  {}

  ONEPASS_FUNCTION bool is_idle() const { return left && *left == 0; }

  /// The window begins at exponent `wanted`, or near it.
  ONEPASS_FUNCTION void put_window_at(int wanted)
  {
    // No part of a sum overflows, or is lost.
    constexpr int first = narrow ? moved + 1 : 1, last = narrow ? 254 + moved - highest_in_unit : 1970;
    base = wanted < first ? first : wanted > last ? last : wanted;
  }
  /// The window reaches down from items of this exponent.
  ONEPASS_FUNCTION void put_window_below(int top) { put_window_at(top - highest); }

  /// Whether there is something to add that lies outside of the window.
  ONEPASS_FUNCTION bool is_outside(split_float const& x) const
  {
    return unsigned(x.exponent - base) > unsigned(highest) && (x.mantissa != 0 || x.exponent == 0);
  }
  /// What an item adds that does not.
  ONEPASS_FUNCTION amount_type within(split_float const& x) const
  {
    int const at = x.exponent - base;
    return unsigned(at) > unsigned(highest) ? 0 : amount_at(x, at);
  }
  /// The same as what some items add together. outside() is called first if there is something that lies outside.
  template <class Outside>
  ONEPASS_FUNCTION unit_type unit_of(source value, Outside const& outside) const
  {
    std::conditional_t<narrow, std::uint32_t, std::uint64_t> bits;
    std::memcpy(&bits, &value, sizeof bits);
    constexpr int fraction = mantissa - 1, sign = 8 * int(sizeof bits) - 1;
    int const at = int(bits >> fraction & (narrow ? 0xff : 0x7ff)) + moved - base;
    if (unsigned(at) <= unsigned(highest)) {  // not of zero, a denormal or what is no number: windows end before these
      auto const one = static_cast<decltype(bits)>(1);
      return unit_at({(bits & ((one << fraction) - 1)) | one << fraction, 0, bits >> sign != 0}, at);
    }
    auto const x = split_number(value);
    if (is_outside(x)) outside();
    int const other = x.exponent - base;
    return unsigned(other) > unsigned(highest) ? 0 : unit_at(x, other);
  }

  /// The sum of words and of what item b was, rounded once, goes to item b, by integers alone, which takes least. False
  /// if the item has bits below the window.
  ONEPASS_FUNCTION bool finish_within(extent b, amount_type const& words_of_sum, number const& was) const
  {
    using Kokkos::Experimental::countl_zero_builtin;
    auto const before = split_number(was);
    int const at      = before.exponent - base;
    if (unsigned(at) > 63u && (before.mantissa != 0 || before.exponent == 0)) return false;
    auto const sum = sum_of(words_of_sum) + static_cast<signed_128>(before.mantissa == 0 ? 0 : amount_at(before, at));
    auto all       = static_cast<amount_type>(sum < 0 ? -sum : sum);
    if (all == 0) return write(b, 0), true;
    auto const high = static_cast<std::uint64_t>(all >> 64);
    int const zeros = high != 0 ? countl_zero_builtin(high) : 64 + countl_zero_builtin(static_cast<std::uint64_t>(all));
    all <<= zeros;
    write(b, round_highest<number>(static_cast<std::uint64_t>(all >> 64), static_cast<std::uint64_t>(all) != 0,
                                   127 - zeros + base - 1075, sum < 0));
    return true;
  }

  /// The same wherever they lie. Of bins that have no digits.
  ONEPASS_FUNCTION void finish_sum(extent b, amount_type const& words_of_sum, number const& was) const
  {
    if (finish_within(b, words_of_sum, was) || finish_held(b, words_of_sum, [](held_sum&) {})) return;
    finish_exactly(b, words_of_sum, [](long_type&) {});
  }
  /// With what lies in digits.
  ONEPASS_FUNCTION void finish_by_digits(extent b, amount_type const& words_of_sum, std::int64_t const* digits) const
  {
    finish_exactly(b, words_of_sum, [&](long_type& exact) {
      ONEPASS_NO_UNROLL for (int w = 0; w < long_type::words; ++w) { exact.word[w] = digits[w]; }
    });
  }
  ONEPASS_FUNCTION static bool has_digits(std::int64_t const* digits)
  {
    bool has = false;
    ONEPASS_NO_UNROLL for (int w = 0; w < long_type::words; ++w) { has = has || digits[w] != 0; }
    return has;
  }

  /// With what more(sum) adds, unless all together is not held.
  template <class More>
  ONEPASS_FUNCTION bool finish_held(extent b, amount_type const& words_of_sum, More const& more) const
  {
    held_sum held(0.0);
    each_term(b, words_of_sum, [&](double term) { held.add(term); });
    more(held);
    number const rounded(held);
    if (is_nan(rounded)) return false;
    write(b, rounded);
    return true;
  }

  /// With what more(digits) adds, whatever it is.
  template <class More>
  ONEPASS_FUNCTION void finish_exactly(extent b, amount_type const& words_of_sum, More const& more) const
  {
    auto exact = long_type::zero();
    more(exact);
    each_term(b, words_of_sum, [&](double term) { exact.add(term); });
    write(b, exact.template rounded_away<number>());
  }

protected:
  ONEPASS_FUNCTION static signed_128 sum_of(amount_type const& words_of_sum)
  {
    constexpr int unused = Bits == 96 ? 32 : 0;
    return static_cast<signed_128>(words_of_sum << unused) >> unused;
  }

private:
  ONEPASS_FUNCTION void write(extent b, number sum) const { (*this)(b) = with_positive_zero(sum); }

  static constexpr int moved = narrow ? 1075 - 150 : 0;  ///< an exponent of f64 is so much larger

  ONEPASS_FUNCTION static unit_type unit_at(split_float const& x, int at)
  {
    if constexpr (!narrow) return static_cast<unit_type>(amount_at(x, at));
    else {
      auto const sign = -std::int64_t(x.negative);
      return (std::int64_t(x.mantissa << at) ^ sign) - sign;
    }
  }
  /// An item with its last bit at position `at`, at most 63.
  ONEPASS_FUNCTION static amount_type amount_at(split_float const& x, int at)
  {
    auto const sign = -std::int64_t(x.negative);  // signs are hard to predict
    auto const m    = (std::int64_t(x.mantissa) ^ sign) - sign;
    return amount_type(static_cast<std::uint64_t>((m >> 1) >> (63 - at))) << 64 | std::uint64_t(m) << at;
  }
  /// Calls f for floats whose sum is that of words and of what item b was.
  template <class F>
  ONEPASS_FUNCTION void each_term(extent b, amount_type const& words_of_sum, F const& f) const
  {
    constexpr int bits    = 43;
    constexpr auto mask   = (std::uint64_t(1) << bits) - 1;
    auto const sum        = sum_of(words_of_sum);
    double const unit     = power_of_two(base - 1075);
    double const terms[4] = {double(std::int64_t(sum >> 2 * bits)) * (unit * power_of_two(2 * bits)),
                             double(std::uint64_t(sum >> bits) & mask) * (unit * power_of_two(bits)),
                             double(std::uint64_t(sum) & mask) * unit, double((*this)(b))};
    ONEPASS_UNROLL for (int k = 0; k < 4; ++k) f(terms[k]);
  }
};

/// A range program that readies sums. Position 0 places the window by a sample of the values, and notes whether the
/// output holds -0.0, where that matters; the others clear memory. Not if there is nothing to add.
template <class Values, class Sums, int Sample>
struct ready_sums {
  static constexpr extent stretch         = 2048;  ///< packs of a position
  static constexpr int at_once            = 4;     ///< values that a thread reads together
  static constexpr extent alone_at_a_time = 8;
  static constexpr int exponents          = fixed_window::exponents;

  Values values;
  Sums sums;
  pack* memory;
  extent packs;

  ONEPASS_FUNCTION extent size() const { return sums.is_idle() ? 0 : most(); }
  ONEPASS_FUNCTION extent most() const { return 1 + div_up(packs, stretch); }
  static constexpr int positions(team_tuning const&) { return 1; }
  ONEPASS_FUNCTION static constexpr int stage_words(int) { return exponents + 3; }

  void alone(extent first, extent last) const
  {
    std::vector<std::uint64_t> stage(stage_words(1) / 2 + 1);
    together<1>(lone_team{reinterpret_cast<char*>(stage.data())}, first, first, last);
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    ONEPASS_NO_UNROLL for (extent at = first; at < last; ++at)
    {
      if (at == 0) {
        if (!sums.left) place(team);  // else it has been placed by what left them
      } else
        for (extent i = (at - 1) * stretch + team.rank(), end = at * stretch < packs ? at * stretch : packs; i < end;
             i += Team::threads)
          memory[i] = {};
    }
  }

private:
  template <class Team>
  ONEPASS_FUNCTION void place(Team const& team) const
  {
    auto* const best     = reinterpret_cast<std::uint64_t*>(team.stage());  // how many, then exponents - 1 - the top
    auto* const seen     = reinterpret_cast<std::uint32_t*>(best + 1);
    auto* const negative = seen + exponents;
    extent const n       = values.size;
    int const sample     = n < Sample ? int(n) : Sample;
    typename Values::value_type value[at_once];
    auto const read = [&](int first) {
      ONEPASS_UNROLL for (int k = 0; k < at_once; ++k) if (extent const i = first + k * Team::threads; i < sample)
          value[k] = values(n < Sample ? i : i * n / Sample);
    };
    read(team.rank());  // while these come, counters are cleared
    for (int e = team.rank(); e < exponents; e += Team::threads) seen[e] = 0;
    if (team.rank() == 0) *best = 0, *negative = 0;
    team.barrier();

    for (int first = team.rank(); first < sample;) {
      ONEPASS_UNROLL for (int k = 0; k < at_once; ++k)
      {
        if (first + k * Team::threads >= sample) break;
        auto const x = split_number(static_cast<typename Sums::source>(value[k]));
        if (x.mantissa != 0) Kokkos::atomic_add(seen + x.exponent, 1u);
      }
      first += at_once * Team::threads;
      if (first < sample) read(first);
    }
    if constexpr (Sums::notes_zeros)
      for (extent i = team.rank(); i < sums.size(); i += Team::threads)
        if (is_negative_zero(double(sums(i)))) Kokkos::atomic_store(negative, 1u);
    team.barrier();

    // Of the windows that hold most the lowest.
    for (int top = team.rank(); top < exponents; top += Team::threads) {
      if (seen[top] == 0) continue;
      std::uint64_t items = 0;
      for (int d = 0; d < fixed_window::reach && d <= top; ++d) items += seen[top - d];
      Kokkos::atomic_max(best, items * exponents + std::uint64_t(exponents - 1 - top));
    }
    team.barrier();
    if (team.rank() != 0) return;
    fixed_window found;
    found.top      = exponents - 1 - int(*best & (exponents - 1));
    found.negative = *negative;
    *sums.window   = found;
  }
};

}  // namespace onepass::ONEPASS_ABI
