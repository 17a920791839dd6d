// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/lane_network.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/extent.hpp>
#include <onepass/sequences.hpp>

#include <cstdint>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// An item of a row by its code and its column; no two are equal.
template <class Code>
struct item_of_row {
  std::uint32_t column;
  Code code;

  /// What comes behind all others, in place of one that is not there.
  ONEPASS_FUNCTION static item_of_row none() { return {~0u, Code(~Code(0))}; }

  ONEPASS_FUNCTION bool operator<(item_of_row const& other) const
  {
    if constexpr (sizeof(Code) <= 4) return word() < other.word();
    else return (code < other.code) | ((code == other.code) & (column < other.column));
  }
  ONEPASS_FUNCTION std::uint64_t word() const { return std::uint64_t(code) << 32 | column; }
};

/// The same where codes are words.
template <class Code>
using listed_item = item_of_row<std::conditional_t<(sizeof(Code) <= 4), std::uint32_t, std::uint64_t>>;

/// How a warp has a stretch of N items of each lane: of a row whose items lie side by side, and where lanes can, by as
/// many as are loaded at once.
template <class T, int Lanes, int N>
class stretch_of_lanes {
  static_assert(N <= 32);
  static constexpr int packed = 16 / int(sizeof(T)) < N ? 16 / int(sizeof(T)) : N;

public:
  static constexpr int of_lane = N, items = Lanes * N;

  ONEPASS_FUNCTION stretch_of_lanes(strided<T const> const& row, extent first, int lane)
      : row_(row)
      , first_(first)
      , lane_(lane)
      , by_packs_(row.stride == 1 && row.size % packed == 0 && reinterpret_cast<std::uintptr_t>(row.data) % 16 == 0)
  {}

  ONEPASS_FUNCTION extent left() const { return row_.size - first_; }
  ONEPASS_FUNCTION bool is_whole() const { return left() >= items; }

  /// The column of a lane's item.
  ONEPASS_FUNCTION extent column(int j) const
  {
    return first_ + (by_packs_ ? (j & -packed) * Lanes + lane_ * packed + (j & (packed - 1)) : j * Lanes + lane_);
  }
  ONEPASS_FUNCTION T const& operator[](int j) const { return row_(column(j)); }
  /// How many neighbouring columns a lane has, before those of the next lane come.
  ONEPASS_FUNCTION int neighbours() const { return by_packs_ ? packed : 1; }

  /// x[j] = f(item), and `none` where there is none; returns where there are, as bits. All items are on their way
  /// together: no load is under a condition.
  template <class X, class F>
  ONEPASS_FUNCTION unsigned load(X (&x)[N], X none, F const& f) const
  {
    if (by_packs_) {
      register_items<T, packed> held[N / packed];
      T const* const from = row_.data + first_ + lane_ * packed;
      if (is_whole()) {
        ONEPASS_UNROLL for (int p = 0; p < N / packed; ++p) held[p].load(from + p * packed * Lanes);
      } else {
        ONEPASS_UNROLL for (int p = 0; p < N / packed; ++p)
        {
          bool const is_there = column(p * packed) < row_.size;
          held[p].load(is_there ? from + p * packed * Lanes : row_.data);
        }
      }
      ONEPASS_UNROLL for (int j = 0; j < N; ++j) x[j] = f(held[j / packed].get(j % packed));
    } else {
      T held[N];
      ONEPASS_UNROLL for (int j = 0; j < N; ++j) held[j] =
          row_(j * Lanes + lane_ < left() ? first_ + j * Lanes + lane_ : 0);
      ONEPASS_UNROLL for (int j = 0; j < N; ++j) x[j] = f(held[j]);
    }
    if (is_whole()) return ~0u;
    unsigned those = 0;
    ONEPASS_UNROLL for (int j = 0; j < N; ++j)
    {
      bool const is_there = column(j) < row_.size;
      those |= unsigned(is_there) << j;
      x[j] = is_there ? x[j] : none;
    }
    return those;
  }

private:
  strided<T const> row_;
  extent first_;
  int lane_;
  bool by_packs_;
};

/// The first items of a row as a warp finds them. It lists what may be among them, and cuts a list that is too long to
/// the first, which later items of the same code come after. Of a stretch that would be listed whole a bound is found
/// before: as many as there are first ones of its lanes do not come after the last of these.
///
/// Warps that share a row tell each other which of their own items is of rank k / warps: together, k do not come after
/// the last of these.
///
/// Source: the library's own.
template <class Warp, class Code, int Warps = 1>
class first_by_warp {
public:
  using entry                  = listed_item<Code>;
  using code                   = decltype(entry::code);
  static constexpr int lanes   = Warp::lanes;
  static constexpr int room    = 4 * lanes;  ///< of a list
  static constexpr int most    = 2 * lanes;  ///< items that are looked for
  static constexpr bool shares = Warps > 1;

  /// `limits` are what warps tell each other, `own` the number of this one; before they begin, each limit is the
  /// greatest code.
  ONEPASS_FUNCTION first_by_warp(Warp const& warp, entry* list, int k, code* limits, int own)
      : warp_(warp)
      , list_(list)
      , limits_(limits)
      , k_(k)
      , own_(own)
  {}

  /// The stretch of the row from column `first` on, N items a lane. Stretches come in order; code_of(item) is made of
  /// an item.
  template <int N, class Item, class CodeOf>
  ONEPASS_FUNCTION void take(strided<Item const> const& row, extent first, CodeOf const& code_of)
  {
    if (full_) return;
    stretch_of_lanes<Item, lanes, N> const some(row, first, warp_.lane);
    code x[N];
    unsigned const there = some.load(x, ~code(0), code_of);
    hear();
    bool const has_k = some.left() >= k_;
    places found;
    for (bool by_bound = has_k && limit_ == ~code(0);; by_bound = true) {
      if (by_bound) bound(x);
      found = places_of(below_limit(x) & there);
      if (by_bound || !has_k || found.all <= room / 2) break;
    }
    if (found.all > room) found = places_of(less_or_first(found.own, some, code_of));
    auto const entry_at = [&](int j) { return entry{std::uint32_t(some.column(j)), code(code_of(some[j]))}; };
    while (found.all > 0) {
      int at = count_ + found.before;
      for (; found.own != 0 && at < room; found.own &= found.own - 1)
        list_[at++] = entry_at(Kokkos::Experimental::countr_zero_builtin(found.own));
      int const all = count_ + found.all;
      count_        = all < room ? all : room;
      if (all > enough()) settle();
      if (all <= room) return;
      unsigned before = 0;  // the last, which the list has been cut to
      for (unsigned own = found.own; own != 0; own &= own - 1) {
        int const j = Kokkos::Experimental::countr_zero_builtin(own);
        before |= unsigned(entry_at(j) < list_[k_ - 1]) << j;
      }
      found = places_of(before);
    }
  }

  /// All of a row of at most `most` items.
  template <class Row, class CodeOf>
  ONEPASS_FUNCTION void take_all(Row const& row, CodeOf const& code_of)
  {
    for (extent c = warp_.lane; c < row.size; c += lanes) list_[c] = {std::uint32_t(c), code(code_of(row(c)))};
    count_ = int(row.size);
  }

  /// Cuts the list to its k first, in order.
  ONEPASS_FUNCTION void settle()
  {
    warp_.sync();
    if (count_ <= lanes) order<1>();
    else if (count_ <= 2 * lanes) order<2>();
    else order<room / lanes>();
    if (count_ > k_) count_ = k_;
    if (count_ >= share()) tell(list_[share() - 1].code);
    if (count_ < k_) return;
    code const last = list_[k_ - 1].code;
    full_           = last == 0;
    if (!full_ && last - 1 < limit_) limit_ = last - 1;
  }

  ONEPASS_FUNCTION int count() const { return count_; }

  /// Adds what another warp has listed.
  ONEPASS_FUNCTION void add(entry const* other, int count)
  {
    if (count_ + count > room) settle();
    for (int i = warp_.lane; i < count; i += lanes) list_[count_ + i] = other[i];
    count_ += count;
  }

private:
  /// Items from which on the list is cut.
  ONEPASS_FUNCTION int enough() const { return k_ <= lanes / 2 ? lanes : k_ <= lanes ? 2 * lanes : room; }
  ONEPASS_FUNCTION int share() const { return (k_ + Warps - 1) / Warps; }

  /// Which of this lane's items may be among the first, as bits.
  template <int N>
  ONEPASS_FUNCTION unsigned below_limit(code const (&x)[N]) const
  {
    unsigned own = 0;
    ONEPASS_UNROLL for (int j = 0; j < N; ++j) own |= unsigned(x[j] <= limit_) << j;
    return own;
  }

  /// Bits of a lane, how many lanes before it have, and all.
  struct places {
    unsigned own;
    int before, all;
  };
  ONEPASS_FUNCTION places places_of(unsigned own) const
  {
    if (warp_.those(own != 0) == 0) return {own, 0, 0};
    int const n    = Kokkos::Experimental::popcount_builtin(own);
    int const upto = int(warp_.scan(unsigned(n)));
    return {own, upto - n, warp_.broadcast(upto, lanes - 1)};
  }

  /// Of items that are not beyond the limit, those below it and the k first of those that equal it: where there are too
  /// many, they are equal as a rule. Codes are made again: nothing need stay in registers for what is rare.
  template <class Stretch, class CodeOf>
  ONEPASS_FUNCTION unsigned less_or_first(unsigned found, Stretch const& some, CodeOf const& code_of) const
  {
    unsigned less = 0;
    for (unsigned those = found; those != 0; those &= those - 1) {
      int const j = Kokkos::Experimental::countr_zero_builtin(those);
      less |= unsigned(code(code_of(some[j])) < limit_) << j;
    }
    found &= ~less;
    int const step = some.neighbours();
    for (int j = 0, wanted = k_; j < Stretch::of_lane && wanted > 0; j += step) {
      unsigned equal   = found >> j & ((1u << step) - 1u);
      auto const those = places_of(equal);
      for (int more = wanted - those.before; equal != 0 && more > 0; equal &= equal - 1, --more)
        less |= (equal & (0u - equal)) << j;
      wanted -= those.all;
    }
    return less;
  }

  /// Finds a limit that at least k of a stretch do not come after.
  template <int N>
  ONEPASS_FUNCTION void bound(code const (&x)[N])
  {
    if (k_ <= lanes / 2) bound_by<1>(x);
    else if (k_ <= lanes) bound_by<2>(x);
    else bound_by<4>(x);
  }
  template <int Each, int N>
  ONEPASS_FUNCTION void bound_by(code const (&x)[N])
  {
    code first[Each];
    ONEPASS_UNROLL for (int j = 0; j < N; j += Each)
    {
      code more[Each];
      ONEPASS_UNROLL for (int e = 0; e < Each; ++e) more[e] = x[j + e];
      sort_by_network(more);
      if (j == 0) {
        ONEPASS_UNROLL for (int e = 0; e < Each; ++e) first[e] = more[e];
      } else keep_first_of_both(first, more);
    }
    sort_codes_by_lanes(warp_, first);
    auto const of_rank = [&](int rank) {
      code own                                          = first[0];
      ONEPASS_UNROLL for (int e = 1; e < Each; ++e) own = rank % Each == e ? first[e] : own;
      return warp_.broadcast(own, rank / Each);
    };
    code const limit = of_rank(k_ - 1);
    if (limit < limit_) limit_ = limit;
    if constexpr (shares) tell(of_rank(share() - 1));
  }

  /// Tells others that this warp has found its share, and what the last of it is.
  ONEPASS_FUNCTION void tell(code last)
  {
    if constexpr (shares)
      if (warp_.lane == 0 && last < limits_[own_]) Kokkos::atomic_store(limits_ + own_, last);
  }
  ONEPASS_FUNCTION void hear()
  {
    if constexpr (shares) {
      code last = 0;
      ONEPASS_UNROLL for (int w = 0; w < Warps; ++w)
      {
        code const other = Kokkos::atomic_load(limits_ + w);
        last             = other > last ? other : last;
      }
      last = warp_.broadcast(last, 0);  // others may tell meanwhile: all lanes go by what one has heard
      if (last < limit_) limit_ = last;
    }
  }

  /// Puts the list in order, as far as it is wanted.
  template <int Each>
  ONEPASS_FUNCTION void order()
  {
    entry x[Each];
    ONEPASS_UNROLL for (int e = 0; e < Each; ++e)
    {
      int const at = e * lanes + warp_.lane;
      x[e]         = at < count_ ? list_[at] : entry::none();
    }
    sort_by_lanes(warp_, x, lanes);
    warp_.sync();
    ONEPASS_UNROLL for (int e = 0; e < Each; ++e)
    {
      int const at = warp_.lane * Each + e;
      if (at < k_ && at < count_) list_[at] = x[e];
    }
    warp_.sync();
  }

  Warp warp_;
  entry* list_;
  code* limits_;
  int k_, own_, count_ = 0;
  code limit_ = ~code(0);  ///< later items come after those listed if their codes are greater
  bool full_  = false;     ///< all later ones do
};

}  // namespace onepass::ONEPASS_ABI
