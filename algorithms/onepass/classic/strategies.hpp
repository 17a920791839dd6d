// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/checks.hpp>
#include <onepass/classic/strategies/conductor.hpp>

#include <vector>

namespace onepass::ONEPASS_ABI::classic {

/// \defgroup strategies The classic scans
/// All classic scans, by name: every strategy between blocks combined with every network inside a block. Baselines,
/// from one source on every execution space, and the code that docs/strategies.md explains; the scan to use is
/// onepass::inclusive_scan() (scan.hpp).
///
///     auto how = onepass::classic::choice_named("reduce-then-scan");
///     how.by   = onepass::classic::network_named("sklansky");
///     onepass::classic::inclusive_scan(exec, how, in, out);
///
/// Source: Hillis & Steele 1986, Blelloch 1990, Sklansky 1960, Kogge & Stone 1973, Brent & Kung 1982 for the networks;
/// Harris, Sengupta & Owens 2007, Merrill & Grimshaw 2009, Yan, Long & Zhang 2013 and Merrill & Garland 2016 for the
/// strategies; see docs/references.md, and docs/strategies.md for which idea comes from which paper.
/// \{

/// Throws precondition_error unless the choice works for items of type T and this operator on this space; the message
/// says what would work.
template <class Exec, class T, class Op = plus>
void require_possible(choice const& c)
{
  constexpr bool threaded = !on_host<Exec>;
  auto const name         = std::string("classic: ") + entry_of(c.how).name + " with " + entry_of(c.by).name;
  auto const is_power     = [](int n) { return n > 0 && (n & (n - 1)) == 0; };
  require(is_power(c.wide.lanes) && is_power(c.wide.warp) && c.wide.warp > 1 && c.wide.warp <= 32
              && c.wide.warp <= c.wide.lanes && c.wide.lanes <= 1024,
          name, ": ", c.wide.lanes, " lanes in warps of ", c.wide.warp,
          "; give powers of two, warps of 2 to 32 and blocks of a warp to 1024 lanes");
  require(!threaded || (c.wide.lanes == 256 && c.wide.warp == 32), name, ": blocks of ", c.wide.lanes,
          " lanes in warps of ", c.wide.warp, "; on a device they have 256 in warps of 32");
  require(c.by != network::blelloch_unrolled || c.wide.lanes == unrolled_lanes, name, ": the network is ",
          unrolled_lanes, " lanes wide and the block ", c.wide.lanes, "; take blelloch-padded, or a block of ",
          unrolled_lanes);
  require((c.by != network::warp_brent_kung && c.by != network::ballot) || c.wide.warps() <= c.wide.warp, name,
          ": one warp of ", c.wide.warp, " scans the sums of at most as many warps, and the block has ", c.wide.warps(),
          "; give shorter blocks or longer warps");
  require(c.by != network::ballot || adds_bits<monoid<Op, T>>, name,
          ": ballots add unsigned integers, and nothing else; take another network");
  require(c.items_per_lane >= 0 && c.teams >= 0, name, ": ", c.items_per_lane, " items a lane, ", c.teams,
          " teams; give 0 or more");
  if constexpr (threaded) detail::require_device_items<Exec, monoid<Op, T>, T>(name, c.items_per_lane);
}

/// The items of a tile, for this choice on this space, as inclusive_scan() uses it.
template <class Exec, class T, class Op = plus>
extent tile_items(choice c)
{
  detail::with_items_per_lane<Exec, monoid<Op, T>, T>(c, [](auto) {});
  return extent(c.items_per_lane) * c.wide.lanes;
}

/// The numbers of items per lane to compare: all that devices support, powers of 4 on hosts.
template <class Exec, class T, class Op = plus>
std::vector<int> some_items_per_lane()
{
  std::vector<int> all;
  if constexpr (on_host<Exec>)
    for (int items = 1; items <= 4096; items *= 4) all.push_back(items);
  else
    detail::each_items_per_lane<Exec, monoid<Op, T>, T>(
        [&]<int N>(std::integral_constant<int, N>) { all.push_back(N); });
  return all;
}

/// out(i) = in(0) · … · in(i), where a · b is op(a, b), by the strategy and network of `how`.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`, `out`: Views of rank 1 or sequences of the same item type; `out` as long as `in`, or `in` itself
/// - `op`: associative; need not be commutative
/// - `distance`: a View of rank 0 of look_back_distance, to which look-back strategies add how far they looked back; or
///   `nothing`
///
/// Errors: throws precondition_error, before anything is queued, if the choice cannot work (require_possible()), `out`
/// is too short, or the two partly overlap. Cost: given by items_moved(). Queued on the instance without a fence.
/// Allocates nothing if the place has a large enough workspace.
template <place_like Where, class In, class Out, class Op = plus, class Distance = nothing>
void inclusive_scan(Where const& where, choice how, In const& in, Out const& out, Op op = {},
                    Distance const& distance = {})
{
  using exec = space_of<Where>;
  using T    = item_t<Out>;
  check_input<exec, In>();
  check_operator<Op, T>();
  static_assert(std::is_same_v<item_t<In>, T>,
                "onepass: the classic scans take input and output of the same item type");
  auto const from = as_input(in);
  auto const to   = as_sequence(out);
  require_possible<exec, T, Op>(how);
  onepass::require_room("classic::inclusive_scan", from, to);
  onepass::require_no_overlap("classic::inclusive_scan", from, to);
  look_back_distance* noted = nullptr;
  if constexpr (!std::is_same_v<Distance, nothing>) {
    check_scalar<exec, Distance>();
    noted = distance.data();
  }
  if (from.size == 0) return;
  with_workspace(where, "classic::inclusive_scan", [&](auto const& place, auto& scratch) {
    detail::with_items_per_lane<exec, monoid<Op, T>, T>(how, [&]<int N>(std::integral_constant<int, N>) {
      detail::conductor<exec, N, monoid<Op, T>>{place.space, place.label, {op}, how, place.anchor, noted}.conduct(
          from, to, scratch);
    });
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI::classic
