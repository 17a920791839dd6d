// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/splits.hpp>
#include <onepass/sequences.hpp>

#include <cstring>

namespace onepass::ONEPASS_ABI {

// How one thread merges two sorted runs. A step of a merge waits for the one before, so it makes both ends of two parts
// at once, which do not wait for each other, and no step has a branch that nobody could predict. What is merged, and
// where to, says `Runs`:
//
//   second_first(i, j)           whether item j of the second run belongs before item i of the first
//   move(second, i, j, k)        item i of the first run, or j of the second, to position k
//   move_all(second, i, k, end)  items of one run, from i on, to positions [k, end)
//
// Source: the library's own; merges from both ends, Peters & Bergdoll 2024; see docs/references.md.

/// Items [i, i_end) of the first run and [j, j_end) of the second, which become positions [k, k_end).
struct part_of_merge {
  extent i, i_end, j, j_end, k, k_end;

  /// From both ends at once so many steps come to no end of either run.
  ONEPASS_FUNCTION extent steps() const { return i_end - i < j_end - j ? i_end - i : j_end - j; }
  ONEPASS_FUNCTION void advance(extent s) { k += s, k_end -= s; }
};

/// One step u at both ends.
template <class Runs>
ONEPASS_FUNCTION void merge_step(Runs const& runs, part_of_merge& p, extent u)
{
  bool const second = runs.second_first(p.i, p.j);
  runs.move(second, p.i, p.j, p.k + u);
  p.j += second, p.i += !second;
  bool const last = !runs.second_first(p.i_end - 1, p.j_end - 1);
  runs.move(last, p.i_end - 1, p.j_end - 1, p.k_end - 1 - u);
  p.j_end -= last, p.i_end -= !last;
}

/// What is left of a part of which one run has come to its end.
template <class Runs>
ONEPASS_FUNCTION void move_rest(Runs const& runs, part_of_merge const& p)
{
  bool const second = p.i >= p.i_end;
  runs.move_all(second, second ? p.j : p.i, p.k, p.k_end);
}

template <class Runs>
ONEPASS_FUNCTION void merge_part(Runs const& runs, part_of_merge p)
{
  for (extent s; (s = p.steps()) > 0; p.advance(s))
    for (extent u = 0; u < s; ++u) merge_step(runs, p, u);
  move_rest(runs, p);
}
template <class Runs>
ONEPASS_FUNCTION void merge_parts(Runs const& runs, part_of_merge p, part_of_merge q)
{
  for (extent s; (s = p.steps() < q.steps() ? p.steps() : q.steps()) > 0; p.advance(s), q.advance(s))
    for (extent u = 0; u < s; ++u) merge_step(runs, p, u), merge_step(runs, q, u);
  merge_part(runs, p);
  merge_part(runs, q);
}

/// The same without a second end, which would take registers that a device's team wants for more threads.
template <class Runs>
KOKKOS_FUNCTION void merge_forward(Runs const& runs, part_of_merge p)
{
  for (; p.i < p.i_end && p.j < p.j_end; ++p.k) {
    bool const second = runs.second_first(p.i, p.j);
    runs.move(second, p.i, p.j, p.k);
    p.j += second, p.i += !second;
  }
  move_rest(runs, p);
}

/// A merge of so many positions is worth a search for its middle.
inline constexpr extent worth_a_cut = 64;

/// All of a part: on hosts both halves at once.
template <class Runs>
KOKKOS_FUNCTION void merge_all(Runs const& runs, part_of_merge const& all)
{
  KOKKOS_IF_ON_DEVICE((merge_forward(runs, all);))
  KOKKOS_IF_ON_HOST((if (all.k_end - all.k < worth_a_cut) merge_part(runs, all); else {
    extent const d = (all.k_end - all.k) / 2;
    extent const i = split_of_merge(
        d, all.i_end - all.i, all.j_end - all.j, [&](extent j, extent k) { return runs.second_first(k, j); },
        [&](extent k) { return all.i + k; }, [&](extent k) { return all.j + k; });
    extent const middle_i = all.i + i, middle_j = all.j + d - i, half = all.k + d;
    merge_parts(runs, {all.i, middle_i, all.j, middle_j, all.k, half},
                {middle_i, all.i_end, middle_j, all.j_end, half, all.k_end});
  }))
}

/// Items that begin at i, to positions [first, last) of another sequence; on hosts as memory if both are that.
template <class In, class Out>
ONEPASS_FUNCTION void move_column(In const& in, extent i, Out const& out, extent first, extent last)
{
  using item = typename Out::value_type;
  if constexpr (is_contiguous<In>::value && is_contiguous<Out>::value
                && std::is_same_v<typename In::value_type, item> && std::is_trivially_copyable_v<item>) {
    KOKKOS_IF_ON_HOST(
        (std::memcpy(static_cast<void*>(out.data + first), in.data + i, std::size_t(last - first) * sizeof(item));
         return;))
  }
  for (extent k = first; k < last; ++k) out(k) = static_cast<item>(in(i + (k - first)));
}

}  // namespace onepass::ONEPASS_ABI
