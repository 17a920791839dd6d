// SPDX-License-Identifier: Apache-2.0
// Several calls under way at once, which each rank waits for at times of its own, in an order of its own, or never.
#include "cases.hpp"

#include <onepass/ranks/histogram.hpp>
#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/scan.hpp>
#include <onepass/ranks/select.hpp>

#include <memory>
#include <thread>

namespace ranks_test {

namespace {

namespace ranks = onepass::ranks;
using u64       = std::uint64_t;
using u32       = std::uint32_t;

struct low_bits {
  KOKKOS_FUNCTION extent operator()(u64 x) const { return extent(x & 7); }
};

/// Waits for a call, or drops it, and looks at what it gave.
using look = std::function<void(bool drop)>;

class requests {
public:
  explicit requests(trial& t)
      : t_(t)
      , n_(t.size())
      , dealt_(t.deal<u64>(n_))
  {}

  void run()
  {
    for (extent k = 0, calls = 1 + t_.below("calls", 8); k < calls; ++k) {
      number_ = std::to_string(k);
      open_.push_back(started(t_.below("kind" + number_, 8)));
      while (!open_.empty() && mine("end here", 30)) end_one();
      if (t_.chance("in between" + number_, 20))
        t_.same("in between", ranks::reduce(t_.all(), t_.where(), dealt_.in), sum());
      if (t_.chance("meet" + number_, 10)) t_.all().meet();
    }
    while (!open_.empty()) end_one();
    t_.same("afterwards", ranks::reduce(t_.all(), t_.where(), dealt_.in), sum());
  }

private:
  /// Drawn by this rank alone.
  extent drawn(char const* name, extent n)
  {
    return t_.below(name + number_ + ' ' + std::to_string(draws_++) + " of " + std::to_string(t_.me()), n);
  }
  bool mine(char const* name, int percent) { return drawn(name, 100) < percent; }

  void end_one()
  {
    auto const at = open_.begin() + drawn("which", extent(open_.size()));
    (*at)(mine("drop", 25));
    open_.erase(at);
  }

  /// `check` looks at what the call gave, `written` at what it has written, even where nobody waited.
  template <class T, class Check>
  look waits(
      ranks::request<T> started, Check const& check, std::function<void()> const& written = [] {})
  {
    auto kept = std::make_shared<ranks::request<T>>(std::move(started));
    return [this, kept, check, written](bool drop) mutable {
      if (mine("poll", 30))
        while (!kept->test()) std::this_thread::yield();
      if (drop) kept.reset();
      else {
        if constexpr (std::is_void_v<T>) kept->wait(), check();
        else check(kept->wait());
        t_.same("ended", kept->test(), true);
      }
      written();
    };
  }

  u64 sum() const
  {
    u64 all = 0;
    for (u64 const x : dealt_.items) all += x;
    return all;
  }
  u64 most_of(extent n) const
  {
    u64 most = 1;
    for (extent i = 0; i < n; ++i) most = std::max(most, dealt_.items[std::size_t(i)]);
    return most;
  }
  extent kept_before(std::size_t rank, is_kept const& keep) const
  {
    return std::count_if(dealt_.items.begin(), dealt_.items.begin() + dealt_.cuts[rank], keep);
  }
  void same_block(char const* what, ranks::block const& is, extent begin, extent end, extent total)
  {
    t_.same(what, is, end - begin, begin, total);
  }

  look started(extent kind)
  {
    ranks::nonblocking const all(t_.all());
    auto const where = t_.where();
    auto const& in   = dealt_.in;
    auto const me = t_.me(), ranks_ = std::size_t(t_.all().size());
    auto const room = [&] { return t_.room<u64>(extent(in.extent(0))); };
    is_kept const keep{u64(t_.below("percent" + number_, 101))};
    extent const from = kept_before(me, keep), to = kept_before(me + 1, keep), kept = kept_before(ranks_, keep);
    switch (kind) {
    case 0:
      return waits(ranks::reduce(all, where, in, onepass::plus{}, u64(3)),
                   [this](u64 made) { t_.same("sum", made, sum() + 3); });
    case 1: {
      auto ended = ranks::count_if(all, where, in, keep);  // at the latest where another one is put in its place
      ended      = ranks::count_if(all, where, in, keep);
      return waits(std::move(ended), [=, this](auto const& made) { same_block("count", made, from, to, kept); });
    }
    case 2: {
      auto const out = room();
      return waits(
          ranks::inclusive_scan(all, where, in, out), [this](u64 made) { t_.same("total", made, sum()); },
          [=, this] {
            std::vector<u64> wanted;
            u64 now = 0;
            for (u64 const x : dealt_.items) wanted.push_back(now += x);
            t_.same("results", t_.seen(out), wanted, dealt_.cuts[me], dealt_.cuts[me + 1]);
          });
    }
    case 3: {
      auto const out = room();
      Kokkos::View<u64, memory> const carry("carry");
      return waits(
          ranks::exclusive_scan_apart(all, where, in, out, carry, onepass::maximum{}, u64(1)),
          [this](u64 made) { t_.same("most", made, most_of(n_)); },
          [=, this] {
            u64 is = 0;
            t_.where().space.fence("ranks_test");
            Kokkos::deep_copy(is, carry);
            t_.same("carry", is, most_of(dealt_.cuts[me]));
          });
    }
    case 4: {
      auto const out = room();
      return waits(ranks::select_if(all, where, in, out, keep), [=, this](auto const& made) {
        same_block("selected", made, from, to, kept);
        std::vector<u64> wanted;
        for (extent i = dealt_.cuts[me]; i < dealt_.cuts[me + 1]; ++i)
          if (u64 const x = dealt_.items[std::size_t(i)]; keep(x)) wanted.push_back(x);
        t_.same("selection", t_.seen(out, made.count), wanted, 0, to - from);
      });
    }
    case 5:
      return waits(ranks::partition_if(all, where, in, room(), room(), keep), [=, this](auto const& made) {
        same_block("kept", made.first, from, to, kept);
        same_block("others", made.second, dealt_.cuts[me] - from, dealt_.cuts[me + 1] - to, n_ - kept);
      });
    case 6: {
      auto const counts = t_.room<u32>(8);
      return waits(
          ranks::histogram(all, where, in, counts, low_bits{}), [] {},
          [=, this] {
            std::vector<u32> wanted(8);
            for (u64 const x : dealt_.items) ++wanted[x & 7];
            t_.same("counts", t_.seen(counts), wanted, 0, 8);
          });
    }
    default: {
      // Now and then a rank that has an item has no room for its result: all throw the same, whoever waits first.
      auto const wrong  = std::size_t(t_.below("wrong" + number_, 2 * t_.all().size()));
      extent const has  = wrong < ranks_ ? dealt_.cuts[wrong + 1] - dealt_.cuts[wrong] : 0;
      auto const out    = t_.room<u64>(extent(in.extent(0)) - (me == wrong && has > 0 ? 1 : 0));
      auto const wanted = "onepass::ranks::exclusive_scan: the output has " + std::to_string(has - 1)
                          + " items and the input " + std::to_string(has) + "; give an output of at least "
                          + std::to_string(has) + " (rank " + std::to_string(wrong) + " of " + std::to_string(ranks_)
                          + ")";
      auto const made = std::make_shared<ranks::request<u64>>(ranks::exclusive_scan(all, where, in, out));
      return [=, this](bool drop) {
        std::string said;
        for (int times = drop ? 0 : 2; times > 0; --times) try {
            t_.same("total", made->wait(), sum());
          } catch (onepass::precondition_error const& e) {
            said = e.what();
          }
        t_.same("sentence", said, has > 0 && !drop ? wanted : std::string());
      };
    }
    }
  }

  trial& t_;
  extent n_;
  trial::dealt<u64> dealt_;
  std::vector<look> open_;
  std::string number_;
  int draws_ = 0;
};

void many_requests(trial& t) { requests(t).run(); }

}  // namespace

void add_requests(std::vector<family>& all) { all.push_back({"requests", many_requests}); }

}  // namespace ranks_test
