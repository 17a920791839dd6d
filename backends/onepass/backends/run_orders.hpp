// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#include <onepass/backends/host/orders.hpp>
#include <onepass/backends/host/selections.hpp>
#include <onepass/backends/kokkos/orders.hpp>
#include <onepass/backends/serial/orders.hpp>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/order_in_pieces.hpp>
#endif

#include <vector>

namespace onepass::ONEPASS_ABI {

/// Whether order programs of counted_items run at a place.
template <place_like Where>
constexpr bool has_counted_orders = std::is_same_v<backend_of<Where>, cuda_backend>;

/// Bytes of the workspace's plain memory that the backend takes to sort n items. An algorithm that itself uses plain
/// memory during run() asks for the sum of both, and takes what lies behind the backend's part.
template <place_like Where, order_program Program>
std::size_t private_order_bytes(Where const& where, Program const& program, extent n)
{
  return bytes_of_order(resolved(where), program, n);
}

/// Makes room in a workspace for a sort of counted_items that follows, beside plain memory: for calls that write before
/// it.
template <place_like Where, order_program Program, bool Few>
  requires has_counted_orders<Where>
void reserve_for_order(Where const& where, Program const& program, counted_items<Few> const& count,
                       workspace<space_of<Where>>& scratch)
{
  reserve_order(resolved(where), program, count, scratch);
}

/// Whether a backend sorts segments of an order program's items by themselves: its buckets are such segments.
template <place_like Where>
constexpr bool sorts_segments = std::is_same_v<backend_of<Where>, host_backend>;

/// Sorts items of each segment by themselves: segment k of `segments` is [segments(k), segments(k + 1)), where
/// segments.number() is one more than there are. Items outside stay where they are.
template <place_like Where, order_program Program, class Segments>
  requires sorts_segments<Where>
void run_in_segments(Where const& where, Program const& program, Segments const& segments, extent n, char const* label)
{
  if (n == 0 || finished_segments_at_once(backend_of<Where>{}, where, program, segments, n)) return;
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    queue_segments(resolved(place), program, segments, n, scratch);
  });
}

/// Whether a backend sorts segments that come in pieces.
template <place_like Where>
constexpr bool sorts_pieces = std::is_same_v<backend_of<Where>, cuda_backend>;

/// Sorts items of each segment by themselves: those of pieces of the input, segment after segment, to an output that
/// has them one segment behind another. Not in place, and of codes that have one bit at least. The items of a digit are
/// counted() where there is one segment.
template <place_like Where, order_program Program>
  requires sorts_pieces<Where>
void run_in_pieces(Where const& where, Program const& program, std::vector<order_piece> const& pieces,
                   char const* label)
{
  with_workspace(where, label,
                 [&](auto const& place, auto& scratch) { queue_in_pieces(resolved(place), program, pieces, scratch); });
}

/// Whether a backend finds the first items in an order by itself.
template <place_like Where>
constexpr bool selects_first = std::is_same_v<backend_of<Where>, host_backend>;

/// Whether calls may be made by each thread of a place's host inside of a call.
template <place_like Where>
constexpr bool threads_call = selects_first<Where> || std::is_same_v<backend_of<Where>, serial_backend>;

/// Writes the ranks that a selection (programs/top_k.hpp) asks for, of n items, one at least; false, and nothing is
/// written, where a sort of all, or a list of the first by all threads, takes less.
template <place_like Where, class Selection>
  requires selects_first<Where>
[[gnu::always_inline]] inline bool run_selection(Where const& where, Selection const& selection, char const* label)
{
  return is_selected(backend_of<Where>{}, where, selection, label);
}

}  // namespace onepass::ONEPASS_ABI
