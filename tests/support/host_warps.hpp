// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "host_teams.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace test {

/// Threads of a team that meet on their own, as those of a device's warps do.
template <int Lanes>
struct threads_of_warp {
  meeting all{Lanes};
  std::array<std::array<char, 64>, Lanes> slot;
};

/// One of them, with what programs ask of a warp.
template <int Lanes>
struct host_warp {
  static constexpr int lanes = Lanes;

  int lane;
  threads_of_warp<Lanes>* shared;

  template <class X>
  X broadcast(X const& x, int from) const
  {
    static_assert(sizeof(X) <= 64 && std::is_trivially_copyable_v<X>);
    std::memcpy(shared->slot[std::size_t(lane)].data(), &x, sizeof x);
    shared->all.arrive_and_wait();
    X got = x;
    std::memcpy(static_cast<void*>(&got), shared->slot[std::size_t(from)].data(), sizeof x);
    shared->all.arrive_and_wait();
    return got;
  }
  template <class X>
  X exchange(X const& x, int bits) const
  {
    return broadcast(x, lane ^ bits);
  }
  unsigned sum(unsigned x) const
  {
    auto const all = everyones(x);
    return std::accumulate(all.begin(), all.end(), 0u);
  }
  unsigned max(unsigned x) const
  {
    auto const all = everyones(x);
    return *std::max_element(all.begin(), all.end());
  }
  unsigned match(unsigned x) const
  {
    unsigned same = 0;
    for (int l = 0; auto const theirs : everyones(x)) same |= unsigned(theirs == x) << l++;
    return same;
  }
  int count(bool x) const { return int(sum(x)); }
  void sync() const { shared->all.arrive_and_wait(); }
  /// Lane 0 gets x(0) · x(1) · …
  template <class Algebra, class X>
  X reduce(Algebra const& algebra, X const& x) const
  {
    auto all = broadcast(x, 0);
    for (int l = 1; l < lanes; ++l) all = algebra.combine(all, broadcast(x, l));
    return lane == 0 ? all : x;
  }

private:
  std::array<unsigned, Lanes> everyones(unsigned x) const
  {
    std::memcpy(shared->slot[std::size_t(lane)].data(), &x, sizeof x);
    sync();
    std::array<unsigned, Lanes> all;
    for (std::size_t l = 0; l < Lanes; ++l) std::memcpy(&all[l], shared->slot[l].data(), sizeof x);
    sync();
    return all;
  }
};

/// A team whose threads are such warps.
template <int Lanes, class Team>
struct with_warps_of : Team {
  threads_of_warp<Lanes>* warps;
  host_warp<Lanes> warp() const { return {this->rank() % Lanes, warps + this->rank() / Lanes}; }
  host_warp<Lanes> part() const { return warp(); }
};

}  // namespace test
