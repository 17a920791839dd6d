// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/classic/strategies/block.hpp>
#include <onepass/extent.hpp>
#include <onepass/require.hpp>

#include <array>
#include <string>
#include <string_view>

namespace onepass::ONEPASS_ABI::classic {

/// \addtogroup strategies
///
/// classic/strategies/catalogue.hpp: the names of all strategies and networks, and their declared costs, which tests
/// compare to counts. Nothing here touches a device or waits.
/// \{

/// How a block scans one value per lane.
enum class network {
  serial,
  kogge_stone,
  sklansky,
  brent_kung,
  brent_kung_padded,
  blelloch,
  blelloch_padded,
  blelloch_unrolled,
  reduce_then_naive,
  warp_brent_kung,
  raking,
  warp_sklansky,
  ballot
};

/// How blocks get the exclusive prefix of their tiles.
enum class strategy {
  scan_then_propagate,
  reduce_then_scan,
  reduce_then_scan_raking,
  reduce_then_scan_elided,
  chained,
  look_back,
  look_back_lane,
  look_back_fenced,
  look_back_fenced_lane,
  look_ahead
};

/// A network and its name.
struct network_entry {
  network id;        ///< which one
  char const* name;  ///< what network_named() takes
};

/// All networks, in the order of their numbers.
inline constexpr std::array networks{
    network_entry{network::serial, "serial"},
    network_entry{network::kogge_stone, "kogge-stone"},
    network_entry{network::sklansky, "sklansky"},
    network_entry{network::brent_kung, "brent-kung"},
    network_entry{network::brent_kung_padded, "brent-kung-padded"},
    network_entry{network::blelloch, "blelloch"},
    network_entry{network::blelloch_padded, "blelloch-padded"},
    network_entry{network::blelloch_unrolled, "blelloch-unrolled"},
    network_entry{network::reduce_then_naive, "reduce-then-naive"},
    network_entry{network::warp_brent_kung, "warp-brent-kung"},
    network_entry{network::raking, "raking"},
    network_entry{network::warp_sklansky, "warp-sklansky"},
    network_entry{network::ballot, "ballot"},
};

/// A strategy, its name and its cost.
struct strategy_entry {
  strategy id;       ///< which one
  char const* name;  ///< what choice_named() takes
  int moves;         ///< how often an item is read or written, for many tiles
};

/// All strategies, in the order of their numbers.
inline constexpr std::array all_strategies{
    strategy_entry{strategy::scan_then_propagate, "scan-then-propagate", 4},
    strategy_entry{strategy::reduce_then_scan, "reduce-then-scan", 3},
    strategy_entry{strategy::reduce_then_scan_raking, "reduce-then-scan-raking", 3},
    strategy_entry{strategy::reduce_then_scan_elided, "reduce-then-scan-elided", 3},
    strategy_entry{strategy::chained, "chained", 2},
    strategy_entry{strategy::look_back, "look-back", 2},
    strategy_entry{strategy::look_back_lane, "look-back-lane", 2},
    strategy_entry{strategy::look_back_fenced, "look-back-fenced", 2},
    strategy_entry{strategy::look_back_fenced_lane, "look-back-fenced-lane", 2},
    strategy_entry{strategy::look_ahead, "look-ahead", 2},
};

/// Whether the network pads its values to avoid bank conflicts.
ONEPASS_FUNCTION constexpr bool is_padded(network n)
{
  return n == network::brent_kung_padded || n == network::blelloch_padded || n == network::blelloch_unrolled
         || n == network::reduce_then_naive || n == network::raking;
}
/// Whether the network gives exclusive prefixes, not inclusive ones.
ONEPASS_FUNCTION constexpr bool is_exclusive(network n)
{
  return n == network::blelloch || n == network::blelloch_padded || n == network::blelloch_unrolled;
}

/// The entry of a network.
constexpr network_entry const& entry_of(network n) { return networks[std::size_t(n)]; }
/// The entry of a strategy.
constexpr strategy_entry const& entry_of(strategy s) { return all_strategies[std::size_t(s)]; }

/// The parts of a classic scan. 0 items per lane or teams: as many as suit the space.
struct choice {
  strategy how       = strategy::look_back;       ///< how blocks get the exclusive prefix of their tiles
  network by         = network::warp_brent_kung;  ///< how a block scans a value per lane
  width wide         = {};                        ///< lanes of a block and of a warp
  int items_per_lane = 0;                         ///< items that a lane takes at a time
  int teams          = 0;                         ///< for strategies whose teams take many tiles
};

/// The textbook's "ladder" of optimisations: scan-then-propagate with one more improvement on every rung.
struct rung {
  char const* name;    ///< what choice_named() takes
  network by;          ///< how a block scans a value per lane
  int items_per_lane;  ///< items that a lane takes at a time
};

/// The rungs, the slowest first.
inline constexpr std::array ladder{
    rung{"ladder-naive", network::kogge_stone, 1},          rung{"ladder-work-efficient", network::blelloch, 1},
    rung{"ladder-padded", network::blelloch_padded, 1},     rung{"ladder-hybrid", network::reduce_then_naive, 1},
    rung{"ladder-unrolled", network::blelloch_unrolled, 1}, rung{"ladder-8-items", network::blelloch_unrolled, 8},
};

namespace detail {

template <class Entries>
std::string names_of(Entries const& entries)
{
  std::string all;
  for (auto const& e : entries) all += (all.empty() ? "" : ", ") + std::string(e.name);
  return all;
}

template <class Entries>
auto const& named(char const* what, Entries const& entries, std::string_view name)
{
  for (auto const& e : entries)
    if (e.name == name) return e;
  throw precondition_error("onepass::classic: no " + std::string(what) + " is called " + std::string(name)
                           + "; there are " + names_of(entries));
}

}  // namespace detail

/// The network of this name. Throws precondition_error, which lists the names there are, if there is none.
inline network network_named(std::string_view name) { return detail::named("network", networks, name).id; }

/// The strategy of this name, in its usual form, or the rung of the ladder. Throws precondition_error, which lists the
/// names there are, if there is none.
inline choice choice_named(std::string_view name)
{
  for (auto const& r : ladder)
    if (r.name == name) return {strategy::scan_then_propagate, r.by, {}, r.items_per_lane};
  for (auto const& s : all_strategies)
    if (s.name == name) return {s.id};
  throw precondition_error("onepass::classic: no strategy is called " + std::string(name) + "; there are "
                           + detail::names_of(all_strategies) + ", " + detail::names_of(ladder));
}

// ---- what networks cost

/// The cost of a network on one value per lane.
struct cost {
  int operators;  ///< how often the operator is applied
  int depth;      ///< the longest chain of dependent operators
  int barriers;   ///< of the whole block
  /// Whether all three are equal.
  bool operator==(cost const&) const = default;
};

/// The number of operators of Kogge and Stone's scan of n values.
constexpr int kogge_stone_operators(int n) { return n * log2_of(n) - n + 1; }

/// The declared cost of a network of this width: the operators applied, the longest chain of them, and the barriers of
/// the whole block from putting a value to reading its prefix. Ballot networks apply the operator to the warps' sums
/// only.
constexpr cost cost_of(network by, width wide)
{
  int const b = wide.lanes, w = wide.warp, W = wide.warps(), levels = log2_of(b);
  switch (by) {
  case network::serial:
    return {b - 1, b - 1, 2};
  case network::kogge_stone:
    return {kogge_stone_operators(b), levels, levels};
  case network::sklansky:
    return {b / 2 * levels, levels, levels};
  case network::brent_kung:
  case network::brent_kung_padded:
    return {2 * b - 2 - levels, b > 2 ? 2 * levels - 2 : levels, 2 * levels};
  case network::blelloch:
  case network::blelloch_padded:
  case network::blelloch_unrolled:
    return {2 * (b - 1), 2 * levels - 1, 2 * levels + 1};
  case network::reduce_then_naive:
    return {2 * (b - w) - log2_of(W) + kogge_stone_operators(w),
            log2_of(W) + (log2_of(w) > log2_of(W) + log2_of(w - 1) ? log2_of(w) : log2_of(W) + log2_of(w - 1)),
            2 * log2_of(W) + 2};
  case network::warp_brent_kung:
    return {W * kogge_stone_operators(w) + kogge_stone_operators(W) + b - w,
            W > 1 ? log2_of(w) + log2_of(W - 1) + 1 : log2_of(w), 2};
  case network::raking:
    return {w * (W - 1) + kogge_stone_operators(w) + (w - 1) * W, W - 1 + log2_of(w - 1) + W, 2};
  case network::warp_sklansky:
    return {W * kogge_stone_operators(w) + b / 2 * log2_of(W), log2_of(w) + log2_of(W), log2_of(W)};
  case network::ballot:
    return {b - w, 1, 2};
  }
  return {};
}

/// The declared number of items read and written by a scan of n items in tiles of `tile`, by `teams` teams where these
/// share the tiles evenly. The sums of tiles, fewer than n / tile, are read and written as often in addition.
constexpr extent items_moved(strategy how, extent n, extent tile, extent teams)
{
  extent const tiles = n > tile ? div_up(n, tile) : 1;
  switch (how) {
  case strategy::scan_then_propagate:
    return 2 * n + (tiles > 1 ? 2 * (n - tile) : 0);
  case strategy::reduce_then_scan:
  case strategy::reduce_then_scan_raking:
    return (tiles > 1 ? 3 : 2) * n;
  case strategy::reduce_then_scan_elided: {
    if (tiles == 1) return 2 * n;
    extent const part = div_up(tiles, teams) * tile, last = n - (div_up(n, part) - 1) * part;
    return n > part ? 3 * n - part - last : 2 * n;
  }
  default:
    return 2 * n;
  }
}

/// \}

}  // namespace onepass::ONEPASS_ABI::classic
