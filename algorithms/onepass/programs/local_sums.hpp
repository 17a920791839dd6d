// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/sums.hpp>
#include <onepass/programs/fixed_point.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace onepass::ONEPASS_ABI {

// Sums of floats by bins, where items that are near each other are of bins that are: in order, in reverse, nearly so.
// Then a part of the bins has its items in few chunks of the input, and a team adds them in its memory, reads its bins
// once and writes them once. Whether it is so a first look at all keys finds out; if not, nothing has been added, and
// all items are left to others.

/// The sums of a part: fixed-point numbers in limbs of 16 bits, to which items are added without a carry.
template <class Out, class Value>
struct local_sums : fixed_point<Out, Value, 128> {
  using base_type = fixed_point<Out, Value, 128>;
  using typename base_type::amount_type;
  using typename base_type::number;
  using typename base_type::unit_type;

  static constexpr int limb_bits    = 16;
  static constexpr int words        = base_type::narrow ? 4 : 6;  ///< one for each limb; the last one has a sign
  static constexpr extent most      = extent(1) << limb_bits;     ///< items of a part
  static constexpr bool notes_zeros = false;

  fixed_window* window = nullptr;

  explicit local_sums(Out const& to)
      : base_type(to, 1)
  {
    this->highest = base_type::narrow ? base_type::highest_in_unit : 41;  // no limb overflows
  }

  /// The same with what the window is now.
  ONEPASS_FUNCTION local_sums loaded() const
  {
    constexpr int above = 5;  // exponents that the window has above that of the sample
    local_sums now      = *this;
    now.put_window_below(window->top + above);
    return now;
  }
};

/// What is found of the parts of the bins of a sum program, 2^PartBits each.
template <class Add, int PartBits>
struct local_parts {
  static constexpr extent chunk = 256;  ///< items
  static constexpr int bins     = 1 << PartBits;

  Add add;
  extent* left;              ///< how many items are left to others: none or all
  std::uint32_t* chunks_of;  ///< each part: how many chunks have items of it, perhaps;
  std::uint32_t* listed;     ///< and which, `room` for each
  extent room = room_for(add.size(), add.bins());

  ONEPASS_FUNCTION extent chunks() const { return div_up(add.size(), chunk); }
  ONEPASS_FUNCTION extent parts() const { return parts_of(add.bins()); }

  ONEPASS_FUNCTION int bins_in(extent part) const
  {
    extent const rest = add.bins() - (part << PartBits);
    return rest < bins ? int(rest) : bins;
  }

  ONEPASS_FUNCTION static extent parts_of(extent all) { return div_up(all, bins); }
  /// Twice as many as a part has if each has as many, and some more.
  ONEPASS_FUNCTION static extent room_for(extent items, extent all)
  {
    return 2 * div_up(div_up(items, parts_of(all)), chunk) + 6;
  }
  /// The bin of an item in the part from `origin` on; others are not below `bins`. The part has items.
  ONEPASS_FUNCTION std::uint32_t bin_in_part(typename Add::key_type const& key, extent origin) const
  {
    extent const b = add.bin(key) - origin;
    if constexpr (sizeof(key) > 4)
      if (!is_below(b, bins)) return std::uint32_t(bins);
    return std::uint32_t(b);
  }
};

/// A range program over chunks: lists each with the parts that it has items of, which are near that of its first.
template <class Add, int PartBits>
struct find_local_parts : local_parts<Add, PartBits> {
  using base = local_parts<Add, PartBits>;
  using unit = sum_unit<Add>;
  using key  = typename Add::key_type;
  using base::add;
  using base::chunk;

  static constexpr int near               = 64;  ///< parts, half of them below that of a chunk's first item
  static constexpr int words              = near / 32;
  static constexpr int each               = 16;  ///< items of a thread, where there are enough threads
  static constexpr extent alone_at_a_time = 64;

  ONEPASS_FUNCTION extent size() const { return this->chunks(); }
  static constexpr int positions(team_tuning const& numbers)
  {
    return std::max(1, numbers.threads * each / int(chunk));
  }
  ONEPASS_FUNCTION static constexpr int stage_words(int positions) { return positions * (2 + words) + 1; }

  void alone(extent first, extent last) const
  {
    std::vector<extent> stage(stage_words(1) / 2 + 1);
    for (extent c = first; c < last; ++c) together<1>(lone_team{reinterpret_cast<char*>(stage.data())}, c, c, c + 1);
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    constexpr int mine = Positions * int(chunk) / unit::items / Team::threads;
    auto* const lowest = reinterpret_cast<extent*>(team.stage());               // of each chunk: a part,
    auto* const seen   = reinterpret_cast<std::uint32_t*>(lowest + Positions);  // bit d: that + d has items
    auto* const far    = seen + Positions * words;  // whether some item is far from the first
    auto const keys    = add.keys();
    extent const begin = first * chunk, n = add.size();
    bool const is_known = static_cast<extent const volatile&>(*this->left) != 0;
    std::int32_t common[mine];  // the part of a unit's items, if they have one
    ONEPASS_UNROLL for (int k = 0; k < mine; ++k)
    {
      extent const i = begin + (team.rank() + k * Team::threads) * unit::items;
      common[k]      = i + unit::items <= n && !is_known ? common_part(keys, i) : none;
    }
    if (team.rank() == 0) *far = is_known;
    for (int c = team.rank(); c < Positions; c += Team::threads) {
      extent const i                                                     = begin + c * chunk;
      auto const own                                                     = i < n ? part_of(keys(i)) : none;
      lowest[c]                                                          = own - near / 2;
      ONEPASS_UNROLL for (int w = 0; w < words; ++w) seen[c * words + w] = own != none && w == near / 2 / 32;
    }
    team.barrier();
    ONEPASS_UNROLL for (int k = 0; k < mine; ++k)
    {
      extent const i = begin + (team.rank() + k * Team::threads) * unit::items;
      int const c    = int((i - begin) / chunk);
      if (is_known || (common[k] != none && common[k] == lowest[c] + near / 2)) continue;
      for (extent j = i; j < i + unit::items && j < n; ++j)
        if (auto const part = part_of(keys(j)); part != none && !note(part - lowest[c], seen + c * words))
          Kokkos::atomic_or(far, 1u);
    }
    team.barrier();
    if (*far != 0) {
      if (team.rank() == 0 && !is_known) leave_all();
      return;
    }
    for (int w = team.rank(); w < int(last - first) * words; w += Team::threads)
      for (std::uint32_t bits = seen[w]; bits != 0; bits &= bits - 1)
        list(lowest[w / words] + w % words * 32 + Kokkos::Experimental::countr_zero_builtin(bits), first + w / words);
  }

private:
  static constexpr std::int32_t none = -1;

  ONEPASS_FUNCTION std::int32_t part_of(key const& of) const
  {
    extent const bin = add.bin(of);
    return is_below(bin, add.bins()) ? std::int32_t(bin >> PartBits) : none;
  }
  /// Of items i, i + 1, ... of a unit.
  template <class Keys>
  ONEPASS_FUNCTION std::int32_t common_part(Keys const& keys, extent i) const
  {
    key some[unit::items];
    unit::read_each(keys, i, unit::is_aligned(add), some);
    key least = some[0], most = some[0];
    ONEPASS_UNROLL for (int j = 1; j < unit::items; ++j)
    {
      least = some[j] < least ? some[j] : least;
      most  = most < some[j] ? some[j] : most;
    }
    std::int32_t const part = part_of(least);
    return part == part_of(most) ? part : none;
  }
  /// Sets bit d; false if there is none.
  ONEPASS_FUNCTION static bool note(extent d, std::uint32_t* seen)
  {
    if (!is_below(d, near)) return false;
    std::uint32_t const bit = std::uint32_t(1) << d % 32;
    if ((static_cast<std::uint32_t const volatile&>(seen[d / 32]) & bit) == 0) Kokkos::atomic_or(seen + d / 32, bit);
    return true;
  }
  ONEPASS_FUNCTION void list(extent part, extent c) const
  {
    extent const k = Kokkos::atomic_fetch_add(this->chunks_of + part, 1u);
    if (k < this->room) this->listed[part * this->room + k] = std::uint32_t(c);
    else leave_all();
  }
  ONEPASS_FUNCTION void leave_all() const { static_cast<extent volatile&>(*this->left) = add.size(); }
};

/// A range program over parts, if none are left: adds their items, and finishes their bins.
template <class Add, int PartBits>
struct add_local_parts : local_parts<Add, PartBits> {
  using base      = local_parts<Add, PartBits>;
  using sums_type = decltype(Add::sums);
  using long_type = typename sums_type::long_type;
  using number    = typename sums_type::number;
  using amount    = typename sums_type::amount_type;
  using base::add;
  using base::bins;
  using base::chunk;

  static constexpr int words              = sums_type::words;
  static constexpr int mark_words         = int(div_up(bins, 32));
  static constexpr int at_once            = 4;  ///< bins that a thread reads together
  static constexpr int digits_at_once     = 8;  ///< bins
  static constexpr extent alone_at_a_time = 4;

  ONEPASS_FUNCTION extent size() const { return *this->left != 0 ? 0 : this->parts(); }
  static constexpr int positions(team_tuning const&) { return 1; }
  ONEPASS_FUNCTION static constexpr int stage_words(int)
  {
    return 2 * digits_at_once * long_type::words + words * bins + mark_words + 1;
  }

  void alone(extent first, extent last) const
  {
    std::vector<std::int64_t> stage(stage_words(1) / 2 + 1);
    for (extent part = first; part < last; ++part)
      together<1>(lone_team{reinterpret_cast<char*>(stage.data())}, part, part, part + 1);
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent part, extent) const
  {
    static_assert(Positions == 1);
    if (this->chunks_of[part] == 0) return;
    part_memory const m(team.stage());
    for (int w = team.rank(); w < words * bins + mark_words + 1; w += Team::threads) m.word[w] = 0;
    team.barrier();

    auto const sums     = add.sums.loaded();
    extent const origin = part << PartBits;
    add_items(team, part, sums, m);
    team.barrier();

    bool marked = false;
    ONEPASS_NO_UNROLL for (int w = 0; w < mark_words; ++w) { marked = marked || m.marks[w] != 0; }
    int const last = this->bins_in(part);
    ONEPASS_NO_UNROLL for (int first = team.rank(); first < last; first += at_once * Team::threads)
    {
      number was[at_once];
      ONEPASS_UNROLL for (int k = 0; k < at_once; ++k) if (int const b = first + k * Team::threads; b < last) was[k] =
          sums(origin + b);
      ONEPASS_UNROLL for (int k = 0; k < at_once; ++k) if (int const b = first + k * Team::threads;
                                                           b < last && !(marked && m.is_marked(b)))
          finish(sums, origin + b, m.sum(b), was[k], m);
    }
    if (marked) finish_marked(team, part, sums, m);
    team.barrier();
    if (*m.zeros == 0) return;
    each_item(team, part, [&](std::uint32_t b, auto const&) {  // what is -0.0 still has had nothing but zeros
      if (is_negative_zero(double(sums(origin + b)))) sums(origin + b) = 0;
    });
  }

private:
  /// A team's: limbs of its bins, which of them have items outside of the window, and digits of some of these.
  struct part_memory {
    std::int64_t* digit;
    std::uint32_t *word, *marks, *zeros;  ///< whether zeros may have been added to -0.0

    ONEPASS_FUNCTION explicit part_memory(char* stage)
        : digit(reinterpret_cast<std::int64_t*>(stage))
        , word(reinterpret_cast<std::uint32_t*>(digit + digits_at_once * long_type::words))
        , marks(word + words * bins)
        , zeros(marks + mark_words)
    {}
    ONEPASS_FUNCTION bool is_marked(int b) const { return (marks[b / 32] >> b % 32 & 1) != 0; }
    ONEPASS_FUNCTION void add(std::uint32_t b, typename sums_type::unit_type x) const
    {
      std::uint32_t* const first = word + slot(b);
      ONEPASS_UNROLL for (int w = 0; w < words; ++w, x >>= sums_type::limb_bits)
      {
        constexpr std::uint32_t mask = (1u << sums_type::limb_bits) - 1;
        std::uint32_t const limb     = w + 1 < words ? std::uint32_t(x) & mask : std::uint32_t(x);
        if (limb != 0) Kokkos::atomic_add(first + w * bins, limb);
      }
    }
    ONEPASS_FUNCTION amount sum(int b) const
    {
      std::uint32_t const* const first = word + slot(std::uint32_t(b));
      auto all                         = static_cast<signed_128>(std::int32_t(first[(words - 1) * bins]));
      ONEPASS_UNROLL for (int w = words - 2; w >= 0; --w) all = (all << sums_type::limb_bits) + first[w * bins];
      return static_cast<amount>(all);
    }

  private:
    /// Neighbouring threads add units of neighbouring bins: these are in banks of their own.
    ONEPASS_FUNCTION static std::uint32_t slot(std::uint32_t b) { return (b % 4) * (bins / 4) + b / 4; }
  };

  template <class Team>
  ONEPASS_FUNCTION void add_items(Team const& team, extent part, sums_type const& sums, part_memory const& m) const
  {
    auto const amount_of = [&](std::uint32_t b, auto const& value) {
      return sums.unit_of(static_cast<typename sums_type::source>(value),
                          [&] { Kokkos::atomic_or(m.marks + b / 32, 1u << b % 32); });
    };
    std::uint32_t bin = none;
    typename sums_type::unit_type sum{};
    auto const put = [&] {
      if (bin != none) m.add(bin, sum);
    };
    each_item(
        team, part,
        [&](std::uint32_t b, auto const& value) {  // of equal neighbours the sum
          auto const x = amount_of(b, value);
          if (b != bin) put(), bin = b, sum = 0;
          sum += x;
        },
        [&] { put(), bin = none; });
  }
  ONEPASS_FUNCTION void finish(sums_type const& sums, extent b, amount const& sum, number const& was,
                               part_memory const& m) const
  {
    if (sum != 0) sums.finish_sum(b, sum, was);
    else if (is_negative_zero(double(was))) Kokkos::atomic_or(m.zeros, 1u);
  }
  /// Bins that have items outside of the window are finished with digits, some at a time.
  template <class Team>
  ONEPASS_FUNCTION void finish_marked(Team const& team, extent part, sums_type const& sums, part_memory const& m) const
  {
    extent const origin = part << PartBits;
    ONEPASS_NO_UNROLL for (int from = 0; from < bins;)
    {
      int to = from, held = 0;
      while (to < bins && held < digits_at_once) held += m.is_marked(to++) ? 1 : 0;
      auto const digits = [&](int b) {
        int before = 0;
        for (int other = from; other < b; ++other) before += m.is_marked(other) ? 1 : 0;
        return m.digit + before * long_type::words;
      };
      for (int w = team.rank(); w < held * long_type::words; w += Team::threads) m.digit[w] = 0;
      team.barrier();
      each_item(team, part, [&](std::uint32_t any, auto const& value) {
        int const b  = int(any);
        auto const x = static_cast<typename sums_type::source>(value);
        if (from <= b && b < to && m.is_marked(b) && sums.is_outside(split_number(x)))
          digit_adder<long_type, true>{digits(b)}.put(double(x));
      });
      team.barrier();
      for (int b = from + team.rank(); b < to; b += Team::threads)
        if (m.is_marked(b)) {
          if (sums.has_digits(digits(b))) sums.finish_by_digits(origin + b, m.sum(b), digits(b));
          else finish(sums, origin + b, m.sum(b), sums(origin + b), m);
        }
      team.barrier();
      from = to;
    }
  }

  static constexpr auto none = std::numeric_limits<std::uint32_t>::max();

  /// Calls f(bin in the part, value) for each item of the part, and end() behind some neighbours.
  template <class Team, class F, class End>
  ONEPASS_FUNCTION void each_item(Team const& team, extent part, F const& f, End const& end) const
  {
    using unit          = sum_unit<Add>;
    constexpr int units = int(chunk) / unit::items;
    extent const origin = part << PartBits, n = add.size();
    auto const last = std::uint32_t(this->bins_in(part)), all = this->chunks_of[part] * units;
    bool const aligned     = unit::is_aligned(add);
    auto const* const list = this->listed + part * this->room;
    ONEPASS_NO_UNROLL for (auto j = std::uint32_t(team.rank()); j < all; j += Team::threads)
    {
      extent const i = list[j / units] * chunk + extent(j % units * unit::items);
      if (i + unit::items <= n) {
        auto const now = unit::read(add, i, aligned);
        ONEPASS_UNROLL for (int k = 0; k < unit::items; ++k) if (auto const b = this->bin_in_part(now.key[k], origin);
                                                                 b < last) f(b, now.value[k]);
      } else
        for (extent k = i; k < n; ++k)
          if (auto const b = this->bin_in_part(add.keys()(k), origin); b < last) f(b, add.values()(k));
      end();
    }
  }
  template <class Team, class F>
  ONEPASS_FUNCTION void each_item(Team const& team, extent part, F const& f) const
  {
    each_item(team, part, f, [] {});
  }
};

}  // namespace onepass::ONEPASS_ABI
