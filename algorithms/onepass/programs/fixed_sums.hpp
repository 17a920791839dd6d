// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/splits.hpp>
#include <onepass/programs/fixed_point.hpp>

namespace onepass::ONEPASS_ABI {

// Bins of three or four words, so that a team has many in its memory. What lies outside of the window is added to
// digits of the bin (exact_sum.hpp), one by one. Few bins have digits at hand. Of many bins, whose items lie in the
// order of parts, a part is noted as open that has such items, and its bins are finished by teams that look for them
// again.

/// What a sum program adds floats to. Values are f32 in windows of three words, others are taken as f64, in four.
template <class Out, class Value, bool Parted = false>
struct fixed_sums : fixed_point<Out, Value, std::is_same_v<Value, float> ? 96 : 128> {
  using base_type = fixed_point<Out, Value, std::is_same_v<Value, float> ? 96 : 128>;
  using typename base_type::amount_type;
  using typename base_type::long_type;
  using typename base_type::number;
  using typename base_type::source;
  using typename base_type::unit_type;

  static constexpr int words = base_type::narrow ? 3 : 4;
  static constexpr int usual = base_type::narrow ? 33 : 40;  ///< the position of items with the top exponent: they, and
                                                             ///< some below, are one or two words of the window
  static constexpr extent most_items = extent(1) << 30;
  static constexpr bool notes_zeros  = !Parted;  ///< of the output

  /// What is left to do in a part: to add what lies outside of the window, and to look for zeros, by which -0.0 in the
  /// output becomes +0.0.
  enum rest : std::uint32_t { outside = 1, zeros = 2 };

  fixed_window* window;
  std::uint32_t* word;             ///< `words` of each item of the output
  std::int64_t* digit  = nullptr;  ///< long_type::words of each; not of parts
  std::uint32_t* added = nullptr;  ///< of each: whether anything was added, where that matters; not of parts
  std::uint32_t* open  = nullptr;  ///< of each part: its rest
  int part_bits        = 0;        ///< a part has 2^part_bits items of the output
  bool matters         = false;

  fixed_sums(Out const& to, extent items, fixed_window* where, std::uint32_t* words_of_all)
      : base_type(to, items)
      , window(where)
      , word(words_of_all)
  {
    this->highest = std::min(this->highest, base_type::highest_in_unit);
  }

  /// The same with what the window is now.
  ONEPASS_FUNCTION fixed_sums loaded() const
  {
    fixed_sums now = *this;
    now.put_window_at(window->top - (usual < this->highest ? usual : this->highest));
    if constexpr (!Parted) now.matters = window->negative != 0;
    return now;
  }

  ONEPASS_FUNCTION unit_type amount(extent bin, Value const& value) const
  {
    auto const x = static_cast<source>(value);
    if constexpr (!Parted)
      if (matters && is_below(bin, this->size())) note(added + bin);
    return this->unit_of(x, [&] {
      if (!is_below(bin, this->size())) return;
      if constexpr (Parted) leave(bin, outside);
      else {
        digit_adder<long_type, true>{digit + bin * long_type::words}.put(double(x));
        if (seen(&window->left) == 0) Kokkos::atomic_store(&window->left, 1u);
      }
    });
  }

  /// Adds a value that lies outside of the window to digits. Of loaded ones.
  ONEPASS_FUNCTION void put_outside(Value const& value, std::int64_t* digits) const
  {
    auto const x = static_cast<source>(value);
    if (this->is_outside(split_number(x))) digit_adder<long_type, true>{digits}.put(double(x));
  }

  template <bool Shared>
  ONEPASS_FUNCTION void put(extent bin, amount_type const& x) const
  {
    std::uint32_t* const first = word + bin * words;
    auto const add             = [first](int w, std::uint32_t y) {
      if constexpr (Shared) return Kokkos::atomic_fetch_add(first + w, y);
      else {
        std::uint32_t const was = first[w];
        first[w]                = was + y;
        return was;
      }
    };
    add_to_words<words>(x, add, add);
  }

  /// The words of item b become a sum.
  ONEPASS_FUNCTION void keep(extent b, amount_type const& sum) const
  {
    ONEPASS_UNROLL for (int w = 0; w < words; ++w) word[b * words + w] = static_cast<std::uint32_t>(sum >> (32 * w));
  }
  ONEPASS_FUNCTION amount_type kept(extent b) const
  {
    amount_type sum = 0;
    ONEPASS_UNROLL for (int w = 0; w < words; ++w) sum |= amount_type(word[b * words + w]) << (32 * w);
    return sum;
  }

  // Of loaded ones: the sum of item b and what it was, rounded once, goes to item b.

  ONEPASS_FUNCTION void finish(extent b) const
  {
    if constexpr (!Parted) finish(b, kept(b), window->left != 0 ? digit + b * long_type::words : nullptr);
    else if (!leaves(b, outside)) finish(b, kept(b), nullptr);
  }
  /// The same of a sum that is not kept, unless something lies outside of the window: then it is.
  ONEPASS_FUNCTION void finish_or_keep(extent b, amount_type const& sum) const
  {
    if (leaves(b, outside)) keep(b, sum);
    else finish(b, sum, nullptr);
  }
  /// With what lies in digits, if there are any.
  ONEPASS_FUNCTION void finish(extent b, amount_type const& words_of_sum, std::int64_t const* digits) const
  {
    bool const by_digits = digits && base_type::has_digits(digits);

    number& to = (*this)(b);
    if (base_type::sum_of(words_of_sum) == 0 && !by_digits) {
      if constexpr (Parted) {
        if (is_negative_zero(double(to))) leave(b, zeros);
      } else if (matters && added[b] != 0 && is_negative_zero(double(to))) to = 0;
      return;
    }
    if (by_digits) this->finish_by_digits(b, words_of_sum, digits);
    else this->finish_sum(b, words_of_sum, to);
  }
  ONEPASS_FUNCTION bool leaves(extent b, rest what) const { return (seen(open + (b >> part_bits)) & what) != 0; }
  ONEPASS_FUNCTION void leave(extent b, rest what) const
  {
    if (!leaves(b, what)) Kokkos::atomic_or(open + (b >> part_bits), std::uint32_t(what));
  }

private:
  // Words that others may write at the same time. Devices read and write them whole, and Kokkos' atomic_load and
  // atomic_store are compare-and-swap loops there up to version 4.7.

  ONEPASS_FUNCTION static std::uint32_t seen(std::uint32_t const* word)
  {
    KOKKOS_IF_ON_HOST((return Kokkos::atomic_load(word);))
    KOKKOS_IF_ON_DEVICE((return *word;))
  }
  ONEPASS_FUNCTION static void note(std::uint32_t* word)
  {
    KOKKOS_IF_ON_HOST((Kokkos::atomic_store(word, 1u);))
    KOKKOS_IF_ON_DEVICE((*word = 1;))
  }
};

template <class Sums>
struct finish_fixed_sums {
  Sums sums;
  ONEPASS_FUNCTION void operator()(extent b) const { sums.loaded().finish(b); }
};

/// A range program over the first shares of all parts, their second shares, and so on: does their rest.
template <class Program>
struct finish_open_parts {
  using sums_type = decltype(Program::sums);
  using long_type = typename sums_type::long_type;

  static constexpr extent shares          = 16;  ///< of a part
  static constexpr extent stretch         = 32;  ///< bins, whose digits a team holds
  static constexpr extent alone_at_a_time = 16;

  Program add;

  ONEPASS_FUNCTION extent size() const { return add.is_idle() ? 0 : most(); }
  ONEPASS_FUNCTION extent most() const { return add.parts() * shares; }
  static constexpr int positions(team_tuning const&) { return 8; }
  ONEPASS_FUNCTION static constexpr int stage_words(int) { return 2 * long_type::words * int(stretch); }

  void alone(extent first, extent last) const
  {
    std::vector<std::int64_t> digits(long_type::words * stretch);
    together<1>(lone_team{reinterpret_cast<char*>(digits.data())}, first, first, last);
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    ONEPASS_NO_UNROLL for (extent at = first; at < last; ++at)
    {
      extent const share = at / add.parts(), part = at - share * add.parts();
      if (add.sums.open[part] != 0) finish(team, part, share, reinterpret_cast<std::int64_t*>(team.stage()));
    }
  }

private:
  template <class Team>
  ONEPASS_FUNCTION void finish(Team const& team, extent part, extent share, std::int64_t* digits) const
  {
    extent const first = part << add.part_bits, bins = add.alone(part, true).number;
    auto const sums   = add.sums.loaded();
    auto const places = add.keys();
    extent const from = partition_point(add.n, [&](extent i) { return add.part(places(i)) < part; }),
                 here = partition_point(add.n - from, [&](extent i) { return add.part(places(from + i)) == part; });
    if (sums.leaves(first, sums_type::outside))
      for (extent begin = share * stretch; begin < bins; begin += shares * stretch) {
        extent const held = begin + stretch < bins ? stretch : bins - begin;
        add_outside(team, sums, from, here, first + begin, held, digits);
        for (extent b = team.rank(); b < held; b += Team::threads)
          sums.finish(first + begin + b, sums.kept(first + begin + b), digits + b * long_type::words);
        team.barrier();
        zeros_become_positive(team, from, from + here, first + begin, held);
      }
    else zeros_become_positive(team, from + here * share / shares, from + here * (share + 1) / shares, first, bins);
  }
  /// Digits become the sums of what lies outside of the window, for `held` bins from `begin` on.
  template <class Team>
  ONEPASS_FUNCTION void add_outside(Team const& team, sums_type const& sums, extent from, extent items, extent begin,
                                    extent held, std::int64_t* digits) const
  {
    for (extent w = team.rank(); w < held * long_type::words; w += Team::threads) digits[w] = 0;
    team.barrier();
    ONEPASS_NO_UNROLL for (extent i = from + team.rank(); i < from + items; i += Team::threads)
    {
      extent const b = extent(add.keys()(i)) - begin;
      if (is_below(b, held)) sums.put_outside(add.values()(i), digits + b * long_type::words);
    }
    team.barrier();
  }
  /// What is -0.0 after it was finished has had nothing but zeros.
  template <class Team>
  ONEPASS_FUNCTION void zeros_become_positive(Team const& team, extent from, extent to, extent begin, extent bins) const
  {
    ONEPASS_NO_UNROLL for (extent i = from + team.rank(); i < to; i += Team::threads)
    {
      extent const b = extent(add.keys()(i));
      if (is_below(b - begin, bins) && is_negative_zero(double(add.sums(b)))) add.sums(b) = 0;
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
