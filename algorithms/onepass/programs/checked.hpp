// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>
#include <onepass/checks.hpp>

namespace onepass::ONEPASS_ABI {

// The checked level, on(exec).checked(): before a call queues anything, it checks argument values that are on the
// device, waits for the result, and throws precondition_error that names the first wrong one. Without it wrong values
// give meaningless results. Checked are offsets of segments, levels of a histogram, and permutations.

namespace detail {

/// Throws if wrong(i) for any i in [0, n); the message names the first as `what` i.
template <place_like Where, class Wrong, class... Why>
[[gnu::noinline]] void look_on_device(char const* operation, Where const& where, char const* what, extent n,
                                      Wrong const& wrong, Why const&... why)
{
  extent const first = find_first(where, n, wrong, std::string("onepass::") + operation + " (checked)");
  require(first >= n, operation, ": ", what, " ", first, " ", why...);
}

/// The same at the checked level; elsewhere it costs nothing, so that `wrong` and its parts need not lie in memory.
template <place_like Where, class Wrong, class... Why>
[[gnu::always_inline]] inline void require_on_device(char const* operation, Where const& where, char const* what,
                                                     extent n, Wrong const& wrong, Why const&... why)
{
  if (is_checked(where) && n > 0) [[unlikely]]
    look_on_device(operation, where, what, n, wrong, why...);
}

/// Whether item i is less than the one before it.
template <class Items>
struct falls {
  Items items;
  ONEPASS_FUNCTION bool operator()(extent i) const { return i > 0 && items(i) < items(i - 1); }
};

/// Whether item i is not in [0, n).
template <class Items>
struct leaves_range {
  Items items;
  extent n;
  ONEPASS_FUNCTION bool operator()(extent i) const { return std::uint64_t(extent(items(i))) >= std::uint64_t(n); }
};

/// Whether offset i is less than the one before it, or not in [0, limit].
template <class Items>
struct is_wrong_offset {
  Items items;
  item_count count;
  extent limit;
  ONEPASS_FUNCTION bool operator()(extent i) const
  {
    return i < count() && (falls<Items>{items}(i) || leaves_range<Items>{items, limit + 1}(i));
  }
};

/// At the checked level: throws unless 0 <= offsets(0) <= offsets(1) <= ... <= items.
template <place_like Where, class Offsets>
[[gnu::always_inline]] inline void require_offsets(char const* operation, Where const& where, Offsets const& offsets,
                                                   item_count count, extent items)
{
  detail::require_on_device(operation, where, "offset", count.limit, is_wrong_offset<Offsets>{offsets, count, items},
                            "is less than the one before it, or lies outside of the ", items,
                            " items; give offsets that begin with 0 or more and never decrease");
}

}  // namespace detail
}  // namespace onepass::ONEPASS_ABI
