// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/classic/strategies/machine.hpp>

#include <utility>

namespace onepass::ONEPASS_ABI::classic::detail {

/// Queues the kernels of a strategy.
template <class Exec, int N, class Monoid>
struct conductor {
  using aggregate = typename Monoid::type;
  template <class In, class Out>
  using machine_of = machine<Exec, N, In, Out, Monoid>;

  Exec exec;
  std::string label;
  Monoid monoid;
  choice chosen;
  int anchor;
  look_back_distance* distance;
  aggregate* free_sums = nullptr;

  template <class In, class Out>
  void conduct(In const& in, Out const& out, workspace<Exec>& scratch)
  {
    machine_of<In, Out> m{in, out, monoid, chosen};
    extent const tiles = m.tiles(), teams = chosen.teams > 0 ? chosen.teams : resident_teams();
    require(tiles < extent(1) << 31, label, ": ", in.size,
            " items are more tiles than one launch has; take more items a lane");
    switch (chosen.how) {
    case strategy::scan_then_propagate:
    case strategy::reduce_then_scan:
    case strategy::reduce_then_scan_raking:
    case strategy::reduce_then_scan_elided: {
      free_sums = reinterpret_cast<aggregate*>(
          scratch.plain(std::size_t(sums_of_levels(tiles, m.tile_items())) * sizeof(aggregate)));
      if (chosen.how == strategy::scan_then_propagate) propagate(m);
      else if (chosen.how == strategy::reduce_then_scan) reduce_first(m, 1, false);
      else reduce_first(m, div_up(tiles, teams), chosen.how == strategy::reduce_then_scan_elided);
      break;
    }
    default:
      chain(m, teams, scratch);
    }
  }

private:
  /// The number of teams that keep a space busy: on devices, half the lanes that are resident at 64 registers each; on
  /// hosts, one team per thread.
  extent resident_teams() const
  {
    using any = machine_of<contiguous<aggregate const>, contiguous<aggregate>>;
    return any::threaded ? exec.concurrency() / (2 * any::threads) : exec.concurrency();
  }

  /// The number of sums on all levels: of `tiles` tiles, of the tiles that these sums fill, and so on.
  static extent sums_of_levels(extent tiles, extent tile_items)
  {
    extent all = tiles;
    while (tiles > 1) all += tiles = div_up(tiles, tile_items);
    return all;
  }

  /// Scan-then-propagate: every tile is scanned by itself; the tiles' sums are scanned; then each tile's exclusive
  /// prefix is combined with its items.
  template <class Machine>
  void propagate(Machine m)
  {
    extent const tiles = m.tiles();
    m.sums             = std::exchange(free_sums, free_sums + tiles);
    m.template queue<typename Machine::scan>(exec, label + " (scan)", tiles);
    if (tiles == 1) return;
    scan_sums(m.sums, tiles);
    m.seeds = m.sums;
    m.template queue<typename Machine::spread>(exec, label + " (propagate)", tiles - 1);
  }

  /// Reduce-then-scan: stretches of tiles are reduced, their sums scanned, and then the stretches are scanned from
  /// their exclusive prefixes. Elided: the first team scans at once, and the last stretch is not reduced.
  template <class Machine>
  void reduce_first(Machine m, extent stretch, bool elided)
  {
    extent const teams = div_up(m.tiles(), stretch);
    m.stretch          = stretch;
    if (teams > 1) {
      m.elided = elided;
      m.sums   = std::exchange(free_sums, free_sums + teams);
      m.template queue<typename Machine::reduce>(exec, label + " (reduce)", teams - elided);
      scan_sums(m.sums, teams - elided);
      m.seeds = std::exchange(m.sums, nullptr);
    }
    m.template queue<typename Machine::scan>(exec, label + " (scan)", teams - m.elided);
  }

  void scan_sums(aggregate* sums, extent count)
  {
    using level = machine_of<contiguous<aggregate const>, contiguous<aggregate>>;
    level const m{{sums, count}, {sums, count}, monoid, chosen};
    if (chosen.how == strategy::scan_then_propagate) propagate(m);
    else reduce_first(m, 1, false);
  }

  template <class Machine>
  void chain(Machine m, extent teams, workspace<Exec>& scratch)
  {
    extent const tiles = m.tiles();
    bool const fenced  = chosen.how == strategy::look_back_fenced || chosen.how == strategy::look_back_fenced_lane;
    if (fenced) m.chain.payload = scratch.template plain_of<aggregate>(2 * tiles);
    m.chain.board        = scratch.template make_board<team_words>(tiles * m.chain.words_a_tile());
    m.chain.board.anchor = chosen.how == strategy::chained ? 1 : anchor;  // each tile waits for the one before
    m.distance           = distance;
    extent const stay    = teams < tiles ? teams : tiles;
    if (chosen.how == strategy::look_ahead) m.template queue<typename Machine::ahead>(exec, label, stay);
    else m.template queue<typename Machine::chained>(exec, label, stay);
  }
};

/// Whether a tile of N items per lane fits in the shared memory of a team.
template <class Exec, class Monoid, class T, int N>
constexpr bool fits_team = machine<Exec, N, contiguous<T const>, contiguous<T>, Monoid>::scratch_bytes(width{})
                           <= most_team_memory;

/// Calls f(std::integral_constant<int, N>) for each number of items N that a lane may have on devices, in ascending
/// order.
template <class Exec, class Monoid, class T, class F>
void each_items_per_lane(F const& f)
{
  auto const each = [&]<int Before, int N, int... More>(auto const& self,
                                                        std::integer_sequence<int, Before, N, More...>)
  {
    if constexpr (N > Before && fits_team<Exec, Monoid, T, N>) f(std::integral_constant<int, N>{});
    if constexpr (sizeof...(More) > 0) self(self, std::integer_sequence<int, (N > Before ? N : Before), More...>{});
  };
  [&]<int... N>(std::integer_sequence<int, N...>) { each(each, std::integer_sequence<int, 0, N...>{}); }
  (device_items_per_lane<T>{});
}

template <class Exec, class Monoid, class T>
void require_device_items(std::string const& name, int items)
{
  std::string known;
  bool found = items == 0;
  each_items_per_lane<Exec, Monoid, T>([&]<int N>(std::integral_constant<int, N>) {
    known += (known.empty() ? "" : ", ") + std::to_string(N);
    found = found || N == items;
  });
  require(found, name, ": ", items, " items a lane; on a device of these items there are ", known);
}

/// Bytes of items of a tile on hosts: they stay in cache between reading and writing.
inline constexpr std::size_t host_tile_bytes = 256 * 1024;

/// Calls f(std::integral_constant<int, N>) for the N of the choice, whose defaults are filled in.
template <class Exec, class Monoid, class T, class F>
void with_items_per_lane(choice& c, F const& f)
{
  if constexpr (on_host<Exec>) {
    auto const items = int(host_tile_bytes / sizeof(T)) / c.wide.lanes;
    if (c.items_per_lane == 0) c.items_per_lane = items < 1 ? 1 : items;
    f(std::integral_constant<int, 0>{});
  } else {
    if (c.items_per_lane == 0)
      each_items_per_lane<Exec, Monoid, T>([&]<int N>(std::integral_constant<int, N>) { c.items_per_lane = N; });
    each_items_per_lane<Exec, Monoid, T>([&]<int N>(std::integral_constant<int, N> n) {
      if (N == c.items_per_lane) f(n);
    });
  }
}

}  // namespace onepass::ONEPASS_ABI::classic::detail
