// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/lane_network.hpp>
#include <onepass/extent.hpp>

#include <cstdint>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// An item of a row by its code and its column; no two are equal.
template <class Code>
struct item_of_row {
  std::uint32_t column;
  Code code;

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

/// The first items of a row as a warp finds them. It lists what may be among them, and cuts a list that is twice as
/// long to the first, which later items of the same code come after. Of a stretch that would be listed whole a bound is
/// found before: as many as there are first ones of its lanes do not come after the last of these.
///
/// Source: the library's own.
template <class Warp, class Code>
class first_by_warp {
public:
  using entry                = listed_item<Code>;
  using code                 = decltype(entry::code);
  static constexpr int lanes = Warp::lanes;
  static constexpr int room  = 4 * lanes;  ///< of a list
  static constexpr int most  = 2 * lanes;  ///< items that are looked for

  ONEPASS_FUNCTION first_by_warp(Warp const& warp, entry* list, int k)
      : warp_(warp)
      , list_(list)
      , k_(k)
      , enough_(k <= lanes / 2 ? lanes : 2 * lanes * (k <= lanes ? 1 : 2))
  {}

  /// The items of columns [first, columns), as far as there are N of each lane: item_at(column) is read, and
  /// code_of(item) made of it.
  template <int N, class ItemAt, class CodeOf>
  ONEPASS_FUNCTION void take(extent first, extent columns, ItemAt const& item_at, CodeOf const& code_of)
  {
    if (full_) return;
    using item          = std::remove_cvref_t<decltype(item_at(first))>;
    extent const own    = first + warp_.lane;
    extent const there  = (columns - own + lanes - 1) / lanes;  // of this lane
    unsigned const some = there >= N ? ~0u : there > 0 ? (1u << there) - 1u : 0u;
    code x[N];
    {
      item held[N];  // all are on their way together: no load is under a condition
      ONEPASS_UNROLL for (int j = 0; j < N; ++j) held[j] = item_at(j < there ? own + j * lanes : first);
      ONEPASS_UNROLL for (int j = 0; j < N; ++j) x[j]    = code_of(held[j]);
    }
    auto found = places_of(below_limit(x) & some);
    if (columns - first >= k_ && (count_ < k_ || found.all > room / 2)) {
      ONEPASS_UNROLL for (int j = 0; j < N; ++j) if (j >= there) x[j] = ~code(0);
      code const bound                                                = bound_of(x);
      if (bound < limit_) limit_ = bound;
      found = places_of(below_limit(x) & some);
    }
    if (found.all == 0) return;
    auto const code_at = [&](extent c) { return code(code_of(item_at(c))); };
    if (found.all <= room - count_) {
      entry* to = list_ + count_ + found.before;
      for (unsigned left = found.own; left != 0; left &= left - 1) {
        extent const c = own + Kokkos::Experimental::countr_zero_builtin(left) * lanes;
        *to++          = {std::uint32_t(c), code_at(c)};
      }
      count_ += found.all;
    } else list_in_turn<N>(found.own, own, code_at);
    if (count_ > enough_) settle();
  }

  /// Cuts the list to its k first, in order.
  ONEPASS_FUNCTION void settle()
  {
    warp_.sync();
    if (count_ <= lanes) order<1>();
    else if (count_ <= 2 * lanes) order<2>();
    else order<room / lanes>();
    if (count_ > k_) count_ = k_;
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
    int const n = Kokkos::Experimental::popcount_builtin(own);
    places found{own, 0, 0};
    if (warp_.those(n > 0) == 0) return found;
    ONEPASS_UNROLL for (int bit = 0; bit < 6; ++bit)
    {
      unsigned const those = warp_.those((n >> bit & 1) != 0);
      found.before += Kokkos::Experimental::popcount_builtin(those & ((1u << warp_.lane) - 1u)) << bit;
      found.all += Kokkos::Experimental::popcount_builtin(those) << bit;
    }
    return found;
  }

  /// Lists an item of each lane at a time, so that the list can be cut in between.
  template <int N, class CodeAt>
  ONEPASS_FUNCTION void list_in_turn(unsigned found, extent own, CodeAt const& code_at)
  {
    ONEPASS_NO_UNROLL for (int j = 0; j < N && !full_; ++j)
    {
      if (count_ + lanes > room) settle();
      extent const c       = own + j * lanes;
      bool const is_there  = (found >> j & 1) != 0;
      code const x         = is_there ? code_at(c) : code(0);
      bool const hit       = is_there && x <= limit_ && !full_;
      unsigned const those = warp_.those(hit);
      int const before     = Kokkos::Experimental::popcount_builtin(those & ((1u << warp_.lane) - 1u));
      if (hit) list_[count_ + before] = {std::uint32_t(c), x};
      count_ += Kokkos::Experimental::popcount_builtin(those);
    }
  }

  /// A code that at least k of a stretch do not come after.
  template <int N>
  ONEPASS_FUNCTION code bound_of(code const (&x)[N]) const
  {
    if (k_ <= lanes / 2) return bound_by<1>(x);
    if (N == 2 || k_ <= lanes) return bound_by<2>(x);
    return bound_by<(N < 4 ? N : 4)>(x);
  }
  template <int Each, int N>
  ONEPASS_FUNCTION code bound_by(code const (&x)[N]) const
  {
    code first[Each];
    ONEPASS_UNROLL for (int e = 0; e < Each; ++e) first[e] = ~code(0);
    ONEPASS_UNROLL for (int j = 0; j < N; ++j)
    {
      code more = x[j];
      ONEPASS_UNROLL for (int e = 0; e < Each; ++e)
      {
        code const less = more < first[e] ? more : first[e];
        more            = more < first[e] ? first[e] : more;
        first[e]        = less;
      }
    }
    sort_by_lanes(warp_, first, lanes);
    int const at                                        = k_ - 1;
    code bound                                          = first[0];
    ONEPASS_UNROLL for (int e = 1; e < Each; ++e) bound = at % Each == e ? first[e] : bound;
    return warp_.broadcast(bound, at / Each);
  }

  /// Puts each item to its rank, which is the number of those before it.
  template <int Each>
  ONEPASS_FUNCTION void order()
  {
    entry own[Each];
    int rank[Each];
    ONEPASS_UNROLL for (int e = 0; e < Each; ++e)
    {
      int const at = e * lanes + warp_.lane;
      own[e]       = list_[at < count_ ? at : 0];
      rank[e]      = at < count_ ? 0 : room;
    }
    constexpr int together = 4;
    for (int i = 0; i < count_; i += together) {
      entry other[together];
      ONEPASS_UNROLL for (int o = 0; o < together; ++o) other[o] = i + o < count_ ? list_[i + o] : entry{~0u, ~code(0)};
      ONEPASS_UNROLL for (int o = 0; o < together; ++o) ONEPASS_UNROLL for (int e = 0; e < Each; ++e) rank[e] +=
          other[o] < own[e];
    }
    warp_.sync();
    ONEPASS_UNROLL for (int e = 0; e < Each; ++e) if (rank[e] < k_) list_[rank[e]] = own[e];
    warp_.sync();
  }

  Warp warp_;
  entry* list_;
  int k_, enough_, count_ = 0;  ///< with more than enough_ the list is cut
  code limit_ = ~code(0);       ///< later items come after those listed if their codes are greater
  bool full_  = false;          ///< all later ones do
};

}  // namespace onepass::ONEPASS_ABI
