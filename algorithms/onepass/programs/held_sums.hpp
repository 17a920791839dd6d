// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/exact_sum.hpp>
#include <onepass/programs/scatter.hpp>

namespace onepass::ONEPASS_ABI {

// Floats that one thread of a host adds by index, without rounding.

/// Adds floats, or rows of them, to an output by one thread of a host, which holds the sum of each of its items, by two
/// doubles or by three.
template <class Sum, class Indices, class Values, class Out>
struct add_to_held_sums {
  using number = typename Out::value_type;

  Indices indices;
  Values values;
  Out out;
  Sum* sums;             ///< for each slot of a row those of its items
  std::uint32_t* owner;  ///< of each slot: its row, counted from 1; 0: none. Null: the row of the same number
  extent slots;

  static constexpr bool in_pairs = std::is_same_v<Sum, held_pair>;
  static constexpr extent ahead  = 64;  ///< values, for whose sums memory is asked

  /// False, and nothing is written, if a sum is not held.
  bool operator()() const
  {
    bool held = true;
    each_sum([](Sum& sum, number const& before) { sum = Sum{double(before)}; });
    each_place([&](Sum& sum, number const&, auto const& x) { sum.add(double(x), [&](double) { held = false; }); });
    if (held)
      each_sum([](Sum const& sum, number& to) {
        if (!is_new(sum)) to = with_positive_zero(number(sum));
      });
    return held;
  }

private:
  static bool is_new(Sum const& sum)
  {
    if constexpr (in_pairs) return sum.is_new();
    else return false;
  }

  /// Of all items if the sums tell which are met; else, or of many rows, of those that are, some more than once.
  template <class F>
  void each_sum(F const& f) const
  {
    if (!in_pairs || out.size > sparse_rows * indices.size)
      return each_place([&](Sum& sum, auto& to, auto const&) { f(sum, to); });
    for (extent row = 0; row < out.size; ++row) each_item(row, [&](Sum& sum, number& to, int) { f(sum, to); });
  }
  template <class F>
  void each_place(F const& f) const
  {
    for (extent i = 0; i < indices.size; ++i) {
      if (is_contiguous<Indices>::value && !owner)
        if (extent const next = i + ahead < indices.size ? extent(indices(i + ahead)) : 0; is_below(next, out.size))
          __builtin_prefetch(sums + next * items_of_row(out), 1);
      if (extent const row = extent(indices(i)); is_below(row, out.size))
        each_item(row, [&](Sum& sum, number& to, [[maybe_unused]] int column) {
          if constexpr (has_wide_rows<Values>) f(sum, to, values.at(i, column));
          else f(sum, to, values(i));
        });
    }
  }
  template <class F>
  void each_item(extent row, F const& f) const
  {
    extent const slot = owner ? slot_of(owner, std::uint32_t(slots), 0, std::uint32_t(row) + 1) : row;
    if constexpr (!has_wide_rows<Out>) f(sums[slot], out(row), 0);
    else
      for (int c = 0; c < out.width; ++c) f(sums[slot * out.width + c], out.at(row, c), c);
  }
};

}  // namespace onepass::ONEPASS_ABI
