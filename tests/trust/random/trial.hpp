// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "affine.hpp"
#include "harness/mixed.hpp"
#include "hunt/dice.hpp"

#include <onepass/backends/run_items.hpp>
#include <onepass/checks.hpp>
#include <onepass/execution/place.hpp>

#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

// Random cases: calls with drawn arguments, whose outputs are compared byte by byte with what plain loops make.
namespace trust {

using onepass::extent;
using perf::hunt::dice;
using test::affine;
using test::compose;
using space   = Kokkos::DefaultExecutionSpace;
using memory  = space::memory_space;
using numbers = std::uint32_t;

/// Memory of the space, poisoned where nothing was put; beside it what it has to hold when the call has ended.
class block {
public:
  static constexpr std::size_t guard = 256;

  block(std::byte* place, std::size_t bytes, std::string what)
      : what_(std::move(what))
      , place_(place)
      , image_(bytes, std::byte{0xa5})
  {}

  std::byte* place() const { return place_; }
  std::byte* image() { return image_.data(); }
  void upload() const { Kokkos::deep_copy(there(), here()); }

  /// The first byte that is not as it should be; -1 if all are.
  long first_wrong() const
  {
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, there());
    if (std::memcmp(found.data(), image_.data(), image_.size()) == 0) return -1;
    long b = 0;
    while (found(std::size_t(b)) == image_[std::size_t(b)]) ++b;
    return b;
  }
  std::string const& what() const { return what_; }

private:
  using unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::View<std::byte*, memory, unmanaged> there() const
  {
    return Kokkos::View<std::byte*, memory, unmanaged>(place_, image_.size());
  }
  Kokkos::View<std::byte const*, Kokkos::HostSpace, unmanaged> here() const
  {
    return Kokkos::View<std::byte const*, Kokkos::HostSpace, unmanaged>(image_.data(), image_.size());
  }

  std::string what_;
  std::byte* place_;
  std::vector<std::byte> image_;
};

/// n items in a block, `step` apart, with a guard before and behind them.
template <class T>
class items {
public:
  using packed = Kokkos::View<T*, memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using spread = Kokkos::View<T*, Kokkos::LayoutStride, memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using one    = Kokkos::View<T, memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using planar = Kokkos::View<T**, Kokkos::LayoutRight, memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  items(block& of, extent n, extent begin, extent step)
      : block_(&of)
      , n_(n)
      , begin_(begin)
      , step_(step)
  {}

  packed view() const { return packed(first(), std::size_t(n_)); }
  spread apart() const { return spread(first(), Kokkos::LayoutStride(std::size_t(n_), std::size_t(step_))); }
  one single() const { return one(first()); }
  planar rows(extent count) const { return planar(first(), std::size_t(count), std::size_t(count ? n_ / count : 0)); }
  extent size() const { return n_; }

  /// The items that have to be there afterwards, from `from` on; others stay as they were.
  void expect(std::vector<T> const& wanted, extent from = 0)
  {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      std::memcpy(block_->image() + offset(from + extent(i)), &wanted[i], sizeof(T));
  }
  void expect(T const& wanted) { expect(std::vector<T>{wanted}); }

private:
  std::size_t offset(extent i) const { return block::guard + std::size_t(begin_ + i * step_) * sizeof(T); }
  T* first() const { return reinterpret_cast<T*>(block_->place() + offset(0)); }

  block* block_;
  extent n_, begin_, step_;
};

/// One case: what was drawn, as text, and its memory.
class trial {
public:
  explicit trial(dice const& d)
      : dice_(d)
  {}

  dice const& drawn() const { return dice_; }

  /// A number of items: most are few, since the edges of small tiles are met by few.
  extent size(char const* name = "n")
  {
    auto const kind = dice_.below(std::string(name) + " kind", 100);
    extent const n  = kind < 50   ? dice_.below(name, 140)
                      : kind < 85 ? dice_.below(name, 2000)
                      : kind < 98 ? dice_.below(name, 12000)
                                  : dice_.below(name, 100000);
    say(name, n);
    return n;
  }
  extent below(char const* name, extent n)
  {
    extent const x = dice_.below(name, n);
    say(name, x);
    return x;
  }
  bool chance(char const* name, int percent)
  {
    bool const x = dice_.chance(name, percent);
    if (x) said_ << ' ' << name;
    return x;
  }
  std::uint64_t bits(extent i) const { return perf::mixed(salt_ + std::uint64_t(i)); }

  /// Random items, or a few values often.
  template <class T>
  std::vector<T> random(extent n, char const* name = "few values")
  {
    bool const few = chance(name, 30);
    salt_          = dice_.bits(name);
    std::vector<T> made;
    made.reserve(std::size_t(n));
    for (extent i = 0; i < n; ++i) {
      auto const x = few ? bits(i) >> 62 : bits(i);
      if constexpr (std::is_same_v<T, affine>) made.push_back({std::uint32_t(x) | 1u, std::uint32_t(x >> 32)});
      else if constexpr (std::is_floating_point_v<T>) made.push_back(T(int(x & 255) - 100));
      else made.push_back(T(x));
    }
    return made;
  }

  /// Items in runs of a drawn mean length.
  template <class T>
  std::vector<T> runs(extent n)
  {
    extent const mean = extent(1) << below("log run", 9);
    salt_             = dice_.bits("runs");
    std::vector<T> made;
    T now = T(1);
    for (extent i = 0; i < n; ++i) {
      if (extent(bits(i) % std::uint64_t(mean)) == 0) now = T(bits(i) >> 33);
      made.push_back(now);
    }
    return made;
  }

  template <class T>
  items<T> input(char const* name, std::vector<T> const& content, bool spread = false)
  {
    auto made = reserve<T>(name, extent(content.size()), spread);
    made.expect(content);
    blocks_.back()->upload();
    return made;
  }
  template <class T>
  items<T> output(char const* name, extent n, bool spread = false)
  {
    auto made = reserve<T>(name, n, spread);
    blocks_.back()->upload();
    return made;
  }

  /// Calls f(place) for a drawn machine of the build. Calls in place are not for two passes.
  template <class F>
  void call(F const& f, bool in_place = false)
  {
    auto const& exec   = instance();
    bool const kept    = chance("workspace", 80);
    auto const anchor  = chance("reluctant", 30) ? 3 : 1;
    auto const dressed = [&](auto place) {
      return kept ? place.with(scratch(exec)).reluctantly(anchor) : place.reluctantly(anchor);
    };
    auto const here = onepass::on(exec);
    using onepass::schedule;
    auto const portable = here.template through<onepass::kokkos_backend>().template tuned<onepass::tiny_tuning>();
#ifdef KOKKOS_ENABLE_CUDA
    switch (below("machine", 4)) {
    case 0:
      return f(dressed(here.template tuned<onepass::tiny_tuning>()));
    case 1:
      return f(dressed(here));
#else
    switch (below("machine", 8)) {
    case 0:
      return f(dressed(here.template through<onepass::serial_backend>()));
    case 1:
    case 2:
      return f(dressed(here));
    case 3:
    case 4:
    case 5:
      return f(dressed(here.template through<onepass::host_backend>().template tuned<onepass::tiny_tuning>()));
#endif
    default:
      return f(dressed(portable.by(in_place || chance("chained", 60) ? schedule::chained : schedule::two_pass)));
    }
  }

  /// Calls f(place) for canonical floats.
  template <class F>
  void canonically(F const& f)
  {
    auto const& exec = instance();
    auto const place = onepass::canonically(exec);
    f(chance("workspace", 80) ? place.with(scratch(exec)) : place);
  }

  /// What is wrong, after the call; empty if nothing is.
  std::string verdict() const
  {
    Kokkos::fence("trust: the call has ended");
    for (auto const& b : blocks_)
      if (long const at = b->first_wrong(); at >= 0)
        return b->what() + " differs from byte " + std::to_string(at) + " on";
    return {};
  }
  std::string text() const { return said_.str(); }

private:
  void say(std::string const& name, extent x) { said_ << ' ' << name << '=' << x; }

  template <class T>
  items<T> reserve(char const* name, extent n, bool spread)
  {
    extent const begin =
        dice_.chance(std::string(name) + " shifted", 40) ? dice_.below(std::string(name) + " begin", 17) : 0;
    extent const step = spread ? 1 + dice_.below(std::string(name) + " step", 3) : 1;
    if (begin > 0) said_ << ' ' << name << '+' << begin;
    if (step > 1) said_ << ' ' << name << '*' << step;
    std::size_t const bytes = 2 * block::guard + std::size_t(begin + n * step) * sizeof(T);
    blocks_.push_back(std::make_unique<block>(room(blocks_.size(), bytes), bytes, name));
    return {*blocks_.back(), n, begin, step};
  }

  space const& instance();
  static onepass::workspace<space>& scratch(space const& exec);
  static std::byte* room(std::size_t slot, std::size_t bytes);

  dice const& dice_;
  std::ostringstream said_;
  std::vector<std::unique_ptr<block>> blocks_;
  std::uint64_t salt_ = 0;
};

/// A kind of case, and the one that draws it.
struct family {
  char const* name;
  void (*run)(trial&);
};
void add_scans(std::vector<family>&);
void add_totals(std::vector<family>&);
void add_compactions(std::vector<family>&);
void add_runs(std::vector<family>&);
void add_orders(std::vector<family>&);
void add_segments(std::vector<family>&);
void add_canonical(std::vector<family>&);
void add_exact(std::vector<family>&);

/// Whether a hash of x is below a percentage.
struct wanted {
  std::uint32_t percent;
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& x) const
  {
    return std::uint32_t(x) * 2654435761u % 100u < percent;
  }
};

/// A user's maximum, without identity.
struct larger {
  template <class T>
  KOKKOS_FUNCTION T operator()(T const& a, T const& b) const
  {
    return a < b ? b : a;
  }
};

}  // namespace trust
