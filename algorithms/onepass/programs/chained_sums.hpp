// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/sums.hpp>
#include <onepass/programs/fixed_point.hpp>

namespace onepass::ONEPASS_ABI {

// Bins of two words of 64 bits each in memory, for few values each: a value is one or two additions that nobody waits
// for. What lies outside of the window, infinities and NaNs are chained to their bins, whose sums are finished by a
// thread each; those of long chains are added to digits (exact_sum.hpp).

/// A value, the slot of its bin, and which one follows in the bin's chain, counted from 1; 0: none does.
struct chained_value {
  double value;
  std::uint32_t slot, next;
};

/// What a sum program adds floats to. Each bin has a slot; where there are many more bins than values, only those bins
/// have that are met.
template <class Out, class Value>
struct chained_sums : fixed_point<Out, Value, 128> {
  using base_type = fixed_point<Out, Value, 128>;
  using typename base_type::amount_type;
  using typename base_type::long_type;
  using typename base_type::number;
  using typename base_type::source;
  using unit_type = amount_type;  // positions may be higher than a narrower one takes

  static constexpr int words        = 4;  ///< of a sum in a team's memory
  static constexpr int above        = 2;  ///< exponents that the window has above that of the sample
  static constexpr extent most_bins = extent(1) << 31;
  static constexpr int chained      = 128;  ///< values at most that a thread adds one after another
  static constexpr bool notes_zeros = false;

  int low_bits;  ///< of a value: those that go to the first word
  fixed_window* window;
  extent slots;
  std::uint32_t* owner;   ///< of each slot: its bin, counted from 1; 0: none. Null: the bin of the same number
  std::uint64_t* word;    ///< of each slot two: its sum is word[2 s] + 2^low_bits word[2 s + 1]
  std::uint32_t* chain;   ///< of each slot: its first value, counted from 1; 0: none; ~k: it is the k-th that is listed
  chained_value* values;  ///< room for all
  std::uint32_t* listed;  ///< slots with long chains,
  std::int64_t* digit;    ///< and the digits of each

  chained_sums(Out const& to, extent items)
      : chained_sums(to, items, std::min(40, 63 - int(std::bit_width(std::uint64_t(items)))))
  {}

  /// The same with what the window is now.
  ONEPASS_FUNCTION chained_sums loaded() const
  {
    chained_sums now = *this;
    now.put_window_at(window->top + above - this->highest);
    return now;
  }

  ONEPASS_FUNCTION amount_type amount(extent bin, Value const& value) const
  {
    auto const x     = static_cast<source>(value);
    auto const split = split_number(x);
    if (!is_below(bin, this->size())) return 0;
    if (owner && is_negative_zero(double((*this)(bin)))) (*this)(bin) = 0;  // as it is with anything added
    if (this->is_outside(split)) {
      std::uint32_t const k = Kokkos::atomic_fetch_add(&window->chained, 1u), s = std::uint32_t(slot(bin));
      values[k] = {double(x), s, Kokkos::atomic_exchange(chain + s, k + 1)};
    }
    return this->within(split);
  }
  template <bool Shared>
  ONEPASS_FUNCTION void put(extent bin, amount_type const& x) const
  {
    auto const limit         = signed_128(1) << low_bits;
    auto const sum           = static_cast<signed_128>(x);
    bool const short_one     = -limit < sum && sum < limit;
    std::uint64_t const low  = short_one ? std::uint64_t(sum) : std::uint64_t(sum) & std::uint64_t(limit - 1),
                        high = short_one ? 0 : std::uint64_t(sum >> low_bits);
    auto* const to           = word + 2 * slot(bin);
    if (low != 0) Kokkos::atomic_add(to, low);
    if (high != 0) Kokkos::atomic_add(to + 1, high);
  }

  /// The sum of slot s and what its bin was, rounded once, goes to the bin, unless its chain is long: then s is listed.
  /// Of loaded ones.
  ONEPASS_FUNCTION void finish(extent s) const
  {
    if (owner && owner[s] == 0) return;
    extent const b      = bin_of(s);
    auto const sum      = kept(s);
    std::uint32_t at    = chain[s];
    number const before = (*this)(b);  // all three are read at once
    if (sum == 0 && at == 0) {
      if (is_negative_zero(double(before))) Kokkos::atomic_store(&window->zeros, 1u);
      return;
    }
    if (at == 0 && this->finish_within(b, sum, before)) return;
    auto const each_chained = [&](auto const& f) {
      at = chain[s];
      for (int k = 0; k < chained && at != 0; ++k, at = values[at - 1].next) f(values[at - 1].value);
    };
    if (this->finish_held(b, sum, [&](held_sum& held) {
          each_chained([&](double x) { held.add(x); });
          if (at != 0) held.add(Kokkos::Experimental::quiet_NaN_v<double>);
        }))
      return;
    if (at == 0)
      return this->finish_exactly(b, sum, [&](long_type& exact) { each_chained([&](double x) { exact.add(x); }); });
    std::uint32_t const k = Kokkos::atomic_fetch_add(&window->listed, 1u);
    listed[k]             = std::uint32_t(s);
    chain[s]              = ~k;
    ONEPASS_NO_UNROLL for (int w = 0; w < long_type::words; ++w) { digits_of(k)[w] = 0; }
  }
  /// Adds the k-th value that is chained to digits of its bin, if it is listed.
  ONEPASS_FUNCTION void add_to_digits(extent k) const
  {
    chained_value const& x    = values[k];
    std::uint32_t const which = ~chain[x.slot];
    if (which < window->listed) digit_adder<long_type, true>{digits_of(which)}.put(x.value);
  }
  /// Finishes the k-th slot that is listed.
  ONEPASS_FUNCTION void finish_listed(extent k) const
  {
    this->finish_by_digits(bin_of(listed[k]), kept(listed[k]), digits_of(k));
  }

private:
  /// So few low bits that those of all items together are one word.
  chained_sums(Out const& to, extent items, int low)
      : base_type(to, items, low + 63)
      , low_bits(low)
  {}
  ONEPASS_FUNCTION std::int64_t* digits_of(extent k) const { return digit + k * long_type::words; }
  ONEPASS_FUNCTION extent slot(extent bin) const
  {
    return owner ? slot_of(owner, std::uint32_t(slots), 0, std::uint32_t(bin) + 1) : bin;
  }
  ONEPASS_FUNCTION extent bin_of(extent s) const { return owner ? extent(owner[s]) - 1 : s; }
  ONEPASS_FUNCTION amount_type kept(extent s) const
  {
    auto const low = static_cast<std::int64_t>(word[2 * s]), high = static_cast<std::int64_t>(word[2 * s + 1]);
    return (static_cast<amount_type>(high) << low_bits) + static_cast<amount_type>(low);
  }
};

/// A range program over slots: finishes their bins.
template <class Sums>
struct finish_chained_sums {
  static constexpr extent alone_at_a_time = 1024;
  static constexpr bool in_turns          = true;

  Sums sums;

  ONEPASS_FUNCTION extent size() const { return sums.is_idle() ? 0 : sums.slots; }
  static constexpr int positions(team_tuning const& numbers) { return 2 * numbers.threads; }
  ONEPASS_FUNCTION static constexpr int stage_words(int) { return 1; }

  void alone(extent first, extent last) const { together<1>(lone_team{}, first, first, last); }
  template <int Positions, class Team>
  ONEPASS_FUNCTION bool together(Team const& team, extent, extent first, extent last) const
  {
    auto const loaded = sums.loaded();
    ONEPASS_NO_UNROLL for (extent s = first + team.rank(); s < last; s += Team::threads) loaded.finish(s);
    return true;
  }
};

/// A range program over stretches of values, if finish_chained_sums has left anything: values of long chains are added
/// to digits, and zeros that are left of something become positive. Whoever is last finishes what is listed.
template <class Program>
struct finish_rest {
  static constexpr extent stretch         = 2048;
  static constexpr extent alone_at_a_time = 8;

  Program add;

  ONEPASS_FUNCTION extent size() const
  {
    fixed_window const& w = *add.sums.window;
    return w.zeros != 0 || w.listed != 0 ? most() : 0;
  }
  ONEPASS_FUNCTION extent most() const { return div_up(add.size(), stretch); }
  static constexpr int positions(team_tuning const&) { return 1; }
  ONEPASS_FUNCTION static constexpr int stage_words(int) { return 1; }

  void alone(extent first, extent last) const
  {
    std::uint32_t stage;
    for (extent at = first; at < last; ++at) together<1>(lone_team{reinterpret_cast<char*>(&stage)}, at, at, at + 1);
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent at, extent) const
  {
    static_assert(Positions == 1);
    auto const sums     = add.sums.loaded();
    fixed_window& found = *sums.window;
    extent const begin = at * stretch + team.rank(), end = (at + 1) * stretch;
    if (found.zeros != 0) {
      auto const places = add.keys();
      ONEPASS_NO_UNROLL for (extent i = begin; i < end && i < add.size(); i += Team::threads)
      {
        extent const b = add.bin(places(i));
        if (is_below(b, sums.size()) && is_negative_zero(double(sums(b)))) sums(b) = 0;
      }
    }
    if (found.listed == 0) return;
    ONEPASS_NO_UNROLL for (extent k = begin; k < end && k < extent(found.chained); k += Team::threads)
        sums.add_to_digits(k);

    auto* const before = reinterpret_cast<std::uint32_t*>(team.stage());
    Kokkos::memory_fence();
    team.barrier();
    if (team.rank() == 0) *before = Kokkos::atomic_fetch_add(&found.done, 1u);
    team.barrier();
    if (extent(*before) + 1 < most()) return;
    Kokkos::memory_fence();
    ONEPASS_NO_UNROLL for (extent k = team.rank(); k < extent(found.listed); k += Team::threads) sums.finish_listed(k);
  }
};

}  // namespace onepass::ONEPASS_ABI
