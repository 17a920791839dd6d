// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "affine.hpp"
#include "harness/mixed.hpp"
#include "hunt/dice.hpp"

#include <onepass/execution/place.hpp>
#include <onepass/ranks/request.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

// Random calls over ranks: every rank draws the same items and the same cuts into blocks, makes the call, and
// compares its own part, bit by bit, with what a plain loop over all items gives.
namespace ranks_test {

using onepass::extent;
using onepass::ranks::transport;
using perf::hunt::dice;
using test::affine;
using test::compose;
using space  = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;

struct is_kept {
  std::uint64_t below;
  KOKKOS_FUNCTION bool operator()(std::uint64_t x) const { return x % 100 < below; }
};

/// On a host the calling thread does the work of its rank, so that many ranks fit one process and sanitizers see it
/// all.
inline auto place_on([[maybe_unused]] onepass::workspace<space>& scratch)
{
  if constexpr (onepass::on_host<space>) return onepass::on(space{}).with(scratch).through<onepass::serial_backend>();
  else return onepass::on(space{}).with(scratch);
}

/// One case on one rank.
class trial {
public:
  trial(transport& all, dice const& drawn, onepass::workspace<space>& scratch)
      : all_(all)
      , dice_(drawn)
      , scratch_(scratch)
  {}

  transport& all() const { return all_; }
  auto where() const { return place_on(scratch_); }
  std::size_t me() const { return std::size_t(all_.rank()); }

  extent below(std::string const& name, extent n)
  {
    extent const x = dice_.below(name, n);
    said_ << ' ' << name << '=' << x;
    return x;
  }
  bool chance(std::string const& name, int percent)
  {
    bool const x = dice_.chance(name, percent);
    if (x) said_ << ' ' << name;
    return x;
  }

  /// A number of items: few mostly, none at times.
  extent size()
  {
    extent const kind = dice_.below("size kind", 100);
    return below("n", kind < 20 ? 8 : kind < 70 ? 200 : kind < 97 ? 2000 : 20000);
  }

  /// Where the blocks of n items begin, an entry a rank and the end: even, anywhere, or all on few ranks.
  std::vector<extent> cuts(std::string const& name, extent n)
  {
    auto const ranks  = all_.size();
    extent const kind = below(name + " kind", 4);
    std::vector<extent> at;
    for (int r = 0; r <= ranks; ++r) {
      std::string const each = name + std::to_string(r);
      at.push_back(kind == 0   ? n * r / ranks
                   : kind == 1 ? dice_.below(each, n + 1)
                   : kind == 2 ? (dice_.chance(each, 50) ? n : 0)
                               : (dice_.chance(each, 70) ? n / 2 : dice_.below(each, n + 1)));
    }
    at.front() = 0;
    at.back()  = n;
    std::sort(at.begin(), at.end());
    return at;
  }

  std::uint64_t bits(extent i) const { return perf::mixed(salt_ + std::uint64_t(i)); }

  /// Random items; few different ones at times, or all equal.
  template <class T>
  std::vector<T> items(std::string const& name, extent n)
  {
    extent const kind = below(name + " values", 4);
    salt_             = dice_.bits(name);
    std::vector<T> made;
    for (extent i = 0; i < n; ++i) {
      auto const x = kind == 0 ? salt_ : kind == 1 ? bits(i) >> 61 : bits(i);
      if constexpr (std::is_same_v<T, affine>) made.push_back({std::uint32_t(x) | 1u, std::uint32_t(x >> 32)});
      else if constexpr (std::is_floating_point_v<T>) made.push_back(T(int(x & 255) - 128));
      else made.push_back(T(x));
    }
    return made;
  }

  /// Items in runs, which may cross ranks.
  template <class T>
  std::vector<T> runs(extent n)
  {
    extent const mean = extent(1) << below("log run", 11);
    salt_             = dice_.bits("runs");
    std::vector<T> made;
    T now = T(1);
    for (extent i = 0; i < n; ++i) {
      if (extent(bits(i) % std::uint64_t(mean)) == 0) now = T(bits(i) >> 40) % 5;
      made.push_back(now);
    }
    return made;
  }

  /// This rank's block of items, in memory of the space; now and then with gaps.
  template <class T>
  using view = Kokkos::View<T*, Kokkos::LayoutStride, memory>;

  template <class T>
  view<T> room(extent n, bool gaps = false)
  {
    extent const step = gaps ? 3 : 1;
    Kokkos::View<T*, memory> const made(Kokkos::view_alloc("ranks", Kokkos::WithoutInitializing),
                                        std::size_t(std::max<extent>(n, 1) * step));
    rooms_.push_back([made] {});  // lives as long as the trial
    return view<T>(made.data(), Kokkos::LayoutStride(std::size_t(n), std::size_t(step)));
  }
  template <class T>
  view<T> on_space(std::vector<T> const& items, extent first, extent last, bool gaps = false)
  {
    auto const made = room<T>(last - first, gaps);
    copy(items.data() + first, made);
    return made;
  }
  template <class T>
  view<T> mine(std::vector<T> const& items, std::vector<extent> const& cuts)
  {
    return on_space(items, cuts[me()], cuts[me() + 1], dice_.chance("gaps", 25));
  }
  /// Items of a call, where each rank's begin and the last one's end, and this rank's. Before clang 16 lambdas capture
  /// no names that a declaration gives to these parts.
  template <class T>
  struct dealt {
    std::vector<T> items;
    std::vector<extent> cuts;
    view<T> in;
  };
  template <class T>
  dealt<T> deal(extent n)
  {
    auto const all  = items<T>("items", n);
    auto const cuts = this->cuts("cuts", n);
    return {all, cuts, mine(all, cuts)};
  }
  template <class T>
  std::vector<T> seen(view<T> const& items, extent n = -1) const
  {
    where().space.fence("ranks_test");
    std::vector<T> made(n < 0 ? items.extent(0) : std::size_t(n));
    if constexpr (onepass::on_host<space>)
      for (std::size_t i = 0; i < made.size(); ++i) made[i] = items(i);
    else {  // by way of packed items, since those with gaps do not cross memories
      Kokkos::View<T*, memory> const packed("packed", items.extent(0));
      Kokkos::deep_copy(packed, items);
      auto const all = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, packed);
      for (std::size_t i = 0; i < made.size(); ++i) made[i] = all(i);
    }
    return made;
  }

  template <class T>
  void same(char const* what, T const& is, T const& wanted)
  {
    if (!(is == wanted)) wrong_ << ' ' << what;
  }
  template <class T>
  void same(char const* what, std::vector<T> const& is, std::vector<T> const& wanted, extent first, extent last)
  {
    std::vector<T> const part(wanted.begin() + first, wanted.begin() + last);
    if (is.size() != part.size()
        || (!part.empty() && std::memcmp(is.data(), part.data(), part.size() * sizeof(T)) != 0))
      wrong_ << ' ' << what;
  }
  void same(char const* what, onepass::ranks::block const& is, extent count, extent first, extent total)
  {
    if (is.count != count || is.first != first || is.total != total) wrong_ << ' ' << what;
  }

  /// What call(ranks) gives: made at once, or started and waited for.
  template <class Call>
  auto made(Call const& call)
  {
    if (chance("started" + std::to_string(calls_++), 30)) return call(onepass::ranks::nonblocking(all_)).wait();
    return call(all_);
  }

  std::string drawn() const { return said_.str(); }
  std::string wrong() const { return wrong_.str(); }

private:
  template <class T>
  void copy(T const* from, view<T> const& to) const
  {
    if constexpr (onepass::on_host<space>)
      for (std::size_t i = 0; i < to.extent(0); ++i) to(i) = from[i];
    else {
      using host_items = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      Kokkos::View<T*, memory> const packed("packed", to.extent(0));
      Kokkos::deep_copy(packed, host_items(from, to.extent(0)));
      Kokkos::deep_copy(to, packed);
    }
  }

  transport& all_;
  dice dice_;
  onepass::workspace<space>& scratch_;
  std::uint64_t salt_ = 0;
  int calls_          = 0;
  std::vector<std::function<void()>> rooms_;
  std::ostringstream said_, wrong_;
};

struct family {
  char const* name;
  void (*run)(trial&);
};

void add_scans(std::vector<family>&);
void add_dealt(std::vector<family>&);
void add_compactions(std::vector<family>&);
void add_orders(std::vector<family>&);
void add_trees(std::vector<family>&);
void add_requests(std::vector<family>&);

/// What the command line asks for.
struct options {
  unsigned long long seed = 1, first = 0, cases = 1000;
  int ranks = 0;  ///< 0: drawn
};
options read(int argc, char** argv);

/// Case `number` on this rank; what is wrong, empty if nothing is.
std::string run_case(transport& all, unsigned long long seed, unsigned long long number,
                     onepass::workspace<space>& scratch);

}  // namespace ranks_test
