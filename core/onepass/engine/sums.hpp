// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/packs.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/sequences.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>

namespace onepass::ONEPASS_ABI {

// clang-format off
/// What is added to bins: each item belongs to one bin, or to none, and adds an integer to it, which may wrap.
///
///   amount_type         an unsigned integer: what all items add
///   unit_type           an integer that four items add up to; it becomes an amount
///   words               the words of 32 bits of a bin, whose sum is that of all amounts modulo 2^(32 words)
///   size(), bins()      the number of items, and that of bins
///   key_type            what an item has instead of a bin as long as it is not used
///   value_type          the same of an amount
///   keys(), values()    sequences of both
///   bin(key)            the bin; an item whose bin is not below bins() is not added
///   amount(bin, value)   what the item adds; called for bins that there are not, too
///   put<Shared>(b, x)   adds amount x to bin b, Shared with other threads
///   loaded()            the program with what it reads only once
///   is_idle()           whether there is nothing to add after all; asked where it runs
template <class P>
concept sum_program = requires(P const p, typename P::key_type const& key, typename P::value_type const& value,
                               typename P::amount_type amount) {
  { P::words } -> std::convertible_to<int>;
  { p.size() } -> std::same_as<extent>;
  { p.bins() } -> std::same_as<extent>;
  { p.keys() } -> sequence;
  { p.values() } -> sequence;
  { p.bin(key) } -> std::same_as<extent>;
  { p.loaded() } -> std::same_as<P>;
  { p.is_idle() } -> std::same_as<bool>;
  { p.amount(extent(), value) } -> std::same_as<typename P::unit_type>;
  p.template put<true>(extent(), amount);
};

/// A sum program whose items lie in the order of parts: neighbouring bins, so many that a team holds those of one.
///
///   parts()              how many parts there are
///   part(key)            the part of an item, also of one without a bin
///   part_bins()          the bins of a part; the last one may have fewer
///   alone(part, whole)   the program with the bins of that part alone, from 0 on, to which a team adds all items that
///                        there are, the whole part, or some of them
///   close(b, x)          ends bin b of a part: x is all that the team adds
///   begin_cut(b)         readies bin b of a part that several teams add to, before all teams
///   end_cut(b)           ends it, behind all teams
template <class P>
concept parted_sum_program = sum_program<P> && requires(P const p, typename P::key_type const& key,
                                                        typename P::amount_type amount) {
  { p.parts() } -> std::same_as<extent>;
  { p.part(key) } -> std::same_as<extent>;
  { p.part_bins() } -> std::same_as<extent>;
  { p.alone(extent(), true) } -> std::same_as<P>;
  p.close(extent(), amount);
  p.begin_cut(extent());
  p.end_cut(extent());
};
// clang-format on

/// Adds x to Words words: calls fetch_add(w, y) for those words that it changes, in their order, which adds y to word w
/// and returns what was there, and add(w, y) for the last one. Others may add at the same time: whoever makes a word
/// wrap carries.
template <int Words, class Amount, class FetchAdd, class Add>
ONEPASS_FUNCTION void add_to_words(Amount const& x, FetchAdd const& fetch_add, Add const& add)
{
  std::uint32_t carry = 0;
  ONEPASS_UNROLL for (int w = 0; w < Words; ++w)
  {
    std::uint64_t const sum  = std::uint64_t(static_cast<std::uint32_t>(x >> (32 * w))) + carry;
    std::uint32_t const word = static_cast<std::uint32_t>(sum);
    carry                    = static_cast<std::uint32_t>(sum >> 32);
    if (word == 0) continue;
    if (w + 1 == Words) add(w, word);
    else if (fetch_add(w, word) > ~word) ++carry;
  }
}

/// A number below n: a hash of x, or with another multiplier another.
ONEPASS_FUNCTION std::uint32_t hash_below(std::uint32_t n, std::uint32_t x, std::uint32_t multiplier = 0x9e3779b1u)
{
  return std::uint32_t(std::uint64_t(x * multiplier) * n >> 32);
}

/// The slot of a bin, which has a key other than `none`: of `slots` the first one from its hash on that it owns, or
/// that nobody does. There are more slots than bins that are met.
ONEPASS_FUNCTION std::uint32_t slot_of(std::uint32_t* owners, std::uint32_t slots, std::uint32_t none,
                                       std::uint32_t key)
{
  std::uint32_t s = hash_below(slots, key);
  while (true) {
    std::uint32_t held = static_cast<std::uint32_t const volatile&>(owners[s]);
    if (held == none) held = Kokkos::atomic_compare_exchange(owners + s, none, key);
    if (held == none || held == key) return s;
    if (++s == slots) s = 0;
  }
}

// What follows adds by teams. A team has a rank() for each of its `threads` threads, a barrier(), and, in memory of its
// own, fetch_add(word, x), add(word, x) and compare_exchange(word, expected, x), which returns what was there.

/// Items first, first + 1, ...: keys and values that a thread reads at once. Of a sum program, or what else has both.
template <class Program>
struct sum_unit {
  static constexpr int items = 4;

  typename Program::key_type key[items];
  typename Program::value_type value[items];

  /// `aligned`: those of the sequences that have packs, to 16 bytes.
  ONEPASS_FUNCTION static sum_unit read(Program const& program, extent first, bool aligned)
  {
    sum_unit u;
    read_each(program.keys(), first, aligned, u.key);
    read_each(program.values(), first, aligned, u.value);
    return u;
  }
  /// Whether that is so.
  ONEPASS_FUNCTION static bool is_aligned(Program const& program)
  {
    return starts_pack(program.keys()) && starts_pack(program.values());
  }

  /// One of both alone.
  template <class Sequence, class T>
  ONEPASS_FUNCTION static void read_each(Sequence const& s, extent first, bool aligned, T (&x)[items])
  {
    if constexpr (packed<Sequence>)
      if (aligned) {
        constexpr int packs = int(sizeof(T)) * items / 16;
        pack some[packs];
        ONEPASS_UNROLL for (int p = 0; p < packs; ++p) some[p] = reinterpret_cast<pack const*>(s.data + first)[p];
        std::memcpy(static_cast<void*>(x), some, sizeof x);
        return;
      }
    ONEPASS_UNROLL for (int k = 0; k < items; ++k) x[k] = s(first + k);
  }

private:
  template <class Sequence>
  static constexpr bool packed = has_packs<Sequence> && sizeof(typename Sequence::value_type) * items % 16 == 0;

  template <class Sequence>
  ONEPASS_FUNCTION static bool starts_pack(Sequence const& s)
  {
    if constexpr (packed<Sequence>) return in_packs(s, 0);
    else return true;
  }
};

/// A team's bins in memory of its own. `slots` bins have `words` words there: all bins, or those that ask first, each
/// in one of two slots; a bin that finds both taken is added to directly. In a table of all bins each has `copies`
/// copies side by side: neighbouring threads add to copies, and so in banks, of their own, however alike the bins are.
///
/// Word w of a copy is word (w slots + slot) copies + copy of the memory; behind all of these are the slots' owners.
template <sum_program Program>
struct sum_table {
  using amount  = typename Program::amount_type;
  using partial = typename Program::unit_type;
  using unit    = sum_unit<Program>;

  static constexpr int words          = Program::words;
  static constexpr std::uint32_t none = ~std::uint32_t(0);

  std::uint32_t slots, copies;  ///< copies: a power of two
  bool of_all;                  ///< bins

  /// Of none: each bin is added to directly.
  ONEPASS_FUNCTION static sum_table of_none() { return {0, 1, false}; }
  /// Of those that ask first, as many as a memory of so many words holds.
  static sum_table of_first(extent room) { return {std::uint32_t(room / (words + 1)), 1, false}; }
  /// For a memory of so many words: all bins if they fit, else as many as do.
  static sum_table of(extent bins, extent room, std::uint32_t most_copies)
  {
    if (bins > room / words) return of_first(room);
    return {std::uint32_t(bins),
            std::bit_floor(std::uint32_t(std::clamp<extent>(room / (bins * words), 1, most_copies))), true};
  }
  ONEPASS_FUNCTION std::uint32_t held() const { return slots * (words * copies + (of_all ? 0 : 1)); }

  /// Adds units at, at + step, ... below end by each thread, and items [tail, n) by the team.
  template <class Team>
  ONEPASS_FUNCTION void add(Team const& team, Program const& given, extent at, extent end, extent step, extent tail,
                            extent n, std::uint32_t* memory) const
  {
    for (std::uint32_t i = std::uint32_t(team.rank()), zeros = slots * words * copies; i < held(); i += Team::threads)
      memory[i] = i < zeros ? 0 : none;
    team.barrier();

    Program const program    = given.loaded();
    std::uint32_t const copy = std::uint32_t(team.rank()) & (copies - 1);
    auto const put           = [&](extent bin, partial const& some) {
      if (std::uint64_t(bin) >= std::uint64_t(program.bins()) || some == 0) return;
      std::uint32_t const s = of_all ? std::uint32_t(bin) : slot(team, bin, memory);
      auto const x          = static_cast<amount>(some);
      if (s == none) return program.template put<true>(bin, x);
      std::uint32_t* const first = memory + s * copies + copy;
      add_to_words<words>(
          x, [&](int w, std::uint32_t y) { return team.fetch_add(first + std::uint32_t(w) * slots * copies, y); },
          [&](int w, std::uint32_t y) { team.add(first + std::uint32_t(w) * slots * copies, y); });
    };
    bool const aligned = unit::is_aligned(program);
    if (at < end) {
      auto next = unit::read(program, at * unit::items, aligned);
      ONEPASS_NO_UNROLL for (; at < end; at += step)
      {
        auto const now = next;  // while these are added, the next are being read
        if (at + step < end) next = unit::read(program, (at + step) * unit::items, aligned);
        extent bin = program.bin(now.key[0]);
        auto sum   = program.amount(bin, now.value[0]);
        ONEPASS_UNROLL for (int k = 1; k < unit::items; ++k)
        {  // of equal neighbours the sum
          extent const other = program.bin(now.key[k]);
          auto const x       = program.amount(other, now.value[k]);
          if (other == bin) sum += x;
          else {
            put(bin, sum);
            bin = other, sum = x;
          }
        }
        put(bin, sum);
      }
    }
    for (extent i = tail + team.rank(); i < n; i += Team::threads) {
      extent const bin = program.bin(program.keys()(i));
      put(bin, program.amount(bin, program.values()(i)));
    }
    team.barrier();

    for (std::uint32_t s = std::uint32_t(team.rank()); s < slots; s += Team::threads) {
      amount sum = 0;
      ONEPASS_NO_UNROLL for (std::uint32_t c = 0; c < copies; ++c)
      {
        std::uint32_t const* const first = memory + s * copies + ((c + s) & (copies - 1));
        ONEPASS_UNROLL for (std::uint32_t w = 0; w < words; ++w) sum += amount(first[w * slots * copies]) << (32 * w);
      }
      if constexpr (parted_sum_program<Program>) program.close(extent(s), sum);
      else if (sum != 0) program.template put<true>(of_all ? extent(s) : extent(memory[slots * words + s]), sum);
    }
  }

private:
  template <class Team>
  ONEPASS_FUNCTION std::uint32_t slot(Team const& team, extent bin, std::uint32_t* memory) const
  {
    if (slots == 0 || bin >= extent(none)) return none;
    auto const wanted = std::uint32_t(bin);
    for (std::uint32_t const multiplier : {0x9e3779b1u, 0x85ebca77u}) {
      std::uint32_t const s    = hash_below(slots, wanted, multiplier);
      std::uint32_t* const own = memory + slots * words + s;
      std::uint32_t held       = static_cast<std::uint32_t const volatile&>(*own);
      if (held == none) held = team.compare_exchange(own, none, wanted);
      if (held == none || held == wanted) return s;
    }
    return none;
  }
};

/// Items in the order of parts, a stretch of them for each team.
template <parted_sum_program Program>
struct part_stretches {
  Program program;
  extent stretch;  ///< items, a multiple of those of a unit

  ONEPASS_FUNCTION extent number() const { return div_up(program.size(), stretch); }
  ONEPASS_FUNCTION extent part_of(extent i) const { return program.part(program.keys()(i)); }
  /// Whether a part goes on at item i, which is not the first.
  ONEPASS_FUNCTION bool is_cut(extent i) const { return part_of(i - 1) == part_of(i); }
};

/// A team that adds a stretch of items, one part after another, each in a table of all its bins. Parts with many items
/// for their bins have copies.
template <parted_sum_program Program>
struct part_sums : part_stretches<Program> {
  using part_stretches<Program>::program;
  using table_type = sum_table<Program>;

  static constexpr extent items_each = 4;  ///< of each word that a copy has

  std::uint32_t slots, most_copies;

  static part_sums of(part_stretches<Program> const& all, extent room, std::uint32_t most_copies)
  {
    auto const table = table_type::of(all.program.part_bins(), room, most_copies);
    return {all, table.slots, table.copies};
  }
  /// Words of a team's memory: those of the table, and what a search notes.
  ONEPASS_FUNCTION std::uint32_t held() const { return searched() + 2 * words_of_extent; }

  /// Stretch k. A unit at a border between parts is read twice, and each time the items of the other part have none of
  /// the bins; so are the items behind the last unit.
  template <class Team>
  ONEPASS_FUNCTION void add(Team const& team, extent k, std::uint32_t* memory) const
  {
    constexpr extent unit = sum_unit<Program>::items;
    extent const n = program.size(), units = n / unit, begin = k * this->stretch,
                 to   = begin + this->stretch < n ? begin + this->stretch : n;
    auto* const found = reinterpret_cast<extent*>(memory + searched());
    if (program.is_idle()) return;
    ONEPASS_NO_UNROLL for (extent from = begin; from < to;)
    {
      extent const part = this->part_of(from);
      extent more[1];
      partition_points(
          team, to - from, [&](extent i, int) { return this->part_of(from + i) == part; }, found, more);
      extent const end = from + more[0], last = div_up(end, unit);
      bool const whole =
          (from > begin || from == 0 || !this->is_cut(from)) && (end < to || end == n || !this->is_cut(end));
      table_type{slots, copies(more[0]), true}.add(team, program.alone(part, whole), from / unit + team.rank(),
                                                   last < units ? last : units, Team::threads,
                                                   end > units * unit ? units * unit : n, n, memory);
      from = end;
    }
  }

private:
  static constexpr std::uint32_t words_of_extent = sizeof(extent) / 4;

  ONEPASS_FUNCTION std::uint32_t searched() const { return (table_type{slots, most_copies, true}.held() + 1) / 2 * 2; }
  ONEPASS_FUNCTION std::uint32_t copies(extent items) const
  {
    std::uint32_t c = most_copies;
    while (c > 1 && extent(c) * slots * table_type::words * items_each > items) c /= 2;
    return c;
  }
};

/// For call i of number(): readies a bin of a part that a border between stretches cuts, or `Ends` it.
template <parted_sum_program Program, bool Ends>
struct each_cut_bin : part_stretches<Program> {
  using part_stretches<Program>::program;

  ONEPASS_FUNCTION extent number() const { return (part_stretches<Program>::number() - 1) * program.part_bins(); }
  ONEPASS_FUNCTION void operator()(extent i) const
  {
    extent const bins = program.part_bins(), border = (i / bins + 1) * this->stretch, before = border - this->stretch;
    if (program.is_idle() || !this->is_cut(border)) return;
    extent const part = this->part_of(border);
    if (before > 0 && this->part_of(before) == part && this->is_cut(before)) return;  // that border's
    Program const p = program.alone(part, false).loaded();
    if (i % bins >= p.bins()) return;
    if constexpr (Ends) p.end_cut(i % bins);
    else p.begin_cut(i % bins);
  }
};

}  // namespace onepass::ONEPASS_ABI
