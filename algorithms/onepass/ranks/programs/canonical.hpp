// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_canonical_tiles.hpp>
#include <onepass/execution/exactly.hpp>
#include <onepass/ranks/programs/payloads.hpp>
#include <onepass/scan.hpp>

namespace onepass::ONEPASS_ABI::ranks::detail {

// The canonical tree over all ranks (docs/canonical.md). Its tiles begin at multiples of a tile's size among the items
// of all, and a rank takes those tiles whose first item it has. What its last one lacks, heads of the blocks behind,
// comes from their ranks, and the results go back there. Between two passes over its tiles a rank tells the others
// their totals, of whole clusters and blocks as one, and makes what is before each.

/// Whether a call at a place makes the canonical tree of values of type T. Integers are the same in any order.
template <class Where, class T>
inline constexpr bool makes_tree = is_canonical<tuning_of<Where>> && !std::is_integral_v<T>;

/// What calls say that combine floats by blocks alone.
template <class Where, class T>
constexpr void refuse_orders()
{
  static_assert(!makes_tree<Where, T>, "onepass: over ranks, canonically() is for reduce and scans of all items");
  static_assert(!is_exact_place<Where> || std::is_integral_v<T>, "onepass: over ranks, exactly() is for reduce");
}

template <class Ranks>
constexpr void refuse_nonblocking()
{
  static_assert(!is_nonblocking<Ranks>, "onepass: a call at canonically() exchanges words twice; give it the ranks "
                                        "themselves, not nonblocking()");
}

/// Items of a sequence from one on.
template <class Items>
struct items_from {
  using value_type = typename Items::value_type;
  Items items;
  extent begin, size;
  ONEPASS_FUNCTION value_type operator()(extent i) const { return items(begin + i); }
};
template <class T>
auto part_of(contiguous<T> const& items, extent begin, extent size)
{
  return contiguous<T>{items.data + begin, size};
}
template <class T>
auto part_of(strided<T> const& items, extent begin, extent size)
{
  return strided<T>{items.data + begin * items.stride, size, items.stride};
}
template <class Items>
auto part_of(Items const& items, extent begin, extent size)
{
  return items_from<Items>{items, begin, size};
}
inline nothing part_of(nothing, extent, extent) { return {}; }

/// How a rank's items lie among tiles: its head belongs to a tile of a rank before, its body to tiles that lie here
/// alone, its tail begins one that goes on behind, the edge.
struct among_tiles {
  extent first, last;       ///< the tiles that the rank takes
  extent head, body, tail;  ///< items
  extent edge;              ///< items of the edge, the tail and heads of other ranks
  route heads;              ///< how those get here, and this rank's own gets where it belongs

  static among_tiles of(std::vector<extent> const& begins, extent size, int rank)
  {
    std::vector<extent> tiles;  // where those of each rank begin
    for (extent const b : begins) tiles.push_back(b + std::min((size - b % size) % size, begins.back() - b));
    auto const r       = std::size_t(rank);
    extent const begin = begins[r], end = begins[r + 1], head = std::min(tiles[r], end) - begin;
    extent const local = end - begin - head, body = tiles[r + 1] == end ? local : local / size * size;
    auto heads = between_blocks(begins, tiles, rank);
    for (std::size_t k = r; k < heads.to.size(); ++k) heads.to[k] = {head, head};
    for (auto& from : heads.from) from = std::max<extent>(from - local, 0);
    return {div_up(begin, size), div_up(end, size), head, body, local - body, tiles[r + 1] - tiles[r] - body, heads};
  }
};

/// The way back of pieces that lay one behind another.
inline route reversed(route const& way)
{
  route back;
  for (std::size_t r = 0; r < way.to.size(); ++r) {
    back.to.emplace_back(way.from[r], way.from[r + 1]);
    back.from.push_back(way.to[r].first);
  }
  back.from.push_back(way.to.back().second);
  return back;
}

/// The totals of this rank's tiles become what is before each. `sums` are what the nodes of each rank are. Returns all,
/// combined.
template <class Program, class Aggregate>
Aggregate combine_nodes(Program const& program, std::vector<std::vector<canonical_node>> const& nodes,
                        std::vector<std::vector<Aggregate>> const& sums, std::size_t me, std::vector<Aggregate>& totals)
{
  canonical_prefix<Program> before(program);
  for (std::size_t r = 0; r < nodes.size(); ++r)
    if (r == me)
      for (auto& tile : totals) {
        auto const total = std::exchange(tile, before.before(program));
        before.add(program, total);
      }
    else
      for (std::size_t k = 0; k < sums[r].size(); ++k) before.add(program, sums[r][k], nodes[r][k].tiles);
  return before.before(program);
}

/// Scans or reduces the items of all ranks by the canonical tree, combined in T; returns init and all items combined.
/// `in` and `out` are sequences, `check` throws where arguments are wrong.
template <scan_kind Kind, class T, class Where, class In, class Out, class Op, class Init, class Check>
T by_canonical_tree(char const* label, transport& all, Where const& where, In const& in, Out const& out, Op const& op,
                    Init const& init, Check const& check)
{
  constexpr bool writes = Kind != scan_kind::total_only;
  using item            = typename In::value_type;
  using result          = typename Out::value_type;
  using memory          = typename space_of<Where>::memory_space;
  static_assert(std::is_trivially_copyable_v<item> && std::is_trivially_copyable_v<result>,
                "onepass: over ranks, canonically() sends items, which must be trivially copyable");
  auto const here       = on(where).or_named(label);
  auto const program_of = [&]<class From, class To>(From const& from, To const& to) {
    return scan_program<Kind, From, To, T, known_operator_t<Op, T>, unchanged>{
        from,
        to,
        {known_operator<T>(op)},
        {},
        onepass::detail::given_init<T, space_of<Where>>(init),
        !std::is_same_v<Init, no_init>,
        nullptr};
  };
  auto const program = program_of(in, out);
  using whole        = std::decay_t<decltype(program)>;
  using tree         = canonical_tree<whole>;
  using aggregate    = typename whole::aggregate_type;

  // Heads leave, and come behind the tail.
  Kokkos::View<item*, memory> leaving, edge_in;
  Kokkos::View<result*, memory> edge_out, arriving;
  auto const counts = told(all, [&] {
    check();
    leaving = room_for<item>(here, tree::items), edge_in = room_for<item>(here, tree::items);
    if constexpr (writes)
      edge_out = room_for<result>(here, tree::items), arriving = room_for<result>(here, tree::items);
    return extent(in.size);
  });
  auto const begins = begins_of(label, counts, [](extent n) { return n; });
  auto const mine   = among_tiles::of(begins, tree::items, all.rank());
  copy_items(here, part_of(in, 0, mine.head), as_sequence(leaving));
  copy_items(here, part_of(in, mine.head + mine.body, mine.tail), as_sequence(edge_in));
  send_along(all, here, mine.heads, leaving.data(), edge_in.data() + mine.tail);

  // Totals of tiles, of which the others are told the nodes.
  std::conditional_t<writes, contiguous<result>, nothing> edge_to{};
  if constexpr (writes) edge_to = {edge_out.data(), mine.edge};
  auto const body = program_of(part_of(in, mine.head, mine.body), part_of(out, mine.head, mine.body));
  auto const edge = program_of(contiguous<item const>{edge_in.data(), mine.edge}, edge_to);
  static_assert(canonical_tree<std::decay_t<decltype(body)>>::leaf == tree::leaf
                    && canonical_tree<std::decay_t<decltype(edge)>>::leaf == tree::leaf,
                "onepass: over ranks, canonically() takes no pairs that are larger than their parts");
  Kokkos::View<aggregate*, memory> of_tiles;
  std::vector<aggregate> totals(static_cast<std::size_t>(mine.last - mine.first));
  std::vector<std::vector<canonical_node>> nodes;
  std::vector<extent> numbers;  // of nodes
  for (std::size_t r = 0; r < counts.size(); ++r) {
    nodes.push_back(nodes_of<tree>(div_up(begins[r], tree::items), div_up(begins[r + 1], tree::items)));
    numbers.push_back(extent(nodes.back().size()));
  }
  auto const me    = std::size_t(all.rank());
  auto const sums  = told_lists<aggregate>(all, numbers, [&] {
    of_tiles = room_for<aggregate>(here, extent(totals.size()));
    canonical_totals(here, body, mine.body, of_tiles.data());
    canonical_totals(here, edge, mine.edge, of_tiles.data() + div_up(mine.body, tree::items));
    Kokkos::deep_copy(here.space, unmanaged_items<aggregate, Kokkos::HostSpace>(totals.data(), totals.size()),
                       of_tiles);
    here.space.fence("onepass::ranks: totals of tiles are told");
    std::vector<aggregate> own;
    for (auto const& [first, tiles] : nodes[me])
      own.push_back(node_of(program, totals.data() + (first - mine.first), tiles));
    return own;
  });
  auto const total = combine_nodes(program, nodes, sums, me, totals);

  // Results, of which those of heads go back.
  if constexpr (writes) {
    Kokkos::deep_copy(here.space, of_tiles,
                      unmanaged_items<aggregate, Kokkos::HostSpace>(totals.data(), totals.size()));
    canonical_results(here, body, mine.body, of_tiles.data());
    canonical_results(here, edge, mine.edge, of_tiles.data() + div_up(mine.body, tree::items));
    copy_items(here, contiguous<result const>{edge_out.data(), mine.tail},
               part_of(out, mine.head + mine.body, mine.tail));
    send_along(all, here, reversed(mine.heads), edge_out.data() + mine.tail, arriving.data());
    copy_items(here, contiguous<result const>{arriving.data(), mine.head}, part_of(out, 0, mine.head));
    here.space.fence("onepass::ranks: what came and went is dropped");
  }
  return whole::algebra::value(total);
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
