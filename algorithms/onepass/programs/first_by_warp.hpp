// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/lane_network.hpp>
#include <onepass/extent.hpp>

#include <cstdint>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// An item by its code and its column, of which no two in a row are equal; or by its code and its row.
template <class Code>
struct item_of_row {
  Code code;
  std::uint32_t column;
  ONEPASS_FUNCTION bool operator<(item_of_row const& other) const
  {
    return code != other.code ? code < other.code : column < other.column;
  }
};

/// The same where codes are words.
template <class Code>
using listed_item = item_of_row<std::conditional_t<(sizeof(Code) <= 4), std::uint32_t, std::uint64_t>>;

/// The first items of a row as a warp finds them. It lists what may be among them, and cuts a full list to its k first,
/// which later items of the same code come after. How many are listed is bounded before by the items of a stretch: as
/// many as there are first ones of its lanes do not come after the last of these.
///
/// Source: the library's own.
template <class Warp, class Code>
class first_by_warp {
public:
  using entry                = listed_item<Code>;
  using code                 = decltype(entry::code);
  static constexpr int room  = sizeof(code) <= 4 ? 256 : 128;  ///< of a list
  static constexpr int most  = 64;   ///< items that are looked for
  static constexpr int lanes = Warp::lanes;

  ONEPASS_FUNCTION first_by_warp(Warp const& warp, entry* list, int k)
      : warp_(warp)
      , list_(list)
      , k_(k)
  {}

  /// The items of columns [first, columns), as far as there are N of each lane: code_at(column).
  template <int N, class CodeAt>
  ONEPASS_FUNCTION void take(extent first, extent columns, CodeAt const& code_at)
  {
    if (full_) return;
    extent const own = first + warp_.lane;
    code x[N];
    ONEPASS_UNROLL for (int j = 0; j < N; ++j) x[j] = own + j * lanes < columns ? code(code_at(own + j * lanes)) : ~code(0);
    bool const bounds = columns - first >= k_;
    hits found        = below_limit(x);
    if (bounds && (count_ < k_ || found.count > room / 2)) {
      code const bound = bound_of(x);
      if (bound < limit_) limit_ = bound;
      found = below_limit(x);
    }
    for (unsigned some = found.some; some != 0; some &= some - 1) {
      int const j = Kokkos::Experimental::countr_zero_builtin(some);
      if (count_ + lanes > room) settle();
      if (full_) return;
      bool const is_there  = (found.own >> j & 1) != 0 && own + j * lanes < columns;
      code const c         = is_there ? code(code_at(own + j * lanes)) : code(0);
      bool const hit       = is_there && c <= limit_;
      unsigned const those = warp_.those(hit);
      if (hit) list_[count_ + Kokkos::Experimental::popcount_builtin(those & ((1u << warp_.lane) - 1u))] = {c, std::uint32_t(own + j * lanes)};
      count_ += Kokkos::Experimental::popcount_builtin(those);
    }
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
    limit_          = last - 1 < limit_ ? last - 1 : limit_;
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
  /// Codes that may be among the first, and those that stand for none where there is no limit.
  struct hits {
    unsigned own, some;  ///< as bits: this lane's, those of which any lane has one
    int count;           ///< of all lanes
  };
  template <int N>
  ONEPASS_FUNCTION hits below_limit(code const (&x)[N]) const
  {
    hits found{0, 0, 0};
    ONEPASS_UNROLL for (int j = 0; j < N; ++j)
    {
      bool const hit       = x[j] <= limit_;
      unsigned const those = warp_.those(hit);
      found.own |= unsigned(hit) << j;
      found.some |= unsigned(those != 0) << j;
      found.count += Kokkos::Experimental::popcount_builtin(those);
    }
    return found;
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
    int const at = k_ - 1;
    code bound   = first[0];
    ONEPASS_UNROLL for (int e = 1; e < Each; ++e) bound = at % Each == e ? first[e] : bound;
    return warp_.broadcast(bound, at / Each);
  }

  /// Puts each item to its rank, the number of those before it. Each is of no lane's number that is not needed.
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
    for (int i = 0; i < count_; ++i) {
      entry const other                                     = list_[i];
      ONEPASS_UNROLL for (int e = 0; e < Each; ++e) rank[e] += other < own[e];
    }
    warp_.sync();
    ONEPASS_UNROLL for (int e = 0; e < Each; ++e) if (rank[e] < k_) list_[rank[e]] = own[e];
    warp_.sync();
  }

  Warp warp_;
  entry* list_;
  int k_, count_ = 0;
  code limit_ = ~code(0);  ///< later items come after those listed if their codes are greater
  bool full_  = false;     ///< all later ones do
};

}  // namespace onepass::ONEPASS_ABI
