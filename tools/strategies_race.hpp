// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scan_rows.hpp"
#include "strategies.hpp"

#include <onepass/classic/strategies.hpp>

#include <optional>

// The race of the classic scans on items of one type. Every contender is checked against the loop before it is timed.
namespace tools {

/// The number of the first n items that differ in any bit.
template <class Exec, class T>
onepass::extent differing_items(Exec const& exec, Kokkos::View<T*, Exec> const& a, Kokkos::View<T*, Exec> const& b,
                                onepass::extent n)
{
  onepass::extent different = 0;
  Kokkos::parallel_reduce(
      "onepass strategies: compare", Kokkos::RangePolicy<Exec, Kokkos::IndexType<onepass::extent>>(exec, 0, n),
      KOKKOS_LAMBDA(onepass::extent i, onepass::extent & d) { d += std::memcmp(&a(i), &b(i), sizeof(T)) != 0; },
      different);
  return different;
}

template <class T>
class strategies_race {
  using exec = Kokkos::DefaultExecutionSpace;
  using op   = std::conditional_t<std::is_same_v<T, affine>, compose, onepass::plus>;
  using view = Kokkos::View<T*, exec>;
  using host = Kokkos::View<T*, Kokkos::HostSpace>;
  using work = std::function<void(view const& in, view const& out)>;

  struct contender {
    std::string strategy, network;
    onepass::classic::choice choice;
  };

public:
  explicit strategies_race(strategies_request const& asked)
      : asked_(asked)
  {
    found_.space      = exec::name();
    found_.type       = type_name<T>;
    found_.item_bytes = sizeof(T);
    for (auto const& name : asked.strategies)
      for (auto const& network : asked.networks) enter(name, network);
  }

  contest run()
  {
    auto const most = extent(1) << *std::max_element(asked_.sizes.begin(), asked_.sizes.end());
    items_          = host("items", std::size_t(most));
    expected_       = host("expected", std::size_t(most));
    for (extent i = 0; i < most; ++i) items_(std::size_t(i)) = item(i);
    loop(most);
    in_    = Kokkos::create_mirror_view_and_copy(exec::memory_space{}, items_);
    right_ = Kokkos::create_mirror_view_and_copy(exec::memory_space{}, expected_);
    out_   = view("out", std::size_t(most));

    for (int const size : asked_.sizes) race_of(extent(1) << size);
    by_tile(most);
    by_network(most);
    for (auto const& c : contenders_) distance(c, most);
    return found_;
  }

private:
  using extent = onepass::extent;

  /// Enters a strategy in the form that was asked for, or a step of the textbook's ladder (a "rung") in its own form.
  void enter(std::string const& name, std::string const& network)
  {
    auto c          = onepass::classic::choice_named(name);
    bool const rung = c.items_per_lane > 0;
    if (rung && network != asked_.networks.front()) return;
    if (!rung) {
      c.by             = onepass::classic::network_named(network);
      c.wide           = {asked_.lanes, asked_.warp};
      c.items_per_lane = asked_.items_per_lane;
    }
    onepass::classic::require_possible<exec, T, op>(c);
    contenders_.push_back({name, onepass::classic::entry_of(c.by).name, c});
  }

  /// Floats are small whole numbers, so their sums are exact however they are associated.
  static T item(extent i)
  {
    auto const bits = mixed(u64(i));
    if constexpr (std::is_same_v<T, affine>) return {u32(bits) | 1, u32(bits >> 32)};
    else if constexpr (std::is_floating_point_v<T>) return T(int(bits % 3) - 1);
    else return T(bits);
  }

  void loop(extent n)
  {
    op const combine;
    T running    = items_(0);
    expected_(0) = running;
    for (extent i = 1; i < n; ++i) expected_(std::size_t(i)) = running = combine(running, items_(std::size_t(i)));
  }

  /// The time of the fastest of some repetitions: whatever else the computer does only adds time.
  template <class F>
  double seconds(F const& f)
  {
    double fastest  = std::min(seconds_of(exec_, f), seconds_of(exec_, f));
    int const batch = std::clamp(int(1e-3 / fastest), 1, 100), repetitions = fastest < 0.1 ? 5 : 1;
    for (int r = 0; r < repetitions; ++r)
      fastest = std::min(fastest, seconds_of(exec_, [&] {
                                    for (int k = 0; k < batch; ++k) f();
                                  }) / batch);
    return fastest;
  }

  static view first(view const& all, extent n) { return Kokkos::subview(all, std::pair<extent, extent>(0, n)); }

  bool is_right(extent n) const { return differing_items(exec_, out_, right_, n) == 0; }

  /// The time of a contender on n items, if it is right on n and on an odd number of items.
  std::optional<double> checked(std::string const& name, extent n, work const& scan)
  {
    for (extent const size : {n - 3, n}) {
      Kokkos::deep_copy(exec_, out_, T{});
      scan(first(in_, size), first(out_, size));
      if (is_right(size)) continue;
      found_.wrong += (found_.wrong.empty() ? "" : ", ") + name + " on " + std::to_string(size) + " items";
      return {};
    }
    return seconds([&] { scan(first(in_, n), first(out_, n)); });
  }

  work scan_by(onepass::classic::choice const& c)
  {
    return [this, c](view const& in, view const& out) {
      onepass::classic::inclusive_scan(onepass::on(exec_).with(scratch_), c, in, out, op{});
    };
  }

  void time(std::vector<timed>& to, contender const& c, extent n)
  {
    auto const tile = onepass::classic::tile_items<exec, T, op>(c.choice);
    if (auto const s = checked(c.strategy + " with " + c.network, n, scan_by(c.choice)))
      to.push_back({c.strategy, c.network, n, tile, *s});
  }

  void race_of(extent n)
  {
    found_.races.push_back(
        {"copy", "", n, 0, seconds([&] { Kokkos::deep_copy(exec_, first(out_, n), first(in_, n)); })});
    found_.races.push_back({"loop", "", n, 0, seconds([&] { loop(n); })});
    work const production = [this](view const& in, view const& out) {
      onepass::inclusive_scan(onepass::on(exec_).with(own_scratch_), in, out, op{});
    };
    if (auto const s = checked("onepass", n, production)) found_.races.push_back({"onepass", "", n, 0, *s});
    for (auto const& c : contenders_) time(found_.races, c, n);
  }

  /// Races the strategies that wait for the tile before, against the size of tiles.
  void by_tile(extent n)
  {
    for (auto c : contenders_) {
      if (c.network != asked_.networks.front() || (c.strategy != "chained" && c.strategy != "look-back")) continue;
      for (int const items : onepass::classic::some_items_per_lane<exec, T, op>()) {
        c.choice.items_per_lane = items;
        time(found_.by_tile, c, n);
      }
    }
  }

  /// Races every network that fits, in the strategy that does least besides.
  void by_network(extent n)
  {
    for (auto const& [id, name] : onepass::classic::networks) {
      onepass::classic::choice c{
          onepass::classic::strategy::look_back, id, {asked_.lanes, asked_.warp}, asked_.items_per_lane};
      try {
        onepass::classic::require_possible<exec, T, op>(c);
      } catch (onepass::precondition_error const&) {
        continue;
      }
      time(found_.by_network, {"look-back", name, c}, n);
    }
  }

  void distance(contender const& c, extent n)
  {
    if (!c.strategy.starts_with("look-back") || c.network != asked_.networks.front()) return;
    using distances = onepass::classic::look_back_distance;
    Kokkos::View<distances, exec> const noted("noted");
    onepass::classic::inclusive_scan(onepass::on(exec_).with(scratch_), c.choice, first(in_, n), first(out_, n), op{},
                                     noted);
    distances seen{};
    Kokkos::deep_copy(seen, noted);
    if (seen.tiles > 0)
      found_.distances.push_back({c.strategy, double(seen.inspected) / double(seen.tiles), seen.farthest});
  }

  strategies_request asked_;
  contest found_;
  std::vector<contender> contenders_;
  exec exec_;
  onepass::workspace<exec> scratch_{exec_}, own_scratch_{exec_};
  host items_, expected_;
  view in_, right_, out_;
};

template <class T>
contest compete(strategies_request const& asked)
{
  return strategies_race<T>(asked).run();
}

}  // namespace tools
