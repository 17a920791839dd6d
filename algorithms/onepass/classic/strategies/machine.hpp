// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/classic/strategies/chain.hpp>
#include <onepass/classic/strategies/networks.hpp>
#include <onepass/engine/items/stage.hpp>

namespace onepass::ONEPASS_ABI::classic {

/// The number of items in so many 16-byte packs. device_items_per_lane: the numbers of items that a lane may take on
/// devices, in ascending order; hosts take any number.
template <class T>
constexpr int items_of_packs(int packs)
{
  return packs * 16 < int(sizeof(T)) ? 1 : packs * 16 / int(sizeof(T));
}
template <class T>
using device_items_per_lane =
    std::integer_sequence<int, 1, (sizeof(T) > 8 ? 1 : 8), items_of_packs<T>(5), items_of_packs<T>(9)>;

/// One functor for the kernels of every strategy, over tiles of lanes x items per lane:
///   reduce   a team combines the items of `stretch` tiles, one after another
///   scan     a team scans `stretch` tiles, from their exclusive prefix
///   spread   a team combines the exclusive prefix of a tile with each item of its own scan
///   chained  teams draw tiles until none is left, and get the exclusive prefix of each from the board
///   ahead    the same, but they add up all aggregates themselves
/// On devices N, the items per lane, is a compile-time constant; on hosts it is 0, and `items` has the number.
template <class Exec, int N, class In, class Out, class Monoid>
struct machine {
  static constexpr bool threaded = !on_host<Exec>;
  static constexpr int threads   = threaded ? 256 : 1;
  static constexpr int min_teams = threaded ? 4 : 1;

  using item      = typename In::value_type;
  using aggregate = typename Monoid::type;
  using ticket    = typename chain_board<aggregate>::ticket;
  static_assert(std::is_same_v<item, typename Out::value_type>);

  struct reduce {};
  struct scan {};
  struct spread {};
  struct chained {};
  struct ahead {};

  template <class Tag>
  using policy = Kokkos::TeamPolicy<Exec, Tag, Kokkos::LaunchBounds<unsigned(threads), unsigned(min_teams)>>;
  template <class Member>
  using block_of = block<threads, Member, Monoid>;

  In in;
  Out out;
  Monoid monoid;
  choice chosen;
  aggregate* sums        = nullptr;  ///< output: the sum of each stretch
  aggregate const* seeds = nullptr;  ///< input: the inclusive prefix of each stretch
  extent stretch         = 1;        ///< tiles per team
  bool elided            = false;    ///< reduce: the first team scans; scan: the first stretch is done
  chain_board<aggregate> chain{};
  look_back_distance* distance = nullptr;

  /// The shared memory of a team: the items of its tile (devices), the network's values, what it reads of other tiles,
  /// and its ticket.
  struct memory {
    aggregate* values;
    aggregate* said;  ///< a value that lane 0 passes to the others
    ticket* drawn;
    sightings<aggregate> seen;
  };
  static constexpr std::size_t stage_bytes = threaded ? (std::size_t(N) * threads * sizeof(item) + 127) / 128 * 128 : 0;

  ONEPASS_FUNCTION static constexpr std::size_t round_up(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  ONEPASS_FUNCTION static constexpr std::size_t scratch_bytes(width w)
  {
    return stage_bytes + round_up(std::size_t(block_of<int>::memory_of(w) + 1) * sizeof(aggregate))
           + round_up(sightings<aggregate>::bytes_of(w.lanes)) + 32;
  }

  ONEPASS_FUNCTION int items_per_lane() const { return threaded ? N : chosen.items_per_lane; }
  ONEPASS_FUNCTION extent tile_items() const
  {
    return extent(items_per_lane()) * (threaded ? threads : chosen.wide.lanes);
  }
  ONEPASS_FUNCTION extent tiles() const { return in.size > tile_items() ? div_up(in.size, tile_items()) : 1; }

  // ---- a tile

  /// The team as the engine's stages need it.
  template <class Member>
  struct staging_team {
    static constexpr int threads = machine::threads;
    Member const& member;
    char* memory;
    ONEPASS_FUNCTION int rank() const { return member.team_rank(); }
    ONEPASS_FUNCTION char* stage() const { return memory; }
  };

  template <class Member>
  struct tile {
    machine const& m;
    Member const& member;
    block_of<Member> b;
    staging_team<Member> team;
    memory shared;
    extent first = 0;
    int valid    = 0;

    ONEPASS_FUNCTION tile(machine const& all, Member const& team_member, char* scratch)
        : m(all)
        , member(team_member)
        , b(team_member, all.monoid, all.chosen.wide, reinterpret_cast<aggregate*>(scratch + stage_bytes))
        , team{team_member, scratch}
        , shared{memory_in(scratch + stage_bytes, all.chosen.wide)}
    {}

    ONEPASS_FUNCTION static memory memory_in(char* p, width w)
    {
      auto* const values = reinterpret_cast<aggregate*>(p);
      int const count    = block_of<Member>::memory_of(w);
      p += round_up(std::size_t(count + 1) * sizeof(aggregate));
      return {values, values + count, reinterpret_cast<ticket*>(p + round_up(sightings<aggregate>::bytes_of(w.lanes))),
              sightings<aggregate>(p, w.lanes)};
    }

    /// Calls f(k, item k) for each item of the lane.
    template <class F>
    ONEPASS_FUNCTION void each_item(int lane, F const& f) const
    {
      if constexpr (threaded) {
        register_items<item, N> mine;
        mine.load(reinterpret_cast<item const*>(team.memory) + lane * N);
        int const left = valid - lane * N;
        if (left >= N) {
          ONEPASS_UNROLL for (int k = 0; k < N; ++k) f(k, mine.get(k));
        } else {
          ONEPASS_UNROLL for (int k = 0; k < N; ++k) if (k < left) f(k, mine.get(k));
        }
      } else {
        int const N_here   = m.chosen.items_per_lane;
        extent const begin = first + extent(lane) * N_here, stop = first + valid,
                     end = begin + N_here < stop ? begin + N_here : stop;
        for (extent i = begin; i < end; ++i) f(int(i - begin), item(m.in(i)));
      }
    }

    /// Reads tile t, and scans the lanes' sums. Returns the tile's aggregate.
    ONEPASS_FUNCTION aggregate upsweep(extent t)
    {
      first = t * m.tile_items();
      valid = int(m.in.size - first < m.tile_items() ? m.in.size - first : m.tile_items());
      if constexpr (threaded) {
        staged<In, N * threads>{team.memory}.take(team, m.in, first, valid);
        member.team_barrier();
      }
      b.begin(is_padded(m.chosen.by), is_exclusive(m.chosen.by));
      b.each([&](int lane) {
        auto sum = Monoid::identity();
        each_item(lane, [&](int, item const& x) { sum = m.monoid.combine(sum, lifted(x)); });
        b.at(lane) = sum;
      });
      scan_block(m.chosen.by, b, m.monoid);
      return b.total();
    }

    /// Writes the results of the tile that was read, given its exclusive prefix.
    ONEPASS_FUNCTION void downsweep(aggregate const& prefix)
    {
      b.each([&](int lane) {
        auto running = m.monoid.combine(prefix, b.before(lane));
        if constexpr (threaded) {
          register_items<item, N> made{};
          each_item(lane, [&](int k, item const& x) {
            made.set(k, as_item(running = m.monoid.combine(running, lifted(x))));
          });
          made.store(reinterpret_cast<item*>(team.memory) + lane * N);
        } else {
          extent const begin = first + extent(lane) * m.chosen.items_per_lane;
          each_item(lane, [&](int k, item const& x) {
            m.out(begin + k) = as_item(running = m.monoid.combine(running, lifted(x)));
          });
        }
      });
      b.barrier();
      if constexpr (threaded) {
        stage_out<N * threads>(team, reinterpret_cast<item const*>(team.memory), m.out, first, valid);
        member.team_barrier();  // before the stage is used again
      }
    }

    ONEPASS_FUNCTION bool is_lane_0() const { return !threaded || member.team_rank() == 0; }

  private:
    ONEPASS_FUNCTION static aggregate lifted(item const& x)
    {
      if constexpr (std::is_same_v<item, aggregate>) return x;
      else return Monoid::lift(x);
    }
    ONEPASS_FUNCTION static item as_item(aggregate const& x)
    {
      if constexpr (std::is_same_v<item, aggregate>) return x;
      else return Monoid::value(x);
    }
  };

  // ---- the kernels

  template <class Member>
  ONEPASS_FUNCTION tile<Member> tile_of(Member const& member) const
  {
    return {*this, member,
            static_cast<char*>(member.team_scratch(0).get_shmem_aligned(scratch_bytes(chosen.wide), 16))};
  }

  template <class Member>
  ONEPASS_FUNCTION void scan_stretch(tile<Member>& t, extent g) const
  {
    auto carry = seeds && g > 0 ? seeds[g - 1] : Monoid::identity();
    for (extent i = g * stretch; i < (g + 1) * stretch && i < tiles(); ++i) {
      auto const total = t.upsweep(i);
      t.downsweep(carry);
      carry = monoid.combine(carry, total);
    }
    if (sums && t.is_lane_0()) sums[g] = carry;
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(scan, Member const& member) const
  {
    auto t = tile_of(member);
    scan_stretch(t, member.league_rank() + elided);
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(reduce, Member const& member) const
  {
    auto t         = tile_of(member);
    extent const g = member.league_rank();
    if (elided && g == 0) return scan_stretch(t, g);
    auto sum = Monoid::identity();
    for (extent i = g * stretch; i < (g + 1) * stretch && i < tiles(); ++i) sum = monoid.combine(sum, t.upsweep(i));
    if (t.is_lane_0()) sums[g] = sum;
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(spread, Member const& member) const
  {
    extent const t = member.league_rank() + 1, first = t * tile_items(), left = out.size - first;
    int const valid   = int(left < tile_items() ? left : tile_items());
    auto const prefix = seeds[t - 1];
    auto const before = [&](item const& x) {
      if constexpr (std::is_same_v<item, aggregate>) return monoid.combine(prefix, x);
      else return Monoid::value(monoid.combine(prefix, Monoid::lift(x)));
    };
    int done = threaded ? int(member.team_rank()) : 0;
    if constexpr (threaded && has_packs<Out>)
      if (in_packs(out, first)) {
        constexpr int per_pack = 16 / int(sizeof(item)), rounds = (N + per_pack - 1) / per_pack;
        auto* const packs = reinterpret_cast<pack*>(out.data + first);
        pack held[rounds];
        ONEPASS_UNROLL for (int j = 0; j < rounds; ++j)
        {
          int const p = done + j * threads;
          held[j]     = packs[p < valid / per_pack ? p : 0];
        }
        ONEPASS_UNROLL for (int j = 0; j < rounds; ++j)
        {
          item x[per_pack];
          std::memcpy(static_cast<void*>(x), &held[j], sizeof(pack));
          ONEPASS_UNROLL for (int k = 0; k < per_pack; ++k) x[k] = before(x[k]);
          std::memcpy(&held[j], x, sizeof(pack));
          int const p = done + j * threads;
          if (p < valid / per_pack) packs[p] = held[j];
        }
        done += valid / per_pack * per_pack;
      }
    for (int i = done; i < valid; i += threads) out(first + i) = before(item(out(first + i)));
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(chained, Member const& member) const
  {
    auto t = tile_of(member);
    for (;;) {
      auto const mine = drawn(t);
      if (mine.index >= tiles()) return;
      auto const all = t.upsweep(mine.index);
      t.downsweep(chosen.how == strategy::chained ? after_the_last(t, mine, all) : after_some(t, mine, all));
    }
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(ahead, Member const& member) const
  {
    auto t     = tile_of(member);
    auto carry = Monoid::identity();  // the exclusive prefix of tile `known`
    for (extent known = 0;;) {
      auto const mine = drawn(t);
      if (mine.index >= tiles()) return;
      auto const all = t.upsweep(mine.index);
      if (t.is_lane_0()) chain.publish(mine, tile_status::aggregate, all);
      carry = look_ahead(t.b, chain, known, mine.index, mine.epoch, t.shared.seen, carry);
      t.downsweep(carry);
      carry = monoid.combine(carry, all);
      known = mine.index + 1;
    }
  }

  /// One lane draws a ticket and passes it to all.
  template <class Member>
  ONEPASS_FUNCTION ticket drawn(tile<Member> const& t) const
  {
    if (t.is_lane_0()) *t.shared.drawn = chain.draw(tiles() + t.member.league_size(), tiles());
    if constexpr (threaded) t.member.team_barrier();
    return *t.shared.drawn;
  }

  /// Chained scan: waits for the inclusive prefix of the tile before.
  template <class Member>
  ONEPASS_FUNCTION aggregate after_the_last(tile<Member>& t, ticket const& mine, aggregate const& total) const
  {
    if (t.is_lane_0()) {
      auto before = Monoid::identity();
      if (mine.index > 0) before = chain.wait(mine.index - 1, mine.epoch, tile_status::inclusive_prefix).value;
      chain.publish(mine, tile_status::inclusive_prefix, monoid.combine(before, total));
      *t.shared.said = before;
    }
    if constexpr (threaded) t.member.team_barrier();
    return *t.shared.said;
  }

  /// Decoupled look-back.
  template <class Member>
  ONEPASS_FUNCTION aggregate after_some(tile<Member>& t, ticket const& mine, aggregate const& total) const
  {
    if (mine.index == 0) {
      if (t.is_lane_0()) chain.publish(mine, tile_status::inclusive_prefix, total);
      return Monoid::identity();
    }
    if (t.is_lane_0()) chain.publish(mine, tile_status::aggregate, total);
    bool const one = chosen.how == strategy::look_back_lane || chosen.how == strategy::look_back_fenced_lane;
    t.b.each([](int) {});  // no thread polls before the value is published
    auto const before = look_back(t.b, chain, mine, one ? 1 : window(), t.shared.seen);
    if (t.is_lane_0()) {
      chain.publish(mine, tile_status::inclusive_prefix, monoid.combine(before.value, total));
      if (distance) {
        Kokkos::atomic_add(&distance->tiles, std::uint64_t(1));
        Kokkos::atomic_add(&distance->inspected, std::uint64_t(before.tiles));
        Kokkos::atomic_max(&distance->farthest, std::uint64_t(before.tiles));
      }
    }
    return before.value;
  }

  /// The number of tiles that are polled together.
  ONEPASS_FUNCTION int window() const { return chosen.wide.lanes < widest_window ? chosen.wide.lanes : widest_window; }

  template <class Tag>
  void queue(Exec const& exec, std::string const& label, extent teams) const
  {
    if (teams < 1) return;
    auto p = policy<Tag>(exec, int(teams), threads);
    p.set_scratch_size(0, Kokkos::PerTeam(int(scratch_bytes(chosen.wide) + 16)));
    Kokkos::parallel_for(label, p, *this);
  }
};

}  // namespace onepass::ONEPASS_ABI::classic
