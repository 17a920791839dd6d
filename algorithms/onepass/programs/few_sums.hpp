// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/relays.hpp>
#include <onepass/engine/sums.hpp>
#include <onepass/programs/fixed_sums.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI {

/// A relay program of one turn: a team adds few floats to bins, exactly, each bin as a fixed-point number in the team's
/// memory, in a window below the largest value. Values outside of it, infinities and NaNs are chained to their bins.
/// Where chains are long, or three doubles do not hold the sum, bins are finished later, some at a time, with digits.
template <class Add>
struct few_sums {
  using sums_type  = decltype(Add::sums);
  using long_type  = typename sums_type::long_type;
  using value_type = typename Add::value_type;

  static constexpr int words          = sums_type::words;
  static constexpr int at_once        = 4;   ///< items that a thread reads together
  static constexpr int digits_at_once = 32;  ///< bins
  static constexpr int chained        = 8;   ///< values at most that a thread adds one after another
  static constexpr auto none          = ~std::uint32_t(0);

  Add add;  ///< sums: of no window

  static extent turns() { return 1; }
  std::size_t stage_bytes(int) const
  {
    return sizeof(std::int64_t) * digits_at_once * long_type::words
           + sizeof(std::uint32_t) * std::size_t((words + 3) * slots() + 2 * add.size() + 2);
  }

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent) const
  {
    memory const m(*this, team.stage());
    for (std::uint32_t s = std::uint32_t(team.rank()); s < m.slots; s += Team::threads) {
      m.owner[s] = none, m.chain[s] = none;
      ONEPASS_UNROLL for (int w = 0; w < words; ++w) m.word[std::uint32_t(w) * m.slots + s] = 0;
    }
    if (team.rank() == 0) *m.top = 0, *m.number = 0;
    team.barrier();

    int top = 0;
    each_item(team, [&](extent i, extent bin, split_float const& x, value_type const&) {
      m.place[i] = is_below(bin, add.bins()) ? m.slot(std::uint32_t(bin)) : none;
      if (m.place[i] != none && x.mantissa != 0 && x.exponent > top) top = x.exponent;
    });
    if (top > 0) Kokkos::atomic_max(m.top, top);
    team.barrier();

    sums_type sums = add.sums;
    sums.put_window_below(*m.top);
    each_item(team, [&](extent i, extent, split_float const& x, value_type const&) {
      std::uint32_t const s = m.place[i];
      if (s == none) return;
      if (sums.is_outside(x)) return m.link(s, std::uint32_t(i));
      std::uint32_t* const first = m.word + s;
      auto const fetch_add       = [&](int w, std::uint32_t y) {
        return Kokkos::atomic_fetch_add(first + std::uint32_t(w) * m.slots, y);
      };
      add_to_words<words>(sums.within(x), fetch_add, fetch_add);
    });
    team.barrier();

    for (std::uint32_t s = std::uint32_t(team.rank()); s < m.slots; s += Team::threads)
      if (m.owner[s] != none) finish_or_list(sums, m, s);
    team.barrier();
    ONEPASS_NO_UNROLL for (std::uint32_t k = 0; k < *m.number; k += digits_at_once)
    {
      for (int d = team.rank(); d < digits_at_once * long_type::words; d += Team::threads) m.digit[d] = 0;
      team.barrier();
      each_item(team, [&](extent i, extent, split_float const&, value_type const& value) {
        if (m.place[i] == none) return;
        std::uint32_t const j = m.listed[m.place[i]] - k;
        if (j < digits_at_once) sums.put_outside(value, m.digit + j * long_type::words);
      });
      team.barrier();
      if (std::uint32_t const j = std::uint32_t(team.rank()); j < digits_at_once && k + j < *m.number)
        finish_by_digits(sums, m, m.in_order[k + j], m.digit + j * long_type::words);
      team.barrier();
    }
  }

private:
  /// Half as many again as items, so that most are found at once.
  ONEPASS_FUNCTION extent slots() const { return add.size() + add.size() / 2 + 1; }

  /// The team's: for each item a slot, and slots of bins.
  struct memory {
    std::uint32_t slots;
    std::int64_t* digit;
    std::uint32_t *word, *owner;       ///< the words of a bin, word[w slots + s]; its index
    std::uint32_t *chain, *next;       ///< the first item of a bin's chain; that after each
    std::uint32_t *listed, *in_order;  ///< a slot's place in the list of those that need digits; that list
    std::uint32_t *place, *number;     ///< slots of items; length of the list
    int* top;                          ///< the largest exponent

    ONEPASS_FUNCTION memory(few_sums const& all, char* stage)
        : slots(std::uint32_t(all.slots()))
        , digit(reinterpret_cast<std::int64_t*>(stage))
        , word(reinterpret_cast<std::uint32_t*>(digit + digits_at_once * long_type::words))
        , owner(word + words * slots)
        , chain(owner + slots)
        , next(chain + slots)
        , listed(chain)  // which it then takes the place of
        , in_order(next + all.add.size())
        , place(in_order + slots)
        , number(place + all.add.size())
        , top(reinterpret_cast<int*>(number + 1))
    {}

    ONEPASS_FUNCTION std::uint32_t slot(std::uint32_t bin) const { return slot_of(owner, slots, none, bin); }
    ONEPASS_FUNCTION void link(std::uint32_t s, std::uint32_t i) const
    {
      next[i] = Kokkos::atomic_exchange(chain + s, i);
    }
    ONEPASS_FUNCTION auto sum(std::uint32_t s) const
    {
      typename sums_type::amount_type all = 0;
      ONEPASS_UNROLL for (int w = 0; w < words; ++w) all |=
          typename sums_type::amount_type(word[std::uint32_t(w) * slots + s]) << (32 * w);
      return all;
    }
  };

  /// The sum of a slot and its chain goes to its bin, unless it takes digits.
  ONEPASS_FUNCTION void finish_or_list(sums_type const& sums, memory const& m, std::uint32_t s) const
  {
    std::uint32_t at = m.chain[s];
    bool const held  = (at == none && sums.finish_within(m.owner[s], m.sum(s), sums(m.owner[s])))
                      || sums.finish_held(m.owner[s], m.sum(s), [&](held_sum& sum) {
                           for (int k = 0; k < chained && at != none; ++k, at = m.next[at])
                             sum.add(static_cast<double>(static_cast<typename sums_type::source>(add.values()(at))));
                           if (at != none) sum.add(Kokkos::Experimental::quiet_NaN_v<double>);  // more than that
                         });
    m.listed[s] = held ? none : Kokkos::atomic_fetch_add(m.number, 1u);
    if (!held) m.in_order[m.listed[s]] = s;
  }
  ONEPASS_FUNCTION void finish_by_digits(sums_type const& sums, memory const& m, std::uint32_t s,
                                         std::int64_t const* digits) const
  {
    sums.finish(m.owner[s], m.sum(s), digits);
    if (auto& to = sums(m.owner[s]); is_negative_zero(double(to))) to = 0;  // what was added has made zero
  }

  /// Calls f(i, bin, value split, value) for each item i, by all threads.
  template <class Team, class F>
  ONEPASS_FUNCTION void each_item(Team const& team, F const& f) const
  {
    auto const keys   = add.keys();
    auto const values = add.values();
    ONEPASS_NO_UNROLL for (extent first = team.rank(); first < add.size(); first += at_once * Team::threads)
    {
      typename Add::key_type key[at_once];
      value_type value[at_once];
      ONEPASS_UNROLL for (int k = 0; k < at_once; ++k)
      {
        extent const i = first + k * Team::threads;
        if (i < add.size()) key[k] = keys(i), value[k] = values(i);
      }
      ONEPASS_UNROLL for (int k = 0; k < at_once; ++k)
      {
        extent const i = first + k * Team::threads;
        if (i >= add.size()) break;
        f(i, add.bin(key[k]), split_number(static_cast<typename sums_type::source>(value[k])), value[k]);
      }
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
