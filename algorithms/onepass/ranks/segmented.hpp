// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/borders.hpp>
#include <onepass/ranks/scan.hpp>
#include <onepass/segmented.hpp>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

/// Offsets of the segments that begin on a rank, from the first of them on.
template <class Begins>
struct offsets_here {
  using value_type = extent;
  Begins begins;
  extent lead, end, size;
  ONEPASS_FUNCTION extent operator()(extent s) const
  {
    return (s + 1 < size ? static_cast<extent>(begins(s)) : end) - lead;
  }
};

/// What ranks tell each other of their segments.
template <class Carry>
struct found_segments {
  extent count, segments;
  extent lead;  ///< items of a segment that began on a rank before
  extent last;  ///< where the last segment begins
  Carry sum;    ///< for a reduction of the lead, for a scan of what the last segment has here
};

/// Items and segments of a rank, whose arguments have been looked at. Waits.
template <class Carry, class Where, class In, class Begins>
found_segments<Carry> segments_of(char const* label, Where const& where, In const& in, Begins const& begins)
{
  extent const n = in.size, s = begins.size;
  if (s == 0) return {n, 0, n, 0, {}};
  auto const at      = [&](extent k) { return extent(asked<item_t<Begins>>(where, item_at<Begins>{begins, k})); };
  extent const first = at(0), last = at(s - 1);
  require(0 <= first && first <= last && last <= n, label, ": segments begin at ", first, " to ", last, " of ", n,
          " items; give positions in the rank's block that do not decrease");
  return {n, s, first, last, {}};
}

/// Refuses items that belong to no segment.
template <class Told>
void require_segment_before(char const* label, std::vector<Told> const& ranks)
{
  for (auto const& rank : ranks) {
    require(rank.lead == 0, label, ": items precede the first segment; let it begin at 0");
    if (rank.segments > 0) return;
  }
}

template <bool Inclusive, class Ranks, class Where, class In, class Begins, class Out, class Op, class Init>
given_by<Ranks, void> segmented_scan(char const* label, Ranks& all, Where const& where, In const& in,
                                     Begins const& begins, Out const& out, Op const& op, Init const& init)
{
  using T       = item_t<Out>;
  using carries = detail::carries<T, Op>;
  using found   = found_segments<typename carries::type>;
  check_input<space_of<Where>, In>();
  check_input<space_of<Where>, Begins>();
  refuse_orders<Where, T>();
  auto const here  = on(where).or_named(label);
  auto const from  = as_input(in);
  auto const heads = as_input(begins);
  carries const by(op);
  return told_then(
      all,
      [&] {
        require_scannable(label, in, out);
        onepass::require_disjoint(label, heads, as_sequence(out));
        found mine     = segments_of<typename carries::type>(label, here, from, heads);
        extent const n = mine.count;
        mine.sum       = by.sum(here, part_of(from, mine.last, n - mine.last));
        if (mine.lead < n) {
          auto const rest = part_of(from, mine.lead, n - mine.lead);
          auto const to   = behind(up_to(out, n), mine.lead);
          offsets_here<sequence_of<Begins>> const offsets{heads, mine.lead, n, mine.segments + 1};
          if constexpr (Inclusive) onepass::inclusive_segmented_scan(here, rest, offsets, to, op, init);
          else onepass::exclusive_segmented_scan(here, rest, offsets, to, op, init);
        }
        return mine;
      },
      [=, in_kept = in, me = std::size_t(transport_of(all).rank())](std::vector<found> const& ranks) {
        require_segment_before(label, ranks);
        extent const lead = ranks[me].lead;
        if (lead == 0) return;
        auto before = carries::identity();
        for (auto r = me; r-- > 0;) {
          before = by.combine(ranks[r].sum, before);
          if (ranks[r].segments > 0) break;
        }
        scan_behind<Inclusive, carries>(by.combine(by.template first<Inclusive>(init), before), here,
                                        part_of(as_input(in_kept), 0, lead), up_to(out, lead), op);
      });
}

}  // namespace detail

/// \addtogroup ranks
/// \{

/// sums(s) = init · the items of the s-th segment that begins on this rank, on this rank and on those behind. `begins`
/// are the positions in this rank's block, from 0 up to its end, at which segments begin: integers that never decrease,
/// as many as there are segments, none too. A segment goes on to where the next one begins, on whatever rank; it may be
/// empty. The first segment of all begins at the first item of all, else precondition_error is thrown. As
/// onepass::segmented_reduce(). Returns how many segments begin here, on the ranks before, and on all.
///
/// n items are read once; each rank sends a value and four words.
template <ranks_like Ranks, place_like Where, class In, class Begins, class Sums, class Op = plus, class Init = no_init>
given_by<Ranks, block> segmented_reduce(Ranks&& all, Where const& where, In const& in, Begins const& begins,
                                        Sums const& sums, Op op = {}, Init const& init = {})
{
  using T       = item_t<Sums>;
  using carries = detail::carries<T, Op>;
  using found   = detail::found_segments<typename carries::type>;
  check_input<space_of<Where>, In>();
  check_input<space_of<Where>, Begins>();
  detail::refuse_orders<Where, T>();
  char const* const name = "ranks::segmented_reduce";
  auto const here        = on(where).or_named(name);
  auto const from        = as_input(in);
  auto const heads       = as_input(begins);
  carries const by(op);
  return detail::told_then(
      all,
      [&] {
        found mine = detail::segments_of<typename carries::type>(name, here, from, heads);
        mine.sum   = by.sum(here, detail::part_of(from, 0, mine.lead));
        onepass::segmented_reduce(
            here, detail::part_of(from, mine.lead, mine.count - mine.lead),
            detail::offsets_here<sequence_of<Begins>>{heads, mine.lead, mine.count, mine.segments + 1}, sums, op, init);
        return mine;
      },
      [=, &them = detail::transport_of(all)](std::vector<found> const& ranks) {
        detail::require_segment_before(name, ranks);
        auto const me = std::size_t(them.rank());
        extent more   = 0;
        auto sum      = carries::identity();
        for (auto r = me + 1; r < ranks.size(); ++r) {
          sum = by.combine(sum, ranks[r].sum), more += ranks[r].lead;
          if (ranks[r].segments > 0) break;
        }
        if (more > 0)
          detail::update_last(here, sums, ranks[me].segments,
                              detail::with_newer<typename carries::known, T>{by.by().op, carries::value(sum)});
        return detail::block_of(name, them, ranks, [](found const& r) { return r.segments; });
      });
}

/// out(i) = init · the items before i of the same segment, on this rank and on those before. Segments as for
/// segmented_reduce(); as onepass::exclusive_segmented_scan(), with an init that is a value.
///
/// n items are read once and n results written, but those of the last segment here are read twice; each rank sends a
/// value and four words.
template <ranks_like Ranks, place_like Where, class In, class Begins, class Out, class Op = plus, class Init = no_init>
given_by<Ranks, void> exclusive_segmented_scan(Ranks&& all, Where const& where, In const& in, Begins const& begins,
                                               Out const& out, Op op = {}, Init const& init = {})
{
  return detail::segmented_scan<false>("ranks::exclusive_segmented_scan", all, where, in, begins, out, op, init);
}

/// out(i) = init · the items up to i of the same segment, on this rank and on those before. Costs as
/// exclusive_segmented_scan() does.
template <ranks_like Ranks, place_like Where, class In, class Begins, class Out, class Op = plus, class Init = no_init>
given_by<Ranks, void> inclusive_segmented_scan(Ranks&& all, Where const& where, In const& in, Begins const& begins,
                                               Out const& out, Op op = {}, Init const& init = {})
{
  return detail::segmented_scan<true>("ranks::inclusive_segmented_scan", all, where, in, begins, out, op, init);
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
